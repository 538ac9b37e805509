import { errorMessage } from '../error-message.js';
import type { HttpAddress } from '../mcp/http/listen.js';
import type { Service } from '../service.js';
import { UsageError } from './arguments.js';
import { httpUrl, type StatedAddress } from './http-address.js';

/** What clients come by: the pipes of the process, or a port. */
export interface Connection {
  /** Settles when no client will come any more; of a port, never. */
  readonly closed: Promise<void>;
  /** `graceMs` is how long requests in flight may take to be answered, where there can be some then. */
  close(graceMs: number): Promise<void>;
}

type Report = (words: string) => void;

export async function openPipe(service: Service, report: Report): Promise<Connection> {
  const [{ serveStdioClients }, { packageVersion }] = await Promise.all([
    import('../mcp/stdio.js'),
    import('../version.js'),
  ]);
  return serveStdioClients(service, { version: packageVersion(), report });
}

/** Listens where the command line says, and for what that leaves out, where the config does. The URL is reported. */
export async function openPort(service: Service, stated: StatedAddress | true, report: Report): Promise<Connection> {
  const [{ createHttpApp, mcpPath }, { listen }, { packageVersion }] = await Promise.all([
    import('../mcp/http/app.js'),
    import('../mcp/http/listen.js'),
    import('../version.js'),
  ]);
  const address = httpAddress(stated === true ? {} : stated, service.instances[0]?.config.http);
  const app = createHttpApp(service, { version: packageVersion(), report });
  const server = await listen(app, address).catch((error) => {
    throw new Error(portFailure(address, error));
  });
  report(`listening on ${httpUrl(server.address, mcpPath)}`);
  return { closed: new Promise(() => {}), close: (graceMs) => server.close(graceMs) };
}

type ConfiguredAddress = Service['instances'][number]['config']['http'];

function httpAddress(stated: StatedAddress, config: ConfiguredAddress): HttpAddress {
  const port = stated.port ?? config?.port;
  if (port === undefined) {
    throw new UsageError('--http: no port is given; add PORT or HOST:PORT, or http.port to toolgraph.config.json');
  }
  return { host: stated.host ?? config?.host ?? '127.0.0.1', port };
}

function portFailure({ host, port }: HttpAddress, error: NodeJS.ErrnoException): string {
  const at = httpUrl({ host, port }, '');
  if (error.code === 'EADDRINUSE') return `${at} is taken by another process; give another port, or end that process`;
  if (error.code === 'EACCES') return `${at}: the system does not permit this port; give one from 1024 on`;
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') return `${at}: ${host} is no address of this host`;
  return `cannot listen on ${at}: ${errorMessage(error)}`;
}

import { errorMessage } from '../error-message.js';
import { hostOfAddress, isLoopback } from '../mcp/http/authority.js';
import type { HttpAddress } from '../mcp/http/listen.js';
import type { Service } from '../service.js';
import type { TokenState } from '../store/access-token.js';
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

/**
 * Listens where the command line says, and for what that leaves out, where the config does. The URL is reported. Throws a UsageError where a
 * token is required and there is none.
 */
export async function openPort(
  root: string,
  service: Service,
  stated: StatedAddress | true,
  report: Report,
): Promise<Connection> {
  const [{ createHttpApp, mcpPath }, { FollowedToken }, { listen }, { openStateFolder }, { packageVersion }] =
    await Promise.all([
      import('../mcp/http/app.js'),
      import('../mcp/http/followed-token.js'),
      import('../mcp/http/listen.js'),
      import('../store/state-folder.js'),
      import('../version.js'),
    ]);
  const access = (): HttpConfig => service.instances[0]?.config.http;
  const address = httpAddress(stated === true ? {} : stated, access());
  const token = new FollowedToken({
    folder: openStateFolder(root, process.env).path,
    onChange: () => app.endClients(),
    report,
  });
  const app = createHttpApp(service, {
    version: packageVersion(),
    report,
    guard: { access, token: () => token.current() },
  });
  try {
    refuseOpenService(address, token.current());
    const server = await listen(app, address).catch((error) => {
      throw new Error(portFailure(address, error));
    });
    if (token.current().kind === 'none') report(openWords);
    report(`listening on ${httpUrl(server.address, mcpPath)}`);
    const close = (graceMs: number): Promise<void> => server.close(graceMs).finally(() => token.close());
    return { closed: new Promise(() => {}), close };
  } catch (error) {
    token.close();
    throw error;
  }
}

/** Whoever reaches an address that is not loopback could run the tools: only with a token may it be served there. */
function refuseOpenService({ host, port }: HttpAddress, token: TokenState): void {
  if (token.kind === 'broken') throw new Error(token.why);
  if (token.kind === 'set' || isLoopback(hostOfAddress(host) ?? host.toLowerCase())) return;
  const at = httpUrl({ host, port }, '');
  throw new UsageError(
    `${at} can be reached from other hosts, so a token is required: make one with toolgraph token, or listen on 127.0.0.1`,
  );
}

const openWords = 'every process of this host may use the service: there is no token (toolgraph token makes one)';

type HttpConfig = Service['instances'][number]['config']['http'];

function httpAddress(stated: StatedAddress, config: HttpConfig): HttpAddress {
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

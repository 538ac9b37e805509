import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { errorMessage } from '../../error-message.js';
import type { Service } from '../../service.js';
import { reportedLine } from '../reported-line.js';
import { type EndpointLimits, McpEndpoint } from './endpoint.js';
import { type GuardOptions, guard } from './guard.js';
import { limitBody } from './request-body.js';
import { rpcCodes, rpcError } from './rpc-error.js';
import { createWeb, refusePath } from './web/routes.js';

export interface HttpOptions {
  /** Version of toolgraph. */
  readonly version: string;
  /** Is told, in one line, of what went wrong out of band. */
  readonly report: (line: string) => void;
  readonly guard: GuardOptions;
  readonly limits?: Partial<EndpointLimits>;
}

/** Everything that is served over HTTP, as a function from a request to its response. `listen` puts it on a port. */
export interface HttpApp {
  /** `connection`: what @hono/node-server says of it. */
  fetch(request: Request, connection: HttpBindings): Response | Promise<Response>;
  /** Sessions of revisions before 2026-07-28 that are open. */
  sessions(): number;
  /** Streams that are open on which clients of either era are told of changes. */
  listeners(): number;
  /** Ends the sessions and the streams of clients that listen, when what they were opened with holds no more; requests under way are answered. */
  endClients(): void;
  /** Refuses what comes from now on, and ends the streams of clients that listen, as their revision says; requests go on. */
  drain(): Promise<void>;
  /** Ends everything, calls in flight too. */
  close(): Promise<void>;
}

export const mcpPath = '/mcp';

const defaultLimits: EndpointLimits = { maxSessions: 2000, maxStreams: 2000, sessionIdleMs: 30 * 60_000 };

/** Puts together what answers a request: whoever may refuse it comes first. */
export function createHttpApp(service: Service, options: HttpOptions): HttpApp {
  const { version, report } = options;
  const onFault = (error: Error): void => report(reportedLine(error));
  const endpoint = new McpEndpoint(service, { version, onFault }, { ...defaultLimits, ...options.limits });
  const web = createWeb(service, { sessions: () => endpoint.sessions, listeners: () => endpoint.listeners });
  let isDraining = false;

  const app = new Hono();
  app.use(async (_, next) => (isDraining ? ending() : next()));
  app.use(...guard(options.guard));
  app.use(limitBody());
  app.all(mcpPath, (c) => endpoint.fetch(c.req.raw));
  app.route('/', web.routes);
  app.notFound(refusePath);
  app.onError((error, c) => {
    // A client that goes away while it sends is no fault of the server.
    if (!c.req.raw.signal.aborted) onFault(error instanceof Error ? error : new Error(errorMessage(error)));
    return rpcError({ status: 500, code: rpcCodes.internal, message: 'toolgraph itself failed on this request' });
  });

  return {
    fetch: (request, connection) => app.fetch(request, connection),
    sessions: () => endpoint.sessions,
    listeners: () => endpoint.listeners,
    endClients: () => endpoint.endClients(),
    drain: () => {
      isDraining = true;
      return endpoint.endListeners();
    },
    close: () => {
      web.close();
      return endpoint.close();
    },
  };
}

function ending(): Response {
  const message = 'the server is ending';
  return rpcError({ status: 503, code: rpcCodes.refused, message, headers: { connection: 'close' } });
}

import {
  type ProgressToken,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Progress } from '../invocation/progress.js';
import type { Generation } from '../projection/generation.js';
import type { Service } from '../service.js';
import { ProgressNotifier } from './progress-notifier.js';
import { callTool, forRevision, listTools, type ToolList, UnknownToolError } from './pure.js';
import { type Answer, handleResources } from './resource-handlers.js';
import type { ReadableService } from './resources/read-resource.js';

export interface ServerInfo {
  /** Version of toolgraph. */
  readonly version: string;
  /** Is told of a failure of toolgraph itself, of which the client learns no more than that there was one. Default: the `onerror` of the server. */
  readonly onFault?: (error: Error) => void;
  /** Answers `tools/list` from a generation. Default: `listTools`. */
  readonly listTools?: ListTools;
}

export type ListTools = (
  generation: Generation,
  server: Server,
  request: ServerContext,
) => ToolList | Promise<ToolList>;

/** The part of a service that clients see. */
export type ServedInstance = ReadableService &
  Pick<Service, 'ready' | 'subscribe' | 'subscribeCalls' | 'subscribeProjections' | 'absence' | 'call' | 'refuse'>;

/** What one client is shown, told as it happens: a connection that notifies has to know it. */
export interface ClientView {
  listed(generation: Generation): void;
  listedResources(): void;
  /** 2025 era only: on 2026-07-28 the SDK answers `subscriptions/listen` itself. `text` is what it has now. False when it is subscribed to too many. */
  subscribed(uri: string, text: string): boolean;
  unsubscribed(uri: string): void;
}

/**
 * One MCP server over the one generation holder. Era and transport are the caller's: the same server is pinned to a stdio
 * connection or made for one HTTP request. The low-level `Server`, because a declaration has to reach the wire untouched;
 * `McpServer` would rebuild its schema. Lists and calls wait for the first generation.
 */
export function createMcpServer(service: ServedInstance, info: ServerInfo, view: ClientView = unseen): Server {
  const server = new Server(
    { name: 'toolgraph', version: info.version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
      },
      instructions: instructions(service),
      cacheHints: {
        'tools/list': uncached,
        'resources/list': uncached,
        'resources/templates/list': uncached,
        'resources/read': uncached,
        'server/discover': uncached,
      },
    },
  );
  const { listTools: list = listTools, onFault = (error: Error) => server.onerror?.(error) } = info;
  const answer = <T>(work: () => T | Promise<T>): Promise<T> => withoutLeaks(work, onFault);
  handleLists(server, service, view, list, answer);
  handleCalls(server, service, onFault);
  handleResources(server, service, view, answer);
  return server;
}

const unseen: ClientView = { listed() {}, listedResources() {}, subscribed: () => true, unsubscribed() {} };

/** Everything can change at the next save, and the tiers of one service need not be those of another. */
const uncached = { ttlMs: 0, cacheScope: 'private' } as const;

function handleLists(server: Server, service: ServedInstance, view: ClientView, list: ListTools, answer: Answer): void {
  server.setRequestHandler('tools/list', (_, request) =>
    answer(async () => {
      const generation = service.current ?? (await service.ready);
      view.listed(generation);
      return list(generation, server, request);
    }),
  );
}

function handleCalls(server: Server, service: ServedInstance, onFault: (error: Error) => void): void {
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const { signal } = ctx.mcpReq;
    const progress = progressNotifier(ctx.mcpReq, params._meta?.progressToken, (error) => server.onerror?.(error));
    const onProgress = progress && ((said: Progress) => progress.tell(said));
    try {
      const options = { signal, onProgress, meta: params._meta };
      const result = await callTool(service, params.name, params.arguments, options);
      const revision = server.getNegotiatedProtocolVersion();
      return revision === undefined ? result : forRevision(result, revision);
    } catch (error) {
      if (error instanceof UnknownToolError) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, { code: error.code });
      }
      onFault(asError(error));
      const refusal = { code: 'internal_error', message: internalMessage, details: {} };
      return { content: [{ type: 'text', text: JSON.stringify(refusal) }], isError: true };
    } finally {
      await progress?.finish();
    }
  });
}

/** Tells the client of progress when its request asks for that with a token. */
function progressNotifier(
  request: Pick<ServerContext['mcpReq'], 'notify' | 'signal'>,
  progressToken: ProgressToken | undefined,
  report: (error: Error) => void,
): ProgressNotifier | undefined {
  if (progressToken === undefined) return undefined;
  return new ProgressNotifier(async (progress) => {
    if (request.signal.aborted) return;
    const params = { progressToken, ...progress };
    await request.notify({ method: 'notifications/progress', params }).catch((error) => report(asError(error)));
  });
}

/** Lets protocol errors through; of any other only the fact reaches the client (DESIGN decision 8). */
async function withoutLeaks<T>(work: () => T | Promise<T>, report: (error: Error) => void): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (ProtocolError.isInstance(error)) throw error;
    report(asError(error));
    throw new ProtocolError(ProtocolErrorCode.InternalError, internalMessage);
  }
}

const internalMessage = 'toolgraph itself failed on this request; its stderr says more';

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function instructions(service: ServedInstance): string {
  const { instance, problems } = service.status();
  const about =
    `The tools of the toolgraph instance ${instance}: commands described by nodes on disk, so the list changes while they are edited. ` +
    'toolgraph://omissions says which are not served and why.';
  if (problems === 0) return about;
  const count = problems === 1 ? '1 problem' : `${problems} problems`;
  return `${about} There ${problems === 1 ? 'is' : 'are'} ${count}: parts of the instance could not be determined. Read toolgraph://problems.`;
}

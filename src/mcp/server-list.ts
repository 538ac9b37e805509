import {
  Client,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Json } from '../../schemas/declaration.js';
import type { ServerTool } from '../check/contract/server-tool.js';
import { secretsMask } from './header-secrets.js';
import { type ServerCommand, ServerProcess } from './server-process.js';

/** A server to ask: a command to start, or a streamable HTTP endpoint. Headers are sent to the origin of the URL only, and never told. */
export type ServerTarget =
  | { readonly kind: 'command'; readonly command: ServerCommand }
  | { readonly kind: 'url'; readonly url: URL; readonly headers: readonly (readonly [string, string])[] };

export interface ServerListing {
  /** What it calls itself, and the protocol revision that was agreed on. */
  readonly name: string;
  readonly version: string;
  readonly protocol: string;
  readonly tools: readonly ServerTool[];
  /** Entries of the list that are no tools, in words. */
  readonly faults: readonly string[];
}

export interface ListOptions {
  /** For everything together, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** What we call ourselves. */
  readonly version: string;
  /** Is told the ids of processes that a command has started and that could not be ended with it. */
  readonly onSurvivors?: (pids: readonly number[]) => void;
}

/** The server gave no list. The message says why, in one line; `stderr` is the end of what it wrote there. */
export class NoListError extends Error {
  override readonly name = 'NoListError';
  readonly stderr: string;

  constructor(message: string, stderr: string) {
    super(message);
    this.stderr = stderr;
  }
}

/** Bounds on what a server may list. */
const maxPages = 200;
const maxTools = 5000;
const maxResponseBytes = 64 * 1024 * 1024;

const PageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

/**
 * Asks a server of either protocol era for all pages of `tools/list`, and ends the connection and whatever was started for it. One that
 * ends while it is asked for its era is started once more as a server of 2025.
 *
 * @throws NoListError
 */
export async function listServerTools(target: ServerTarget, options: ListOptions): Promise<ServerListing> {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([deadline, options.signal]);
  const inTime = { ...options, signal };
  try {
    return await listInEra(target, 'auto', inTime);
  } catch (error) {
    const isEraUnknown = error instanceof AttemptError && isEraFailure(error.cause) && !signal.aborted;
    const last = isEraUnknown ? await listInEra(target, 'legacy', inTime).catch((again: unknown) => again) : error;
    if (!(last instanceof Error)) return last as ServerListing;
    throw inWords(last, target, deadline.aborted ? options.timeoutMs : undefined);
  }
}

class AttemptError extends Error {
  readonly trouble: string | undefined;
  readonly stderr: string;

  constructor(cause: unknown, transport: Transport) {
    super('', { cause });
    const isProcess = transport instanceof ServerProcess;
    this.trouble = isProcess ? transport.trouble : undefined;
    this.stderr = isProcess ? transport.stderr : '';
  }
}

async function listInEra(target: ServerTarget, mode: 'auto' | 'legacy', options: ListOptions): Promise<ServerListing> {
  const transport = transportTo(target);
  // A process that does not answer the probe is then asked as one of 2025; an HTTP server that does not answer is not asked again.
  const probeMs = target.kind === 'command' ? Math.min(5000, options.timeoutMs / 3) : options.timeoutMs;
  const versionNegotiation = { mode, probe: { timeoutMs: probeMs } };
  const client = new Client({ name: 'toolgraph', version: options.version }, { versionNegotiation });
  try {
    return await untilAborted(readList(client, transport, options), options.signal);
  } catch (error) {
    throw new AttemptError(error, transport);
  } finally {
    await end(client, transport);
    if (transport instanceof ServerProcess && transport.survivors.length > 0)
      options.onSurvivors?.(transport.survivors);
  }
}

function transportTo(target: ServerTarget): Transport {
  if (target.kind === 'command') return new ServerProcess(target.command);
  return new StreamableHTTPClientTransport(target.url, {
    requestInit: { headers: target.headers.map(([name, value]): [string, string] => [name, value]) },
    fetch: boundedFetch(),
    reconnectionOptions: {
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  });
}

async function readList(
  client: Client,
  transport: Transport,
  { timeoutMs, signal }: ListOptions,
): Promise<ServerListing> {
  await client.connect(transport, { timeout: timeoutMs, signal });
  const server = client.getServerVersion();
  const found: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  // A server that says it has no tools has an empty list; asking it would be an error.
  while (client.getServerCapabilities()?.tools !== undefined) {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: 'tools/list', params }, PageSchema, { timeout: timeoutMs, signal });
    found.push(...page.tools);
    if (found.length > maxTools) throw new Error(`it lists more than ${maxTools} tools`);
    if (page.nextCursor === undefined || page.nextCursor === null) break;
    cursor = page.nextCursor;
    if (cursors.has(cursor)) throw new Error(`its list has no end: the cursor ${JSON.stringify(cursor)} came again`);
    cursors.add(cursor);
    if (cursors.size >= maxPages) throw new Error(`its list has more than ${maxPages} pages`);
  }
  return {
    name: server?.name ?? '',
    version: server?.version ?? '',
    protocol: client.getNegotiatedProtocolVersion() ?? '',
    ...toolsOf(found),
  };
}

function toolsOf(found: readonly unknown[]): Pick<ServerListing, 'tools' | 'faults'> {
  const tools: ServerTool[] = [];
  const faults: string[] = [];
  for (const [i, entry] of found.entries()) {
    const { name, inputSchema, outputSchema, annotations } = Object(entry) as Record<string, Json | undefined>;
    if (typeof name !== 'string') {
      faults.push(`entry ${i} of its tools/list has no name`);
      continue;
    }
    tools.push({
      name,
      ...(inputSchema === undefined ? {} : { inputSchema }),
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(annotations === undefined ? {} : { annotations }),
    });
  }
  return { tools, faults };
}

/** A 2025 session is ended by name, so that the server need not wait for it to time out. */
async function end(client: Client, transport: Transport): Promise<void> {
  try {
    if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined) {
      await untilAborted(transport.terminateSession(), AbortSignal.timeout(1000));
    }
  } catch {
    // Whether it takes leave is the server's affair.
  }
  await client.close().catch(() => {});
  await transport.close();
}

/** Reads only so much of all answers together. */
function boundedFetch(): (url: string | URL, init?: RequestInit) => Promise<Response> {
  let bytes = 0;
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.length;
          if (bytes > maxResponseBytes) controller.error(new Error(`it answered more than ${maxResponseBytes} bytes`));
          else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    const bounded = new Response(counted, { status, statusText, headers });
    // The SDK looks at the URL that a redirect has led to.
    Object.defineProperty(bounded, 'url', { value: response.url });
    return bounded;
  };
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function isEraFailure(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
}

function inWords(error: Error, target: ServerTarget, timedOutMs: number | undefined): NoListError {
  const { cause, trouble, stderr } =
    error instanceof AttemptError ? error : { cause: error, trouble: undefined, stderr: '' };
  const reasons = timedOutMs === undefined ? reasonsOf(cause) : [`it gave no list within ${timedOutMs / 1000} s`];
  const words = [...reasons, ...(trouble === undefined ? [] : [trouble])].join('; ');
  const mask = maskOf(target);
  return new NoListError(mask(words), mask(stderr));
}

/** The messages of an error and of what caused it: fetch says only in the cause what went wrong. */
function reasonsOf(error: unknown): string[] {
  const reasons: string[] = [];
  for (let cause = error; cause instanceof Error && reasons.length < 4; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    const message = cause.message === '' ? code : cause.message;
    if (message !== '' && !reasons.includes(message)) reasons.push(message);
  }
  return reasons.length === 0 ? [String(error)] : reasons;
}

/** Takes out of a text of a server what its headers hold. */
export function maskOf(target: ServerTarget): (text: string) => string {
  return secretsMask(target.kind === 'url' ? target.headers : []);
}

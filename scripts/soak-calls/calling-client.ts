import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { actorKey, callKey } from '../../schemas/invocation.js';
import { packageRoot } from '../package-root.js';
import { collectedBytes } from '../soak/collected-line.js';
import { type ProcessFigures, processFigures } from '../soak/process-figures.js';
import { CancelledRequest, type Era, type JsonObject, RefusedRequest, StdioClient } from '../stdio-client.js';
import { callerName, type Fate } from './call-ledger.js';
import type { Death, PlannedCall } from './call-plan.js';

/** Built, because Node loads it. */
const collector = join(packageRoot(import.meta.url), 'dist', 'scripts', 'soak', 'collect-on-signal.js');
/** In ms: a server that has not collected its garbage by then never will. */
const collectMs = 30_000;
const pollMs = 10;
/** How long a server may take to end after its client has gone, in ms: what it runs is killed, and recorded. */
const endMs = 15_000;

/** What a server holds, once the garbage is collected. */
export interface ServerFigures extends ProcessFigures {
  /** Of the heap of JavaScript, what is in use, in MiB. */
  readonly heapMiB: number;
}

export interface CallingClientOptions {
  /** The built `main.js`. */
  readonly cli: string;
  readonly root: string;
  readonly era: Era;
  readonly env: NodeJS.ProcessEnv;
  /** Is told of all that its servers write to stderr. */
  readonly onErrorText: (text: string) => void;
}

/** A client that makes calls on a server of its own, which is started again when it, or the client, has died. */
export class CallingClient {
  readonly #options: CallingClientOptions;
  #client: StdioClient;
  #restart: Promise<void> | undefined;
  readonly #collected: { heapBytes: number | undefined };
  /** By process id, the servers that have died, and how. */
  readonly #deaths = new Map<number, Death>();
  /** Servers that did not end when their client was gone. */
  stuck = 0;

  private constructor(
    options: CallingClientOptions,
    client: StdioClient,
    collected: { heapBytes: number | undefined },
  ) {
    this.#options = options;
    this.#client = client;
    this.#collected = collected;
  }

  /** Process id of its server. */
  get server(): number {
    return this.#client.process.pid;
  }

  get deaths(): number {
    return this.#deaths.size;
  }

  static async start(options: CallingClientOptions): Promise<CallingClient> {
    const collected: { heapBytes: number | undefined } = { heapBytes: undefined };
    const onErrorText = (text: string): void => {
      collected.heapBytes = collectedBytes(text) ?? collected.heapBytes;
      options.onErrorText(text);
    };
    const listening = { ...options, onErrorText };
    return new CallingClient(listening, await startServer(listening), collected);
  }

  /** Makes the call, and tells what has become of it once that is known. Never rejects. */
  async call({ n, fault, cancelAfterMs }: PlannedCall): Promise<() => Fate> {
    while (this.#restart !== undefined) await this.#restart;
    const client = this.#client;
    const { pid } = client.process;
    const sent = client.send('tools/call', {
      name: fault.tool,
      arguments: fault.args(n),
      _meta: { [actorKey]: callerName(n) },
    });
    const timer = cancelAfterMs === undefined ? undefined : setTimeout(() => client.cancel(sent), cancelAfterMs);
    try {
      const fate = fateOf(await sent.answer);
      return () => fate;
    } catch (error) {
      // A server that dies a moment after a call was cancelled may have heard of neither.
      return () => fateOfError(error, this.#deaths.get(pid));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the server, or cuts it off as if its client had been killed, and starts another one. Calls that are under way get no answer. */
  die(death: Death): void {
    if (this.#restart !== undefined) return;
    this.#deaths.set(this.server, death);
    this.#restart = this.#dieAndRestart(death).finally(() => {
      this.#restart = undefined;
    });
  }

  /** When a server that died is replaced. */
  async settled(): Promise<void> {
    await this.#restart;
  }

  async figures(): Promise<ServerFigures> {
    const { process } = this.#client;
    this.#collected.heapBytes = undefined;
    process.kill('SIGUSR2');
    const deadline = performance.now() + collectMs;
    while (this.#collected.heapBytes === undefined && performance.now() < deadline) await delay(pollMs);
    const { heapBytes = Number.NaN } = this.#collected;
    return { ...processFigures(process.pid), heapMiB: heapBytes / 2 ** 20 };
  }

  async stop(): Promise<void> {
    await this.settled();
    await this.#client.stop(endMs);
  }

  kill(): void {
    this.#client.process.kill();
  }

  async #dieAndRestart(death: Death): Promise<void> {
    const { process } = this.#client;
    if (death === 'server killed') process.kill();
    else process.hangUp();
    const timer = setTimeout(() => {
      this.stuck += 1;
      process.kill();
    }, endMs);
    await process.closed;
    clearTimeout(timer);
    this.#client = await startServer(this.#options);
  }
}

function startServer({ cli, root, era, env, onErrorText }: CallingClientOptions): Promise<StdioClient> {
  return StdioClient.start(cli, root, era, { env, onErrorText, nodeOptions: ['--expose-gc', '--import', collector] });
}

function fateOf(result: JsonObject): Fate {
  const [first] = result.content as readonly JsonObject[];
  const text = String(first?.text ?? '');
  const id = (result._meta as JsonObject | undefined)?.[callKey];
  const end = result.isError === true ? String((JSON.parse(text) as JsonObject).code) : 'ran';
  return { kind: 'answered', end, text, ...(typeof id === 'string' ? { id } : {}) };
}

function fateOfError(error: unknown, death: Death | undefined): Fate {
  if (error instanceof RefusedRequest) {
    const data = error.error.data as JsonObject | undefined;
    return { kind: 'answered', end: String(data?.code ?? error.error.code), text: error.message };
  }
  if (death !== undefined) return { kind: 'unanswered', death };
  if (error instanceof CancelledRequest) return { kind: 'cancelled' };
  return { kind: 'answered', end: 'no answer', text: String(error) };
}

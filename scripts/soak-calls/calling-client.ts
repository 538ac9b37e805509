import { actorKey, callKey } from '../../schemas/invocation.js';
import { type Era, type JsonObject, RefusedRequest } from '../protocol-era.js';
import { collectingOptions, type ServerFigures, ServerMeter } from '../soak/server-meter.js';
import { CancelledRequest, StdioClient } from '../stdio-client.js';
import { callerName, type Fate } from './call-ledger.js';
import type { Death, PlannedCall } from './call-plan.js';

/** How long a server may take to end after its client has gone, in ms: what it runs is killed, and recorded. */
const endMs = 15_000;

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
  readonly #meter: ServerMeter;
  /** By process id, the servers that have died, and how. */
  readonly #deaths = new Map<number, Death>();
  /** Servers that did not end when their client was gone. */
  stuck = 0;

  private constructor(options: CallingClientOptions, client: StdioClient, meter: ServerMeter) {
    this.#options = options;
    this.#client = client;
    this.#meter = meter;
  }

  /** Process id of its server. */
  get server(): number {
    return this.#client.process.pid;
  }

  get deaths(): number {
    return this.#deaths.size;
  }

  static async start(options: CallingClientOptions): Promise<CallingClient> {
    const meter = new ServerMeter();
    const onErrorText = (text: string): void => {
      meter.hear(text);
      options.onErrorText(text);
    };
    const listening = { ...options, onErrorText };
    return new CallingClient(listening, await startServer(listening), meter);
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

  figures(): Promise<ServerFigures> {
    return this.#meter.figures(this.#client.process);
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
  return StdioClient.start(cli, root, era, { env, onErrorText, nodeOptions: collectingOptions });
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

import { LineProcess } from './line-process.js';
import {
  clientInfo,
  type Era,
  type JsonObject,
  type ListedTools,
  listedTools,
  paramsOf,
  RefusedRequest,
  subscriptionOf,
} from './protocol-era.js';

export interface StartOptions {
  /** Options of Node itself. */
  readonly nodeOptions?: readonly string[];
  /** Environment of the server. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Is told of all that the server writes to stderr. */
  readonly onErrorText?: (text: string) => void;
}

/** A request that is on its way. */
export interface SentRequest {
  readonly id: number;
  /** Rejects as that of `request`. */
  readonly answer: Promise<JsonObject>;
}

/** This client has cancelled the request: whatever may still be answered is ignored. */
export class CancelledRequest extends Error {
  override readonly name = 'CancelledRequest';
}

interface Waiting {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

/** How long an answer may take on a machine that is busy, in ms. */
const answerMs = 120_000;

/**
 * An MCP client that starts `toolgraph serve` and speaks JSON-RPC over its pipes, without a library, so that nothing is repaired,
 * cached or delayed on the way. It listens to changes of the list in either protocol era.
 */
export class StdioClient {
  readonly era: Era;
  readonly process: LineProcess;
  /** Is told of each `notifications/tools/list_changed`. */
  onListChanged: () => void = () => {};
  readonly #waiting = new Map<unknown, Waiting>();
  #nextId = 1;

  private constructor(cli: string, root: string, era: Era, options: StartOptions) {
    this.era = era;
    this.process = new LineProcess(cli, ['serve', root], { ...options, onLine: (line) => this.#receive(line) });
    void this.process.closed.then(() => this.#failAll());
  }

  /** Starts a server and opens the connection. `cli` is the built `main.js`. */
  static async start(cli: string, root: string, era: Era, options: StartOptions = {}): Promise<StdioClient> {
    const client = new StdioClient(cli, root, era, options);
    try {
      if (era === '2025-11-25') {
        await client.request('initialize', { protocolVersion: era, capabilities: {}, clientInfo });
        client.#write({ method: 'notifications/initialized' });
      } else {
        await client.request('server/discover');
        await client.#listen();
      }
      return client;
    } catch (error) {
      client.process.kill();
      throw error;
    }
  }

  /** The result of a request; rejects when it is refused, cancelled, not answered in time, or the server ends. */
  request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    return this.send(method, params).answer;
  }

  /** As `request`, with the id, which is what a cancellation names. `params._meta` is kept. */
  send(method: string, params: JsonObject = {}): SentRequest {
    const id = this.#nextId++;
    if (this.process.hasEnded) return { id, answer: Promise.reject(this.#ended()) };
    const answer = new Promise<JsonObject>((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(id, `no answer to ${method} within ${answerMs} ms`), answerMs);
      const settle =
        <T>(act: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          act(value);
        };
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.#write({ id, method, params: paramsOf(this.era, params) });
    });
    return { id, answer };
  }

  /** Does nothing when it is answered already. */
  cancel({ id }: SentRequest): void {
    const waiting = this.#take(id);
    if (waiting === undefined) return;
    this.#write({ method: 'notifications/cancelled', params: paramsOf(this.era, { requestId: id }) });
    waiting.reject(new CancelledRequest(`request ${id} was cancelled`));
  }

  async list(): Promise<ListedTools> {
    return listedTools(await this.request('tools/list'));
  }

  /** As `LineProcess.stop`. */
  stop(withinMs?: number): Promise<void> {
    return this.process.stop(withinMs);
  }

  /** A subscription has no answer while it is open: it is acknowledged by a notification. */
  #listen(): Promise<JsonObject> {
    return this.request('subscriptions/listen', { notifications: { toolsListChanged: true } });
  }

  #receive(line: string): void {
    const message = JSON.parse(line) as JsonObject;
    if (message.method === 'notifications/tools/list_changed') this.onListChanged();
    else if (message.method === 'notifications/subscriptions/acknowledged')
      this.#take(subscriptionOf(message))?.resolve({});
    else if (message.method === undefined) this.#answered(message);
  }

  #answered({ id, result, error }: JsonObject): void {
    const waiting = this.#take(id);
    if (result === undefined) waiting?.reject(new RefusedRequest(error as JsonObject));
    else waiting?.resolve(result as JsonObject);
  }

  #take(id: unknown): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #fail(id: unknown, why: string): void {
    this.#take(id)?.reject(new Error(`${why}; stderr: ${this.process.errors}`));
  }

  #failAll(): void {
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(this.#ended());
  }

  #ended(): Error {
    return new Error(`the server of a client of the era ${this.era} has ended; stderr: ${this.process.errors}`);
  }

  #write(message: JsonObject): void {
    this.process.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}

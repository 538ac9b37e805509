import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { patienceMs, within } from './deadline.js';
import { EventQueue } from './event-queue.js';

export type JsonObject = { readonly [key: string]: unknown };

/** A JSON-RPC message as it stood on the wire: no schema has touched it. */
export interface WireMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonObject };
  /** The line without its end. */
  readonly line: string;
}

/** JSON-RPC over two pipes without any MCP library, so that nothing is repaired or hidden on the way. */
export class RawClient {
  /** All notifications, in order of arrival. */
  readonly notifications = new EventQueue<WireMessage>('notification');
  /** Lines of stdout that were not JSON-RPC: any is a fault. */
  readonly strayLines: string[] = [];
  /** Ids of responses that nobody waits for any more. */
  readonly lateResponses: unknown[] = [];
  private nextId = 1;
  private readonly waiting = new Map<unknown, (message: WireMessage) => void>();

  /** Resolves when the server has ended its output. */
  private readonly outputEnded: Promise<void>;

  /** `explain` is added to the error when the server ends its output while a request waits. */
  constructor(
    private readonly toServer: Writable,
    fromServer: Readable,
    private readonly explain: () => string = () => '',
  ) {
    const lines = createInterface({ input: fromServer, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on('line', (line) => this.receive(line));
    this.outputEnded = new Promise((resolve) => lines.once('close', resolve));
    toServer.on('error', () => {});
  }

  /** Sends a request and resolves with its response, error or not. Rejects when there is none within `withinMs`. */
  async request(method: string, params: JsonObject = {}, withinMs = patienceMs): Promise<WireMessage> {
    return await this.send(method, params).answer(withinMs);
  }

  /** As `request`, for an answer that must be a result. */
  async result(method: string, params: JsonObject = {}, withinMs = patienceMs): Promise<JsonObject> {
    const { result, error } = await this.request(method, params, withinMs);
    if (result === undefined) throw new Error(`${method} was refused: ${JSON.stringify(error)}`);
    return result;
  }

  /** Writes a request without waiting; `answer` may be called later or never. */
  send(method: string, params: JsonObject = {}): { id: number; answer(withinMs?: number): Promise<WireMessage> } {
    const id = this.nextId++;
    const answered = new Promise<WireMessage>((resolve) => this.waiting.set(id, resolve));
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const answer = async (withinMs = patienceMs) => {
      const ended = this.outputEnded.then(() => {
        throw new Error(`the server ended without an answer to ${method}; ${this.explain()}`);
      });
      try {
        return await within(
          Promise.race([answered, ended]),
          withinMs,
          () => `no answer to ${method} in ${withinMs} ms`,
        );
      } finally {
        this.waiting.delete(id);
      }
    };
    return { id, answer };
  }

  notify(method: string, params: JsonObject = {}): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  /** Writes bytes as they are. */
  write(text: string): void {
    this.toServer.write(text);
  }

  /** Ends the server's stdin. */
  end(): void {
    this.toServer.end();
  }

  private receive(line: string): void {
    const message = parse(line);
    if (message === undefined) {
      this.strayLines.push(line);
    } else if (message.method !== undefined) {
      this.notifications.push(message);
    } else {
      const resolve = this.waiting.get(message.id);
      if (resolve === undefined) this.lateResponses.push(message.id);
      else resolve(message);
    }
  }
}

function parse(line: string): WireMessage | undefined {
  try {
    const value = JSON.parse(line);
    return value?.jsonrpc === '2.0' ? { ...value, line } : undefined;
  } catch {
    return undefined;
  }
}

import type { IncomingMessage } from 'node:http';
import { EventStream } from './event-stream.js';
import { HttpClient } from './http-client.js';
import { type Era, type JsonObject, type ListedTools, listedTools, RefusedRequest } from './protocol-era.js';

export interface ListenOptions {
  /** Is told of each `notifications/tools/list_changed`. */
  readonly onListChanged: () => void;
  /** Is told when the stream of notifications ends although this client has not closed it. */
  readonly onStreamEnd: () => void;
}

/** How long an answer may take on a machine that is busy, in ms. */
const answerMs = 120_000;

/** An MCP client over HTTP that listens to changes of the list, in either protocol era. */
export class ListeningClient {
  readonly era: Era;
  readonly #requests: HttpClient;
  readonly #options: ListenOptions;
  #stream: IncomingMessage | undefined;
  #isClosed = false;

  private constructor(requests: HttpClient, options: ListenOptions) {
    this.era = requests.era;
    this.#requests = requests;
    this.#options = options;
  }

  /** When it listens. `url` is the endpoint, such as `http://127.0.0.1:8080/mcp`. */
  static async open(url: URL, era: Era, options: ListenOptions): Promise<ListeningClient> {
    const requests = await HttpClient.connect(url, era);
    const client = new ListeningClient(requests, options);
    try {
      await client.#listen();
      return client;
    } catch (error) {
      client.#hangUp();
      throw error;
    }
  }

  /** The result of a request; rejects when it is refused, or not answered in time. */
  async request(method: string, params?: JsonObject): Promise<JsonObject> {
    const { result, error } = await answeredInTime(method, this.#requests.message(method, params));
    if (result === undefined) throw new RefusedRequest(error as JsonObject);
    return result as JsonObject;
  }

  async list(): Promise<ListedTools> {
    return listedTools(await this.request('tools/list'));
  }

  /** Ends the session, where there is one, and every connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    try {
      await this.#requests.endSession();
    } finally {
      this.#hangUp();
    }
  }

  /** The older era listens as soon as there is an answer; of a subscription the first message says so. */
  async #listen(): Promise<void> {
    const stream = await this.#requests.openStream();
    this.#stream = stream.setEncoding('utf8').on('error', () => {});
    if (stream.statusCode !== 200) throw new Error(`a stream was refused with ${stream.statusCode}`);
    const acknowledged = new Promise<void>((resolve, reject) => {
      const events = new EventStream();
      stream.on('data', (text: string) => {
        for (const data of events.push(text)) this.#receive(JSON.parse(data) as JsonObject, resolve);
      });
      stream.once('close', () => {
        reject(new Error('a stream ended before it was acknowledged'));
        if (!this.#isClosed) this.#options.onStreamEnd();
      });
    });
    if (this.era === '2026-07-28') await acknowledged;
    else acknowledged.catch(() => {});
  }

  #receive({ method }: JsonObject, onAcknowledged: () => void): void {
    if (method === 'notifications/subscriptions/acknowledged') onAcknowledged();
    else if (method === 'notifications/tools/list_changed') this.#options.onListChanged();
  }

  #hangUp(): void {
    this.#isClosed = true;
    this.#stream?.destroy();
    this.#requests.close();
  }
}

async function answeredInTime<T>(method: string, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new Error(`no answer to ${method} within ${answerMs} ms`));
    timer = setTimeout(giveUp, answerMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

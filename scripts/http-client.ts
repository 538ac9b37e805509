import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { clientInfo, type Era, type JsonObject, paramsOf } from './protocol-era.js';

/** What comes back, to the last byte. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Requests of MCP on one connection that is kept, without a library, so that nothing but them is timed. */
export class HttpClient {
  readonly era: Era;
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #session: string | undefined;
  #nextId = 1;

  private constructor(url: URL, era: Era) {
    this.#url = url;
    this.era = era;
  }

  /** Opens a session where the era has them. */
  static async connect(url: URL, era: Era): Promise<HttpClient> {
    const client = new HttpClient(url, era);
    if (era === '2026-07-28') return client;
    const { headers, ...answer } = await client.ask('initialize', {
      protocolVersion: era,
      capabilities: {},
      clientInfo,
    });
    if (answer.status !== 200) throw new Error(`initialize was answered with ${answer.status}: ${answer.body}`);
    client.#session = String(headers['mcp-session-id']);
    await client.#post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return client;
  }

  ask(method: string, params: JsonObject = {}): Promise<HttpAnswer> {
    return this.#post({ jsonrpc: '2.0', id: this.#nextId++, method, params: paramsOf(this.era, params) });
  }

  /** The message in the answer to a request: its whole body, or the data of its one event. */
  async message(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const text = (await this.ask(method, params)).body.toString();
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  }

  /** Opens the stream of notifications, on a connection of its own: that of the session, or of a subscription to changes of the list. */
  openStream(): Promise<IncomingMessage> {
    if (this.era === '2025-11-25') return this.#answered(this.#start('GET', '', false));
    const params = paramsOf(this.era, { notifications: { toolsListChanged: true } });
    const message = { jsonrpc: '2.0', id: this.#nextId++, method: 'subscriptions/listen', params };
    return this.#answered(this.#start('POST', message, false));
  }

  /** Ends the session, which only the older era has. */
  async endSession(): Promise<void> {
    if (this.#session === undefined) return;
    const answer = await this.#answered(this.#start('DELETE', '', this.#agent));
    await wholeBody(answer);
    if (answer.statusCode !== 200) throw new Error(`DELETE was answered with ${answer.statusCode}`);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #post(message: JsonObject): Promise<HttpAnswer> {
    const answer = await this.#answered(this.#start('POST', message, this.#agent));
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await wholeBody(answer) };
  }

  #start(method: string, message: JsonObject | '', agent: Agent | false): ClientRequest {
    const body = message === '' ? '' : JSON.stringify(message);
    const headers = {
      accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(message === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...this.#headers(message === '' ? {} : message),
    };
    return request(this.#url, { method, agent, headers }).end(body);
  }

  #answered(sent: ClientRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      sent.once('response', resolve);
      // Also when the connection breaks later: who reads the answer is told of that.
      sent.on('error', reject);
    });
  }

  #headers({ method, params }: JsonObject): Record<string, string> {
    if (this.era === '2025-11-25') return this.#session === undefined ? {} : { 'mcp-session-id': this.#session };
    const { name } = (params ?? {}) as JsonObject;
    return {
      'mcp-protocol-version': this.era,
      'mcp-method': String(method),
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    };
  }
}

function wholeBody(answer: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => parts.push(part));
    answer.on('error', reject);
    answer.on('end', () => resolve(Buffer.concat(parts)));
  });
}

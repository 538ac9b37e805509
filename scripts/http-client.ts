import { Agent, request } from 'node:http';
import type { Era, JsonObject } from './stdio-client.js';

const clientInfo = { name: 'toolgraph-scripts', version: '0.0.0' };
const metaPrefix = 'io.modelcontextprotocol/';

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
    const { headers } = await client.ask('initialize', { protocolVersion: era, capabilities: {}, clientInfo });
    client.#session = String(headers['mcp-session-id']);
    await client.#post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return client;
  }

  ask(method: string, params: JsonObject = {}): Promise<HttpAnswer> {
    return this.#post({ jsonrpc: '2.0', id: this.#nextId++, method, params: { ...params, ...this.#meta() } });
  }

  /** The message in the answer to a request: its whole body, or the data of its one event. */
  async message(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const text = (await this.ask(method, params)).body.toString();
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(message: JsonObject): Promise<HttpAnswer> {
    const body = JSON.stringify(message);
    const headers = {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      'content-length': Buffer.byteLength(body),
      ...this.#headers(String(message.method), (message.params ?? {}) as JsonObject),
    };
    return new Promise((resolve, reject) => {
      const sent = request(this.#url, { method: 'POST', agent: this.#agent, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 0, headers: answered } = response;
          resolve({ status, headers: answered, body: Buffer.concat(parts) });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  #headers(method: string, { name }: JsonObject): Record<string, string> {
    if (this.era === '2025-11-25') return this.#session === undefined ? {} : { 'mcp-session-id': this.#session };
    return {
      'mcp-protocol-version': this.era,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    };
  }

  #meta(): JsonObject {
    if (this.era === '2025-11-25') return {};
    return {
      _meta: {
        [`${metaPrefix}protocolVersion`]: this.era,
        [`${metaPrefix}clientInfo`]: clientInfo,
        [`${metaPrefix}clientCapabilities`]: {},
      },
    };
  }
}

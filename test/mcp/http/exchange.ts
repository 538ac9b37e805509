import { onTestFinished } from 'vitest';
import { type EndpointLimits, McpEndpoint } from '../../../src/mcp/http/endpoint.js';
import { EventQueue } from '../../e2e/event-queue.js';
import type { MemoryService } from '../memory-service.js';

export type Message = {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** An endpoint over a service in memory, closed after the test. */
export function endpointOf(service: MemoryService, limits: Partial<EndpointLimits> = {}): McpEndpoint {
  const all = { maxSessions: 10, maxStreams: 10, sessionIdleMs: 60_000, ...limits };
  const endpoint = new McpEndpoint(service, { version: '0.0.0' }, all);
  onTestFinished(() => endpoint.close());
  return endpoint;
}

const url = 'http://127.0.0.1/mcp';
const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Posts a body as it is. */
export function postText(endpoint: McpEndpoint, body: string, { headers = {}, signal }: Sent = {}): Promise<Response> {
  const init = { method: 'POST', body, headers: { ...jsonHeaders, ...headers }, signal: signal ?? null };
  return endpoint.fetch(new Request(url, init));
}

/** Posts a request of 2026-07-28. */
export function postModern(endpoint: McpEndpoint, message: Message, sent: Sent = {}): Promise<Response> {
  const name = message.params?.name ?? message.params?.uri;
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': String(message.method),
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    ...sent.headers,
  };
  const _meta = {
    ...(message.params?._meta as object | undefined),
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = { jsonrpc: '2.0', id: 1, ...message, params: { ...message.params, _meta } };
  return postText(endpoint, JSON.stringify(body), { ...sent, headers });
}

/** A client of a revision with sessions. */
export class SessionClient {
  readonly endpoint: McpEndpoint;
  readonly headers: Readonly<Record<string, string>>;

  private constructor(endpoint: McpEndpoint, session: string) {
    this.endpoint = endpoint;
    this.headers = { 'mcp-session-id': session };
  }

  static async open(endpoint: McpEndpoint, protocolVersion = '2025-11-25'): Promise<SessionClient> {
    const response = await initialize(endpoint, protocolVersion);
    await response.text();
    const client = new SessionClient(endpoint, response.headers.get('mcp-session-id') ?? '');
    await client.post({ method: 'notifications/initialized' });
    return client;
  }

  /** A message without an id is a notification. */
  post(message: Message, sent: Sent = {}): Promise<Response> {
    const headers = { ...this.headers, ...sent.headers };
    return postText(this.endpoint, JSON.stringify({ jsonrpc: '2.0', ...message }), { ...sent, headers });
  }

  async request(method: string, params: Record<string, unknown> = {}): Promise<Message> {
    return messageOf(await this.post({ id: 1, method, params }));
  }

  get(headers: Readonly<Record<string, string>> = { accept: 'text/event-stream' }): Promise<Response> {
    return this.endpoint.fetch(new Request(url, { headers: { ...this.headers, ...headers } }));
  }

  delete(): Promise<Response> {
    return this.endpoint.fetch(new Request(url, { method: 'DELETE', headers: this.headers }));
  }
}

export function initialize(endpoint: McpEndpoint, protocolVersion = '2025-11-25', sent: Sent = {}): Promise<Response> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '0.0.0' } };
  return postText(endpoint, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }), sent);
}

/** The one message of an answer: its body, or the data of its one event. */
export async function messageOf(response: Response): Promise<Message> {
  const text = await response.text();
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}

/** The messages of a stream as they come. */
export class StreamReader {
  readonly messages = new EventQueue<Message>('message');
  readonly ended: Promise<void>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor({ body }: Response) {
    if (body === null) throw new Error('there is no stream');
    this.#reader = body.getReader();
    this.ended = this.#read();
  }

  /** As a client does whose connection breaks. */
  cancel(): Promise<void> {
    return this.#reader.cancel();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data: ')) this.messages.push(JSON.parse(line.slice(6)));
    }
  }
}

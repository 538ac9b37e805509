import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServerFactory,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../../json-object.js';
import { whenInstructed } from '../instructions-grace.js';
import { createMcpServer, type ServedInstance, type ServerInfo } from '../server.js';
import { ShownLists } from '../shown-lists.js';
import { ListAnswers } from './list-answers.js';
import { Listeners, listenRequest } from './listeners.js';
import { jsonBody } from './request-body.js';
import { type RequestId, rpcCodes, rpcError } from './rpc-error.js';
import { type SessionLimits, Sessions } from './sessions.js';

export interface EndpointLimits extends SessionLimits {
  /** How many streams on which a client is told of changes there are at most, of both eras together. */
  readonly maxStreams: number;
}

/**
 * The MCP endpoint over HTTP, in both eras at one path: 2026-07-28, in which each request stands for itself, and the older revisions, which
 * have sessions. The SDK tells them apart.
 */
export class McpEndpoint {
  readonly #limits: EndpointLimits;
  readonly #lists = new ListAnswers();
  readonly #sessions: Sessions;
  readonly #listeners: Listeners;
  readonly #modern: McpHttpHandler;

  constructor(service: ServedInstance, info: ServerInfo, limits: EndpointLimits) {
    this.#limits = limits;
    const listing: ServerInfo = { ...info, listTools: (...asked) => this.#lists.list(...asked) };
    const shown = new ShownLists(service);
    const factory: McpServerFactory = async () => {
      await whenInstructed(service);
      return createMcpServer(service, listing);
    };
    this.#sessions = new Sessions(service, listing, shown, limits);
    this.#listeners = new Listeners(service, factory, shown);
    this.#modern = createMcpHandler(factory, { legacy: 'reject' });
  }

  /** Sessions of revisions before 2026-07-28. */
  get sessions(): number {
    return this.#sessions.count;
  }

  /** Streams on which clients of either era are told of changes. */
  get listeners(): number {
    return this.#listeners.count + this.#sessions.listening;
  }

  async fetch(request: Request): Promise<Response> {
    if (request.method === 'POST') return this.#post(request);
    if (request.method !== 'GET' && request.method !== 'DELETE') return methodNotAllowed();
    const session = this.#sessions.named(request);
    if (session instanceof Response) return session;
    if (request.method === 'DELETE') return session.answer(request);
    if (!session.listens && this.#isFull) return this.#tooManyStreams();
    return session.openStream(request);
  }

  /** Ends the sessions that are idle for too long; that is also done now and then. */
  sweep(): void {
    this.#sessions.sweep();
  }

  /** Ends every stream on which a client is told of changes, as its revision says; requests go on. */
  async endListeners(): Promise<void> {
    this.#sessions.endStreams();
    await this.#listeners.end();
  }

  /** Ends every session and every stream on which a client is told of changes. Requests that are under way are answered. */
  endClients(): void {
    this.#sessions.end();
    void this.#listeners.end();
  }

  /** Ends everything, calls in flight too. */
  async close(): Promise<void> {
    await this.endListeners();
    await Promise.all([this.#modern.close(), this.#sessions.close()]);
  }

  async #post(request: Request): Promise<Response> {
    if (!isJsonContentType(request.headers.get('content-type'))) {
      const message = 'the Content-Type of a request must be application/json';
      return rpcError({ status: 415, code: rpcCodes.refused, message });
    }
    const body = await jsonBody(request);
    if (body === undefined) {
      return rpcError({ status: 400, code: rpcCodes.parse, message: 'Parse error: the body is not JSON in UTF-8' });
    }
    const serve = () => this.#serve(request, body.value);
    const asksForList = isJsonObject(body.value) && body.value.method === 'tools/list';
    return asksForList ? this.#lists.answer(request, serve) : serve();
  }

  async #serve(request: Request, body: unknown): Promise<Response> {
    if (await isLegacyRequest(request, body)) return this.#sessions.post(request, body);
    const listen = listenRequest(body);
    if (listen === undefined) return this.#modern.fetch(request, { parsedBody: body });
    if (this.#isFull) return this.#tooManyStreams(listen.id);
    return this.#listeners.answer(request, listen);
  }

  get #isFull(): boolean {
    return this.listeners >= this.#limits.maxStreams;
  }

  #tooManyStreams(id: RequestId = null): Response {
    const message = `${this.#limits.maxStreams} clients listen, which is the most at once; try again later`;
    return rpcError({ status: 503, code: rpcCodes.refused, message, id, headers: { 'retry-after': '60' } });
  }
}

function methodNotAllowed(): Response {
  const message = 'Method not allowed: a request of MCP is a POST; GET and DELETE belong to a session';
  return rpcError({ status: 405, code: rpcCodes.refused, message, headers: { allow: 'GET, POST, DELETE' } });
}

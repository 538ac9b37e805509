import { randomUUID } from 'node:crypto';
import {
  type JSONRPCMessage,
  type Server,
  type TransportSendOptions,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../../json-object.js';
import { ChangeNotifier } from '../change-notifier.js';
import { whenInstructed } from '../instructions-grace.js';
import { withCodeOf2025 } from '../missing-resource.js';
import { createMcpServer, type ServedInstance, type ServerInfo } from '../server.js';
import type { ShownLists } from '../shown-lists.js';
import { type RequestId, requestIdOf, rpcCodes, rpcError } from './rpc-error.js';
import { whenEnded } from './stream-end.js';

/** One client of a revision before 2026-07-28, from its `initialize` to its DELETE: a server of its own, which it finds again by the session id. */
export class Session {
  readonly id: string;
  readonly #transport: SessionTransport;
  readonly #server: Server;
  readonly #notifier: ChangeNotifier;
  /** Requests whose answers are not sent yet, the stream of the GET among them. */
  #open = 0;
  #isEnding = false;
  #stream: symbol | undefined;
  #usedAt = performance.now();

  private constructor(id: string, transport: SessionTransport, server: Server, notifier: ChangeNotifier) {
    this.id = id;
    this.#transport = transport;
    this.#server = server;
    this.#notifier = notifier;
  }

  /** A session without a client yet: its first request has to be an `initialize`. `onClosed` is called once, whoever closes it. */
  static async make(
    service: ServedInstance,
    info: ServerInfo,
    shown: ShownLists,
    onClosed: (session: Session) => void,
  ): Promise<Session> {
    await whenInstructed(service);
    const id = randomUUID();
    const transport = new SessionTransport({ sessionIdGenerator: () => id });
    const notifier = new ChangeNotifier(service, shown);
    notifier.unreachable();
    const server = createMcpServer(service, info, notifier);
    const session = new Session(id, transport, server, notifier);
    notifier.attach(server);
    server.oninitialized = () => notifier.clientInitialized();
    server.onclose = () => {
      notifier.close();
      onClosed(session);
    };
    await server.connect(transport);
    return session;
  }

  /** Whether the client has its stream open, on which it is told of changes. */
  get listens(): boolean {
    return this.#stream !== undefined;
  }

  /** Whether the client has said what it speaks. */
  get isInitialized(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  /** Whether its revision has JSON-RPC batches: they came with 2025-03-26 and went with 2025-06-18. */
  get hasBatches(): boolean {
    return this.#server.getNegotiatedProtocolVersion() === '2025-03-26';
  }

  /** Whether nothing of the client has been here for so long, and no request of it is open. */
  isIdleFor(ms: number): boolean {
    return this.#open === 0 && performance.now() - this.#usedAt >= ms;
  }

  /** Answers one request of the client. `parsedBody` is that of a POST. */
  async answer(request: Request, parsedBody?: unknown): Promise<Response> {
    const id = isJsonObject(parsedBody) && 'method' in parsedBody ? requestIdOf(parsedBody) : null;
    // The SDK finds the stream of an answer by the id of its request: of two that have one id, the first would never be answered.
    if (this.#transport.unanswered.has(id)) return idInUse(id);
    if (id !== null) this.#transport.unanswered.add(id);
    this.#open += 1;
    try {
      const response = await this.#transport.handleRequest(request, parsedBody === undefined ? {} : { parsedBody });
      if (!response.ok) this.#transport.unanswered.delete(id);
      const cancelled = cancelledRequest(parsedBody);
      if (cancelled !== undefined) await this.#transport.endCancelled(cancelled, { hasBatches: this.hasBatches });
      return whenEnded(response, () => this.#ended());
    } catch (error) {
      this.#transport.unanswered.delete(id);
      this.#ended();
      throw error;
    }
  }

  /**
   * Opens the stream on which the client is told of changes, and tells it there of those that came while it had none. One that it has open is
   * ended: the client whose connection broke opens another before the server knows.
   */
  async openStream(request: Request): Promise<Response> {
    if (request.headers.get('accept')?.includes('text/event-stream') === true) this.endStream();
    const response = await this.answer(request);
    if (!response.ok) return response;
    const stream = Symbol('stream');
    this.#stream = stream;
    this.#notifier.reachable();
    return whenEnded(response, () => {
      if (this.#stream === stream) this.#streamEnded();
    });
  }

  /** Ends the stream of the client; without effect when it has none. */
  endStream(): void {
    if (this.#stream === undefined) return;
    this.#streamEnded();
    this.#transport.closeStandaloneSSEStream();
  }

  /** Closes it when the requests that are under way are answered; its stream ends at once. */
  end(): void {
    this.#isEnding = true;
    this.endStream();
    if (this.#open === 0) void this.close();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #streamEnded(): void {
    this.#stream = undefined;
    this.#notifier.unreachable();
  }

  #ended(): void {
    this.#open -= 1;
    this.#usedAt = performance.now();
    if (this.#isEnding && this.#open === 0) void this.close();
  }
}

class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  /** Ids of requests to which no answer has been sent yet. */
  readonly unanswered = new Set<RequestId>();

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    try {
      await super.send(withCodeOf2025(message), options);
    } finally {
      if (!('method' in message)) this.unanswered.delete(message.id ?? null);
    }
  }

  /** A cancelled request is not answered, so the SDK would keep its stream open for ever. Without effect when it is no more. */
  async endCancelled(id: string | number, { hasBatches }: { readonly hasBatches: boolean }): Promise<void> {
    this.unanswered.delete(id);
    // The stream may be that of other requests too.
    if (hasBatches) return;
    this.closeSSEStream(id);
    // It also keeps what belongs to a request until an answer is sent: this one has no stream any more to go to.
    await super.send({ jsonrpc: '2.0', id, result: {} }).catch(() => {});
  }
}

function idInUse(id: RequestId): Response {
  const message = 'a request with this id has not been answered yet; each request of a session needs an id of its own';
  return rpcError({ status: 400, code: rpcCodes.invalidRequest, message, id });
}

/** The id in a `notifications/cancelled`. */
function cancelledRequest(body: unknown): string | number | undefined {
  if (!isJsonObject(body) || body.method !== 'notifications/cancelled' || !isJsonObject(body.params)) return undefined;
  const { requestId } = body.params;
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : undefined;
}

import { isInitializeRequest } from '@modelcontextprotocol/server';
import type { ServedInstance, ServerInfo } from '../server.js';
import type { ShownLists } from '../shown-lists.js';
import { requestIdOf, rpcCodes, rpcError } from './rpc-error.js';
import { Session } from './session.js';

export interface SessionLimits {
  /** How many there are at most. */
  readonly maxSessions: number;
  /** How long one is kept of which nothing is heard, in ms. */
  readonly sessionIdleMs: number;
}

const sweepMs = 30_000;

/** The sessions of clients of revisions before 2026-07-28, by their ids. */
export class Sessions {
  readonly #service: ServedInstance;
  readonly #info: ServerInfo;
  readonly #shown: ShownLists;
  readonly #limits: SessionLimits;
  readonly #byId = new Map<string, Session>();
  /** Sessions that are being made count. */
  #making = 0;
  readonly #sweeping: NodeJS.Timeout;

  constructor(service: ServedInstance, info: ServerInfo, shown: ShownLists, limits: SessionLimits) {
    this.#service = service;
    this.#info = info;
    this.#shown = shown;
    this.#limits = limits;
    this.#sweeping = setInterval(() => this.sweep(), sweepMs).unref();
  }

  get count(): number {
    return this.#byId.size;
  }

  /** How many of the clients have their stream open. */
  get listening(): number {
    let listening = 0;
    for (const session of this.#byId.values()) if (session.listens) listening += 1;
    return listening;
  }

  /** The session that a request names; otherwise the answer to it. */
  named(request: Request): Session | Response {
    const id = request.headers.get('mcp-session-id');
    if (id === null) {
      const message =
        'no session: send initialize first, then its Mcp-Session-Id with every request; or speak 2026-07-28, which has none';
      return rpcError({ status: 400, code: rpcCodes.refused, message });
    }
    const session = this.#byId.get(id);
    if (session !== undefined) return session;
    const message = 'Session not found: it has ended, or was idle for too long. Send initialize again';
    return rpcError({ status: 404, code: rpcCodes.noSession, message });
  }

  /** Answers a POST: an `initialize` opens a session, all else belongs to one. */
  async post(request: Request, body: unknown): Promise<Response> {
    if (isInitializeRequest(body) && !request.headers.has('mcp-session-id')) return this.#open(request, body);
    const session = this.named(request);
    if (session instanceof Response) return session;
    if (!Array.isArray(body) || session.hasBatches) return session.answer(request, body);
    const message = 'the body has to be one message: the revision of this session has no batches';
    return rpcError({ status: 400, code: rpcCodes.invalidRequest, message });
  }

  async #open(request: Request, body: unknown): Promise<Response> {
    if (this.#byId.size + this.#making >= this.#limits.maxSessions) {
      const message = `there are ${this.#limits.maxSessions} sessions, which is the most at once; try again later`;
      const id = requestIdOf(body);
      return rpcError({ status: 503, code: rpcCodes.refused, message, id, headers: { 'retry-after': '60' } });
    }
    this.#making += 1;
    try {
      const session = await Session.make(this.#service, this.#info, this.#shown, ({ id }) => this.#byId.delete(id));
      this.#byId.set(session.id, session);
      const response = await session.answer(request, body);
      if (!session.isInitialized) await session.close();
      return response;
    } finally {
      this.#making -= 1;
    }
  }

  /** Closes those of which nothing was heard for too long: a client that goes without a DELETE says nothing. */
  sweep(): void {
    for (const session of this.#byId.values()) {
      if (session.isIdleFor(this.#limits.sessionIdleMs)) void session.close();
    }
  }

  endStreams(): void {
    for (const session of this.#byId.values()) session.endStream();
  }

  /** Ends all that there are, each when its requests are answered; from now on none of them is found. */
  end(): void {
    for (const session of this.#byId.values()) session.end();
    this.#byId.clear();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await Promise.all([...this.#byId.values()].map((session) => session.close()));
  }
}

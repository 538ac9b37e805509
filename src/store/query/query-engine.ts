import { setTimeout as delay } from 'node:timers/promises';
import { encodeTerm } from '../term-text.js';
import type { AnsweredGeneration, GraphQuery, QueryOptions, QueryResult } from './graph-query.js';
import { QueryError } from './query-error.js';
import type { EngineLimits, QueryLoad } from './query-limits.js';
import type { QueryReply, SentAnswer, SentQuery, WantedInstance } from './query-messages.js';
import { QueryThread } from './query-thread.js';
import { cancelled, closed, QueryTurns } from './query-turns.js';
import { receivedAnswer } from './sent-answer.js';
import type { ServedGeneration } from './service-statements.js';
import { untilAborted } from './until-aborted.js';

/** How long a query waits for documents and generation to be of one moment, in ms; a change takes a fraction of a second. */
const patienceMs = 10_000;
/** What is waited for is told; should it not be, it is looked for after so many ms. */
const lookMs = 250;

/** A generation with the documents that it was made of. */
export interface QueryBasis {
  readonly generation: AnsweredGeneration;
  readonly instances: readonly WantedInstance[];
  /** What the service says of itself. */
  readonly served?: ServedGeneration;
}

/** The service of which an engine answers. */
export interface QueriedService {
  readonly limits: EngineLimits;
  /** Namespaces that a query need not declare. */
  readonly prefixes: ReadonlyMap<string, string>;
  /**
   * What is current, or undefined while documents are stored of which there is no generation yet. `all`: every document is told, not only
   * those that are other than when this was asked last.
   */
  basis(all: boolean): QueryBasis | undefined;
  /** Settles when there may be another basis. `isOld`: somebody else has changed the store, so there will be one when that is found. */
  nextBasis(isOld: boolean): Promise<void>;
}

/** Answers queries in a thread, which is begun with the first of them, and again after one that passed a limit. */
export class QueryEngine implements GraphQuery {
  readonly #service: QueriedService;
  readonly #turns: QueryTurns;
  #thread: QueryThread | undefined;
  /** The thread knows of all documents but those that changed since it was told. */
  #isTold = false;
  #isClosed = false;

  constructor(service: QueriedService) {
    this.#service = service;
    this.#turns = new QueryTurns(() => service.limits.waiting);
  }

  get load(): QueryLoad {
    return { ...this.#turns.counts, isThreadRunning: this.#thread?.isEnded === false };
  }

  async query(sparql: string, options: QueryOptions = {}): Promise<QueryResult> {
    await this.#turns.enter(options.signal);
    try {
      const generation = await untilAborted(this.#follow(options.signal), options.signal);
      return receivedAnswer(await this.#run(sparql, options), generation);
    } finally {
      this.#turns.leave();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#turns.close();
    await this.#thread?.end(closed());
  }

  /** Has the thread take in the documents of the current generation. */
  async #follow(signal: AbortSignal | undefined): Promise<AnsweredGeneration> {
    const deadline = performance.now() + patienceMs;
    for (let isOld = false; ; ) {
      if (signal?.aborted) throw cancelled();
      const thread = this.#begun();
      const basis = this.#service.basis(!this.#isTold);
      if (basis !== undefined) {
        this.#isTold = true;
        const { generation, ...wanted } = basis;
        const reply = await thread.ask({ kind: 'follow', ...wanted });
        if (reply.kind === 'followed' && reply.inStep) return generation;
        if (reply.kind === 'failed') throw this.#failure(reply);
        this.#isTold = false;
        isOld = true;
      }
      if (performance.now() > deadline) throw outOfStep();
      await Promise.race([this.#service.nextBasis(isOld), delay(lookMs, undefined, { ref: false })]);
    }
  }

  async #run(sparql: string, { bindings = new Map(), dataset, limits, signal }: QueryOptions): Promise<SentAnswer> {
    if (signal?.aborted) throw cancelled();
    const thread = this.#begun();
    const { timeMs, rows } = this.#service.limits;
    const ownMs = Math.min(timeMs, limits?.timeMs ?? timeMs);
    const query: SentQuery = {
      sparql,
      bindings: Array.from(bindings, ([name, term]) => [name, encodeTerm(term)]),
      ...(dataset === undefined ? {} : { dataset }),
      prefixes: this.#service.prefixes,
      rows: Math.min(rows, limits?.rows ?? rows),
    };
    const timer = setTimeout(() => void this.#end(timeError(ownMs)), ownMs);
    const cancel = () => void this.#end(cancelled());
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const reply = await thread.ask({ kind: 'run', query });
      if (reply.kind === 'answered') return reply.answer;
      throw this.#failure(reply);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  #begun(): QueryThread {
    if (this.#isClosed) throw closed();
    const { megabytes } = this.#service.limits;
    if (this.#thread !== undefined && !this.#thread.isEnded && this.#thread.megabytes === megabytes)
      return this.#thread;
    void this.#thread?.end(cancelled());
    this.#isTold = false;
    this.#thread = new QueryThread({ megabytes });
    return this.#thread;
  }

  async #end(reason: QueryError): Promise<void> {
    await this.#thread?.end(reason);
  }

  #failure(reply: QueryReply): QueryError {
    if (reply.kind !== 'failed') return new QueryError('failed', 'the thread of the query has not answered');
    const error = new QueryError(reply.code, reply.message, reply.position);
    if (reply.isBroken) void this.#end(error);
    return error;
  }
}

function timeError(ms: number): QueryError {
  return new QueryError('time', `it took more than ${ms} ms; ask for less, or raise limits.queryMs`);
}

function outOfStep(): QueryError {
  const words = `the documents are being read, and after ${patienceMs / 1_000} s there is no generation of them; ask again later`;
  return new QueryError('unavailable', words);
}

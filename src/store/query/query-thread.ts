import { Worker } from 'node:worker_threads';
import { builtModule } from '../../built-module.js';
import { QueryError } from './query-error.js';
import type { QueryReply, QueryRequest, QueryThreadData } from './query-messages.js';

interface Waiting {
  readonly settle: (reply: QueryReply) => void;
  readonly fail: (error: QueryError) => void;
}

/** Beside the engine's own memory: rows of the store while they are loaded, and results while they are sent. In MiB. */
const heapMegabytes = 512;

/** The thread of the engine, from the outside. It keeps no process alive while nothing is asked of it. */
export class QueryThread {
  readonly megabytes: number;
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #ended: QueryError | undefined;

  constructor({ megabytes }: QueryThreadData) {
    this.megabytes = megabytes;
    const workerData: QueryThreadData = { megabytes };
    const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes };
    this.#worker = new Worker(builtModule('store/query/query-worker.js'), { workerData, resourceLimits });
    this.#worker.unref();
    this.#worker.on('message', (reply: QueryReply) => {
      this.#waiting.shift()?.settle(reply);
      if (this.#waiting.length === 0) this.#worker.unref();
    });
    this.#worker.on('error', (error) => this.#fail(threadError(error)));
    this.#worker.on('exit', () => this.#fail(new QueryError('failed', 'the thread of the query has ended')));
  }

  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Rejects with a QueryError when the thread ends before it replies. */
  ask(request: QueryRequest): Promise<QueryReply> {
    return new Promise((settle, fail) => {
      if (this.#ended !== undefined) return fail(this.#ended);
      this.#waiting.push({ settle, fail });
      this.#worker.ref();
      this.#worker.postMessage(request);
    });
  }

  /** What is asked of it rejects with `reason`. */
  async end(reason: QueryError): Promise<void> {
    this.#fail(reason);
    await this.#worker.terminate();
  }

  #fail(error: QueryError): void {
    this.#ended ??= error;
    for (const { fail } of this.#waiting.splice(0)) fail(this.#ended);
  }
}

function threadError(cause: unknown): QueryError {
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const words = `its results, or the graph while it is loaded, need more than ${heapMegabytes} MiB beside the engine; ask for less`;
    return new QueryError('memory', words, undefined, { cause });
  }
  return new QueryError('failed', 'the thread of the query has failed; ask again', undefined, { cause });
}

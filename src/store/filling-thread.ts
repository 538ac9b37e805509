import { Worker } from 'node:worker_threads';
import { builtModule } from '../built-module.js';
import type { DatabaseFile } from './database-file.js';
import {
  type DocumentSink,
  type DocumentWrite,
  type EncodedDocument,
  encodeDocument,
  type WriteResult,
} from './document-write.js';
import { StoreError, type StoreErrorCode } from './store-error.js';
import { TermNumbers } from './term-numbers.js';

/** What the thread is started with. */
export interface FillingData {
  readonly file: DatabaseFile;
  /** `fileIdentity` of the file that is to be filled. */
  readonly identity: string;
  readonly version: string;
}

export type FillingRequest =
  /** The texts of the terms (`encodeTerm`), by the numbers that the documents have in place of them. */
  { readonly documents: readonly EncodedDocument[]; readonly terms: readonly string[] } | 'makeOrders';

/** One for each request, in their order. */
export type FillingReply = { readonly result: WriteResult | undefined } | { readonly failure: FillingFailure };

interface FillingFailure {
  readonly message: string;
  readonly name?: string;
  readonly code?: string;
}

interface Waiting {
  readonly settle: (result: WriteResult | undefined) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Fills an empty store from a thread with a connection of its own: SQLite takes about as long for a document as everything before it.
 * In what is sent each term is once a text, and then a number. Rejects with what the thread failed with, and after `end`.
 */
export class FillingThread implements DocumentSink {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #documents: EncodedDocument[] = [];
  #terms = new TermNumbers();
  #ended: Error | undefined;

  constructor(data: FillingData) {
    this.#worker = new Worker(builtModule('store/filling-worker.js'), { workerData: data });
    this.#worker.on('message', (reply: FillingReply) => {
      const waiting = this.#waiting.shift();
      if ('failure' in reply) waiting?.fail(errorOf(reply.failure));
      else waiting?.settle(reply.result);
    });
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread that fills the store has ended')));
  }

  add(item: DocumentWrite): void {
    this.#documents.push(encodeDocument(item, (term) => this.#terms.of(term)));
  }

  async flush(): Promise<WriteResult> {
    const request = { documents: this.#documents, terms: this.#terms.texts };
    this.#documents = [];
    this.#terms = new TermNumbers();
    const result = await this.#ask(request);
    return result ?? { written: [], raced: [], changes: { inserted: 0, deleted: 0 } };
  }

  /** Makes the orders of the quads, after all that was flushed. */
  async makeOrders(): Promise<void> {
    await this.#ask('makeOrders');
  }

  /** A transaction that is open is rolled back. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(request: FillingRequest): Promise<WriteResult | undefined> {
    return new Promise((settle, fail) => {
      if (this.#ended !== undefined) return fail(this.#ended);
      this.#waiting.push({ settle, fail });
      this.#worker.postMessage(request);
    });
  }

  #fail(error: Error): void {
    this.#ended ??= error;
    for (const { fail } of this.#waiting.splice(0)) fail(error);
  }
}

/** The error that the thread caught, so that it is told in the same words as one of this thread. */
function errorOf({ message, name, code }: FillingFailure): Error {
  if (name === 'StoreError') return new StoreError(code as StoreErrorCode, message);
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

/** The thread that writes the documents of a first ingest into the store, while the thread that reads them reads on. */
import { parentPort, workerData } from 'node:worker_threads';
import { DocumentTable } from './document-table.js';
import type { EncodedDocument, EncodedGraph, WriteResult } from './document-write.js';
import { DocumentWriter } from './document-writer.js';
import type { FillingData, FillingReply, FillingRequest } from './filling-thread.js';
import { openGraphAgain } from './graph-opening.js';
import { makeOrders } from './graph-schema.js';
import { QuadTable } from './quad-table.js';
import { TermDictionary } from './term-dictionary.js';

const { file, identity, version } = workerData as FillingData;
let filling: Filling | undefined;

parentPort?.on('message', (request: FillingRequest) => {
  try {
    filling ??= new Filling();
    reply({ result: request === 'makeOrders' ? filling.makeOrders() : filling.put(request.documents, request.terms) });
  } catch (error) {
    reply({ failure: failureOf(error) });
  }
});

function reply(message: FillingReply): void {
  parentPort?.postMessage(message);
}

/** A clone of an error would lack its code. */
function failureOf(error: unknown): { message: string; name?: string; code?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, name } = error;
  return 'code' in error && typeof error.code === 'string' ? { message, name, code: error.code } : { message, name };
}

class Filling {
  readonly #db = openGraphAgain(file, identity);
  readonly #terms = new TermDictionary(this.#db);
  readonly #writer = new DocumentWriter(new DocumentTable(this.#db, version), new QuadTable(this.#db, this.#terms));

  put(documents: readonly EncodedDocument[], terms: readonly string[]): WriteResult {
    return this.#immediate(() => {
      const ids = Int32Array.from(terms, (text) => this.#terms.add(text));
      return this.#writer.put(documents, (document) => ({
        ...document,
        own: withIds(document.own, ids),
        derived: withIds(document.derived, ids),
      }));
    });
  }

  makeOrders(): undefined {
    return this.#immediate(() => void makeOrders(this.#db));
  }

  #immediate<T>(act: () => T): T {
    return this.#db.transaction(act).immediate();
  }
}

/** Ids in place of the numbers. */
function withIds(encoded: EncodedGraph | undefined, ids: Int32Array): EncodedGraph | undefined {
  const idOf = (number: number): number => ids[number] ?? 0;
  return encoded && { graph: idOf(encoded.graph), triples: encoded.triples.map(idOf) };
}

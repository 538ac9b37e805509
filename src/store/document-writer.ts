import type { DocumentState, DocumentTable } from './document-table.js';
import type { EncodedDocument, EncodedGraph, WriteResult } from './document-write.js';
import type { QuadChanges, QuadTable } from './quad-table.js';

/** Changes documents and their quads, each only while its row is still the one that was compared. Has no transaction of its own. */
export class DocumentWriter {
  readonly #documents: DocumentTable;
  readonly #quads: QuadTable;

  constructor(documents: DocumentTable, quads: QuadTable) {
    this.#documents = documents;
    this.#quads = quads;
  }

  /** `encode` is asked for a document that is written, and gives ids for the numbers of terms. */
  put<T extends Pick<EncodedDocument, 'path' | 'sha256' | 'expected'>>(
    items: readonly T[],
    encode: (item: T) => EncodedDocument,
  ): WriteResult {
    return this.#each(items, (item, state) => {
      if (state?.signature === item.expected) return this.#replace(encode(item), state);
      return state?.sha256 === item.sha256 ? noChanges : undefined;
    });
  }

  touch(path: string, signature: string, expected: string): WriteResult {
    return this.#each([{ path }], (_, state) => {
      if (state?.signature !== expected) return undefined;
      this.#documents.touch(path, signature);
      return noChanges;
    });
  }

  remove(items: readonly { readonly path: string; readonly expected: string }[]): WriteResult {
    return this.#each(items, ({ path, expected }, state) => {
      if (state === undefined) return noChanges;
      if (state.signature !== expected) return undefined;
      this.#documents.delete(path);
      return this.#emptyGraphs([state.graph, state.derived]);
    });
  }

  /** `change` returns undefined, and changes nothing, when the row is no longer the one that was compared. */
  #each<T extends { readonly path: string }>(
    items: readonly T[],
    change: (item: T, state: DocumentState | undefined) => QuadChanges | undefined,
  ): WriteResult {
    const written: string[] = [];
    const raced: string[] = [];
    const changed: QuadChanges[] = [];
    for (const item of items) {
      const changes = change(item, this.#documents.state(item.path));
      (changes === undefined ? raced : written).push(item.path);
      if (changes !== undefined) changed.push(changes);
    }
    return { written, raced, changes: total(changed) };
  }

  #replace(document: EncodedDocument, state: DocumentState | undefined): QuadChanges {
    const { own, derived } = document;
    const graphs = { graph: own?.graph ?? null, derived: derived?.graph ?? null };
    this.#documents.put(document, graphs, state);
    const kept = [graphs.graph, graphs.derived];
    const left = [state?.graph ?? null, state?.derived ?? null].filter((graph) => !kept.includes(graph));
    return total([this.#emptyGraphs(left), this.#fill(own), this.#fill(derived)]);
  }

  #fill(encoded: EncodedGraph | undefined): QuadChanges {
    return encoded === undefined ? noChanges : this.#quads.replaceGraph(encoded.graph, encoded.triples);
  }

  #emptyGraphs(graphs: readonly (number | null)[]): QuadChanges {
    return total(graphs.map((graph) => (graph === null ? noChanges : this.#quads.replaceGraph(graph, noTriples))));
  }
}

const noTriples = new Int32Array();
const noChanges: QuadChanges = { inserted: 0, deleted: 0 };

function total(changes: readonly QuadChanges[]): QuadChanges {
  return {
    inserted: changes.reduce((sum, { inserted }) => sum + inserted, 0),
    deleted: changes.reduce((sum, { deleted }) => sum + deleted, 0),
  };
}

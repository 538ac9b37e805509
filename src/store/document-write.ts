import type { Quad, Term } from '@rdfjs/types';
import type { DocumentKind, IngestedDocument } from '../ingest/document.js';
import { encodePayload } from './document-table.js';
import type { Lifted } from './lift.js';
import type { QuadChanges } from './quad-table.js';

/** One document to store, and the signature of the row that it was compared with: undefined when there was no row. */
export interface DocumentWrite {
  readonly document: IngestedDocument;
  readonly lifted: Lifted;
  readonly signature: string;
  readonly expected: string | undefined;
}

/** What became of a batch. A document that is `raced` was written by another process meanwhile, and is untouched. */
export interface WriteResult {
  readonly written: string[];
  readonly raced: string[];
  readonly changes: QuadChanges;
}

/** Takes documents to store one by one, so that their quads need not be kept, and stores them in batches. */
export interface DocumentSink {
  add(item: DocumentWrite): void;
  /**
   * Stores what was added since the last time, in one immediate transaction: all of it, or nothing. Settles when that is done; the
   * next documents can be added meanwhile. Rejects with a StoreError.
   */
  flush(): Promise<WriteResult>;
}

/** The quads of one graph: for each the numbers of its subject, predicate and object, one after the other. */
export interface EncodedGraph {
  readonly graph: number;
  readonly triples: Int32Array;
}

/** A document to store without its terms, for which numbers stand. It can be sent to another thread. */
export interface EncodedDocument {
  readonly path: string;
  readonly sha256: string;
  readonly kind: DocumentKind;
  /** What the row holds beside the columns, see `document-table.ts`. */
  readonly payload: string;
  readonly signature: string;
  readonly expected: string | undefined;
  readonly own: EncodedGraph | undefined;
  readonly derived: EncodedGraph | undefined;
}

/** `numberOf` gives the number of a term. */
export function encodeDocument(
  { document, lifted, signature, expected }: DocumentWrite,
  numberOf: (term: Term) => number,
): EncodedDocument {
  const { path, sha256, kind, quads, derived = [] } = document;
  return {
    ...{ path, sha256, kind, payload: encodePayload(document, lifted), signature, expected },
    own: encodeGraph(quads, numberOf),
    derived: encodeGraph(derived, numberOf),
  };
}

/** All quads are in the graph of the first; undefined when there are none. */
function encodeGraph(quads: readonly Quad[], numberOf: (term: Term) => number): EncodedGraph | undefined {
  const [first] = quads;
  return first && { graph: numberOf(first.graph), triples: encodeTriples(quads, numberOf) };
}

/** As `EncodedGraph.triples`. */
export function encodeTriples(quads: readonly Quad[], numberOf: (term: Term) => number): Int32Array {
  const triples = new Int32Array(3 * quads.length);
  let end = 0;
  let last: { readonly subject: Term; readonly number: number } | undefined;
  for (const { subject, predicate, object } of quads) {
    // Most quads have the subject of the one before them.
    if (last?.subject !== subject) last = { subject, number: numberOf(subject) };
    triples[end++] = last.number;
    triples[end++] = numberOf(predicate);
    triples[end++] = numberOf(object);
  }
  return triples;
}

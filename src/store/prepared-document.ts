import type { Quad } from '@rdfjs/types';
import type { DocumentKind, IngestedDocument } from '../ingest/document.js';
import type { StoredDocument } from './document-table.js';
import type { Lifted } from './lift.js';
import { StoreError } from './store-error.js';
import { encodeTerm } from './terms.js';

/** Quads of one graph, as texts of terms (`encodeTerm`) and numbers: it can pass from one thread to another. */
export interface EncodedQuads {
  /** Undefined when there are no quads. */
  readonly graph: string | undefined;
  readonly terms: readonly string[];
  /** Three indices into `terms` a quad: subject, predicate, object. */
  readonly rows: Uint32Array;
}

/** A document as it is written: everything that takes time and needs no database is done. */
export interface PreparedDocument {
  readonly path: string;
  /** Hex sha-256 of the bytes of the file. */
  readonly sha256: string;
  readonly kind: DocumentKind;
  /** JSON: what was lifted out of the quads, and what ingest found. */
  readonly payload: string;
  readonly quads: EncodedQuads;
  readonly derived: EncodedQuads;
}

export function encodeDocument(document: IngestedDocument, lifted: Lifted): PreparedDocument {
  const { path, sha256, kind, quads, derived = [], diagnostics, broken, pointers } = document;
  const payload = JSON.stringify({ lifted, diagnostics, broken, pointers: [...pointers] });
  return { path, sha256, kind, payload, quads: encodeQuads(quads), derived: encodeQuads(derived) };
}

type Payload = Pick<StoredDocument, 'lifted' | 'diagnostics' | 'broken' | 'pointers'>;

/** Reads the payload of a PreparedDocument. Throws a StoreError `corrupt`. */
export function decodePayload(path: string, text: string): Payload {
  try {
    const payload = JSON.parse(text) as Omit<Payload, 'pointers'> & { pointers: [string, string][] };
    return { ...payload, pointers: new Map(payload.pointers) };
  } catch (cause) {
    const message = `graph.db: the row of ${path} is damaged; start toolgraph again, which replaces it`;
    throw new StoreError('corrupt', message, { cause });
  }
}

/** As the store gives it back. */
export function storedDocument({ path, sha256, kind, payload }: PreparedDocument, signature: string): StoredDocument {
  return { path, signature, sha256, kind, current: true, ...decodePayload(path, payload) };
}

export function encodeQuads(quads: readonly Quad[]): EncodedQuads {
  const indices = new Map<string, number>();
  const rows = new Uint32Array(quads.length * 3);
  let next = 0;
  for (const { subject, predicate, object } of quads) {
    for (const term of [subject, predicate, object]) {
      const text = encodeTerm(term);
      const index = indices.get(text) ?? indices.size;
      if (index === indices.size) indices.set(text, index);
      rows[next] = index;
      next += 1;
    }
  }
  const graph = quads[0] === undefined ? undefined : encodeTerm(quads[0].graph);
  return { graph, terms: [...indices.keys()], rows };
}

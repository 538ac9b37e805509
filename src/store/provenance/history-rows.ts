import type { Invocation } from '../../../schemas/invocation.js';

// What the rows of `records.db` say, as `provenance-quads.ts` puts it in PROV-O. Times are ISO 8601, in UTC.

/** Since when something held, and until when and why not longer. */
export interface Span {
  readonly since: string;
  readonly until: string | null;
  readonly ending: string | null;
}

/** A version of a document. */
export interface DocumentFact extends Span {
  readonly number: number;
  readonly instance: string;
  /** The prefix of the IRIs of that instance. */
  readonly base: string;
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly prior: number | null;
  /** A `GitState`; null: git was not asked yet. */
  readonly git: string | null;
  readonly reason: string | null;
  readonly head: string | null;
  readonly asked: string | null;
  readonly commit: string | null;
}

/** A revision of a node. */
export interface RevisionFact extends Span {
  readonly number: number;
  readonly iri: string;
  readonly id: string;
  readonly digest: string;
  readonly base: string;
  readonly document: number;
  /** Numbers of versions of other documents that stated something of it. */
  readonly others: readonly number[];
  readonly prior: number | null;
  /** The whole node in JCS form. */
  readonly node: string;
}

export interface GenerationFact {
  readonly projection: number;
  readonly key: string;
  readonly number: number;
  readonly digest: string;
  readonly at: string;
  /** The number before it in the sequence; null where there is none, or it was dropped. */
  readonly prior: number | null;
}

export interface PartFact {
  readonly number: number;
  readonly projection: number;
  readonly key: string;
  readonly kind: string;
  readonly iri: string | null;
  readonly name: string | null;
  readonly document: string | null;
  readonly pointer: string | null;
  readonly definition: string | null;
  readonly revision: number | null;
  readonly severity: string | null;
  readonly code: string | null;
  readonly reason: string | null;
  readonly since: number;
  readonly until: number | null;
  readonly begun: string | null;
  readonly ended: string | null;
}

export interface CallFact {
  readonly call: Invocation;
  /** The prefix of the IRIs of the instance that its Tool belongs to. */
  readonly base: string;
  /** The revision that served it, where the history has it; its whole node, where calls alone have kept that. */
  readonly revision: number | null;
  readonly node: string | null;
  /** The number of the projection whose generation it read, where the history has that one. */
  readonly projection: number | null;
}

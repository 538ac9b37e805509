import type { QueryDatasetClause } from './graph-query.js';
import type { SourceInstance } from './quad-source.js';
import type { QueryErrorCode, QueryPosition } from './query-error.js';
import type { ServedGeneration } from './service-statements.js';

/** What the query thread is started with. */
export interface QueryThreadData {
  /** Of the engine: the graph and all that a query computes. */
  readonly megabytes: number;
}

/** One instance of the dataset that is wanted. */
export interface WantedInstance extends SourceInstance {
  /** `fileIdentity` of its `graph.db`. */
  readonly identity: string;
  readonly documents: DocumentsWanted;
}

/** The documents of an instance by path, with the sha-256 of each: all of them, or what is other than it was when this was sent last. */
export interface DocumentsWanted {
  readonly all: boolean;
  readonly held: readonly (readonly [path: string, sha256: string])[];
  readonly gone: readonly string[];
}

export type QueryRequest =
  /** Take in these documents, and what the other sources state. Instances that are not named are taken out. */
  | { readonly kind: 'follow'; readonly instances: readonly WantedInstance[]; readonly served?: ServedGeneration }
  | { readonly kind: 'run'; readonly query: SentQuery };

export interface SentQuery {
  readonly sparql: string;
  /** Terms as `encodeTerm` writes them. */
  readonly bindings: readonly (readonly [variable: string, term: string])[];
  /** As in `QueryOptions`. */
  readonly dataset?: QueryDatasetClause;
  readonly prefixes: ReadonlyMap<string, string>;
  readonly rows: number;
}

/** One for each request, in their order. */
export type QueryReply =
  /** Not in step: a store holds other documents than those that are wanted, or is another one. All of them are to be sent again. */
  | { readonly kind: 'followed'; readonly inStep: boolean }
  | { readonly kind: 'answered'; readonly answer: SentAnswer }
  | QueryFailure;

export interface QueryFailure {
  readonly kind: 'failed';
  readonly code: QueryErrorCode;
  readonly message: string;
  readonly position?: QueryPosition;
  /** The engine is not to be used again: the thread is to be ended. */
  readonly isBroken: boolean;
}

/** An answer in which each term is once a text (`encodeTerm`), and then its number. */
export type SentAnswer =
  /** `cells` has the numbers of the terms row by row, a column for each variable; -1 where it is not bound. */
  | {
      readonly kind: 'bindings';
      readonly variables: readonly string[];
      readonly rows: number;
      readonly terms: readonly string[];
      readonly cells: Int32Array;
    }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** `cells` has subject, predicate and object of each triple. */
  | { readonly kind: 'quads'; readonly terms: readonly string[]; readonly cells: Int32Array };

import type { BlankNode, Literal, NamedNode, Quad } from '@rdfjs/types';
import type { QueryLimits } from './query-limits.js';

/** A term that a query can be given. A blank node is not: no query can name one. */
export type BindingTerm = NamedNode | Literal;

/** A term in a row of a result. Blank nodes come from `BNODE()` only: those of documents have IRIs in the store. */
export type ResultTerm = NamedNode | BlankNode | Literal;

export interface QueryOptions {
  /**
   * Terms by the names of variables, without `?`. Each is put into the parsed query as a VALUES block, never as text. One that the query does
   * not use, assigns itself, or uses in a subquery that does not select it, is a QueryError `binding`.
   */
  readonly bindings?: ReadonlyMap<string, BindingTerm>;
  /** Stricter limits than those of the config; a larger one has no effect. */
  readonly limits?: Partial<QueryLimits>;
  /** Ends the query, with the thread that runs it: QueryError `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

/** The generation whose documents a query was answered on. */
export interface AnsweredGeneration {
  readonly number: number;
  readonly digest: string;
}

/** SELECT. */
export interface BindingsResult {
  readonly kind: 'bindings';
  readonly generation: AnsweredGeneration;
  /** In the order of the SELECT clause, without `?`; of `SELECT *`, in the order in which they are written first. */
  readonly variables: readonly string[];
  /** In the order of the query. A row lacks the variables that are not bound in it. */
  readonly rows: readonly ReadonlyMap<string, ResultTerm>[];
}

/** ASK. */
export interface BooleanResult {
  readonly kind: 'boolean';
  readonly generation: AnsweredGeneration;
  readonly value: boolean;
}

/** CONSTRUCT and DESCRIBE: a set of triples, in the default graph, in no particular order. */
export interface QuadsResult {
  readonly kind: 'quads';
  readonly generation: AnsweredGeneration;
  readonly quads: readonly Quad[];
}

export type QueryResult = BindingsResult | BooleanResult | QuadsResult;

/**
 * SPARQL 1.1 Query over all that a service knows: one named graph a document, those that the service derives or keeps itself, and as the
 * default graph their merge, each triple once (docs/query.md). Read only.
 */
export interface GraphQuery {
  /**
   * Answers on the documents of the service's current generation, of which the result says number and digest; what it was asked before a
   * change is answered before or after it, never on half of it. Rejects with a QueryError.
   */
  query(sparql: string, options?: QueryOptions): Promise<QueryResult>;
}

import type { QueryLimits } from './query-limits.js';

// Terms and quads are those of RDF/JS (https://rdf.js.org/data-model-spec/). They are stated here, because what is published may name only
// packages that are installed with it.

interface AnyTerm {
  readonly termType: string;
  readonly value: string;
}

interface Comparable {
  equals(other: AnyTerm | null | undefined): boolean;
}

export interface IriTerm extends Comparable {
  readonly termType: 'NamedNode';
  readonly value: string;
}

export interface BlankNodeTerm extends Comparable {
  readonly termType: 'BlankNode';
  readonly value: string;
}

/** `language` and `direction` are empty except for the datatypes that have them. */
export interface LiteralTerm extends Comparable {
  readonly termType: 'Literal';
  readonly value: string;
  readonly language: string;
  readonly direction?: 'ltr' | 'rtl' | '' | null;
  readonly datatype: IriTerm;
}

/** A term that a query can be given. A blank node is not: no query can name one. */
export type BindingTerm = IriTerm | LiteralTerm;

/** A term in a result. Blank nodes are made by the query itself: those of documents have IRIs in the store. */
export type ResultTerm = IriTerm | BlankNodeTerm | LiteralTerm;

export interface ResultQuad extends Comparable {
  readonly termType: 'Quad';
  readonly value: '';
  readonly subject: IriTerm | BlankNodeTerm;
  readonly predicate: IriTerm;
  readonly object: ResultTerm;
  readonly graph: Comparable & { readonly termType: 'DefaultGraph'; readonly value: '' };
}

/** The graphs that a query is asked of, by their absolute IRIs. One that is not here is empty. */
export interface QueryDatasetClause {
  /** Merged, they are the default graph. */
  readonly merged: readonly string[];
  readonly named: readonly string[];
}

export interface QueryOptions {
  /**
   * Terms by the names of variables, without `?`. Each is put into the parsed query as a VALUES block, never as text. One that the query does
   * not use, assigns itself, or uses in a subquery that does not select it, is a QueryError `binding`.
   */
  readonly bindings?: ReadonlyMap<string, BindingTerm>;
  /** In place of what FROM and FROM NAMED say, as in the SPARQL 1.1 Protocol. An IRI that is not absolute is a QueryError `binding`. */
  readonly dataset?: QueryDatasetClause | undefined;
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
  readonly quads: readonly ResultQuad[];
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

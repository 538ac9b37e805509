/**
 * Why a query has no answer.
 * `syntax`: it is not SPARQL 1.1. `refused`: it would change the graph, or ask another service. `binding`: a given term does not fit it.
 * `time`, `memory`, `rows`: it passed that limit. `busy`: as many wait as may. `cancelled`: its signal came.
 * `unavailable`: the graph cannot be read, or the service is closed. `failed`: the engine could not evaluate it.
 */
export type QueryErrorCode =
  | 'syntax'
  | 'refused'
  | 'binding'
  | 'time'
  | 'memory'
  | 'rows'
  | 'busy'
  | 'cancelled'
  | 'unavailable'
  | 'failed';

/** Where in the text of a query something is wrong, from 1. Columns count UTF-16 code units. */
export interface QueryPosition {
  readonly line: number;
  readonly column: number;
}

/** A query without an answer. The message says what is wrong and what to do, in one line, without the position. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  constructor(
    readonly code: QueryErrorCode,
    message: string,
    readonly position?: QueryPosition,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

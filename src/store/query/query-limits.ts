/** What one query may take. Passing one ends the thread that runs it. */
export interface QueryLimits {
  /** Time from the moment at which it runs; what it waits for its turn, or for the graph to be loaded, is not counted. */
  readonly timeMs: number;
  /** Rows of a SELECT, or triples of a CONSTRUCT or DESCRIBE. */
  readonly rows: number;
}

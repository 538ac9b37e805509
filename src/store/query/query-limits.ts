/** What one query may take. Passing `timeMs` ends the thread that runs it. */
export interface QueryLimits {
  /** Time from the moment at which it runs; what it waits for its turn, or for the graph to be loaded, is not counted. */
  readonly timeMs: number;
  /** Rows of a SELECT, or triples of a CONSTRUCT or DESCRIBE. */
  readonly rows: number;
}

/** What all queries of a service may take. */
export interface EngineLimits extends QueryLimits {
  /** Memory of the engine, in MiB: the graph, and what a query computes. Passing it ends the thread. */
  readonly megabytes: number;
  /** Queries that wait while another runs. What comes then is refused as busy. */
  readonly waiting: number;
}

/** How many queries there are, and whether there is a thread that holds the graph for the next. */
export interface QueryLoad {
  readonly running: number;
  readonly waiting: number;
  readonly isThreadRunning: boolean;
}

import type { Quad } from '@rdfjs/types';

/** What a source states other than it stated before. */
export interface SourceChanges<Cursor> {
  /** What to give at the next time. */
  readonly cursor: Cursor;
  /** What was told before is void: `added` is everything, `removed` is empty. The first answer says it too. */
  readonly startsOver: boolean;
  /**
   * Graphs of which all that was told before is void, taken out before `added` comes: a source that makes its quads of rows need not know what
   * a row was, when each row has a graph of its own.
   */
  readonly removedGraphs?: Iterable<string>;
  /** Read once, to its end, before the next call. Each quad is in a named graph that no document has, and was not told before. */
  readonly added: Iterable<Quad>;
  /** Quads that were told before and hold no longer. */
  readonly removed: Iterable<Quad>;
}

/**
 * Further quads of the dataset that queries see, beside those of the documents in `graph.db`: what the service itself states, such as the
 * provenance that it makes of the rows of `records.db`. A source is opened, read and closed in the query's thread, and synchronous; it
 * reads only, and beside other processes that write. One is open for each instance of the service.
 */
export interface QuadSource<Cursor = unknown> {
  /**
   * What is other than at `cursor`, which is of an earlier answer of this source; undefined asks for everything. Called before each query:
   * where nothing has changed it should cost next to nothing (`PRAGMA data_version`). What it throws is told as the failure of the query.
   */
  changesSince(cursor: Cursor | undefined): SourceChanges<Cursor>;
  close(): void;
}

/** The instance of which a source tells. Structured-cloned into the thread. */
export interface SourceInstance {
  /** Its state folder, absolute: `graph.db` and `records.db` are in it. */
  readonly folder: string;
  /** The prefix of the IRIs of the instance. */
  readonly base: string;
  /** Path from the instance that includes it; '' for that one itself. */
  readonly label: string;
}

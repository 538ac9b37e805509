import type { ExportFormat, ExportSelection } from './store/export-format.js';
import type { AnsweredGeneration } from './store/query/graph-query.js';

/** The dataset of one generation: what all its documents state. */
export interface GraphSnapshot {
  readonly generation: AnsweredGeneration;
  /** Hex sha-256: the same where the dataset is. A change that no client of MCP is told, such as of a skill, is another one. */
  readonly digest: string;
  /**
   * Begins to write it, as `toolgraph export` does; undefined when the graph that is selected is not in it. Pieces are read to the end, or
   * left by `return`, for a thread writes them. Rejects with a QueryError: `busy`, or `unavailable` when the documents have changed since.
   */
  write(format: ExportFormat, selection?: ExportSelection): Promise<AsyncIterableIterator<string> | undefined>;
}

/** Bounds on one document; the scanner bounds their number. */
export interface IngestLimits {
  /** Size of a document. @default 4194304 (4 MiB) */
  readonly bytes: number;
  /** Levels of nesting. @default 64 */
  readonly depth: number;
  /** Nodes that a document states; it may hold `innerNodes` times as many, and an array as many items. @default 10000 */
  readonly nodes: number;
}

export const defaultLimits: IngestLimits = { bytes: 4 * 1024 * 1024, depth: 64, nodes: 10_000 };

export const limitNames = ['bytes', 'depth', 'nodes'] as const;

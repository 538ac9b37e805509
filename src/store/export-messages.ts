import type { ExportFormat, ExportSelection } from './export-format.js';

/** One instance of the dataset, with exactly the documents that are wanted of it. */
export interface ExportedInstance {
  /** Its state folder, absolute. */
  readonly folder: string;
  /** `fileIdentity` of its `graph.db`. */
  readonly identity: string;
  /** The documents by path, with the sha-256 of each. */
  readonly documents: readonly (readonly [path: string, sha256: string])[];
}

/** What the thread is started with. */
export interface ExportData {
  readonly instances: readonly ExportedInstance[];
  readonly selection: ExportSelection;
  readonly format: ExportFormat;
  /** The prefix of the IRIs of the root instance. */
  readonly base: string;
}

/** The thread sends the first by itself, and one more each time that it is asked for the next. */
export type ExportReply =
  /** It reads the stores as they are now, until the end. `graphs`: how many are selected. */
  | { readonly kind: 'begun'; readonly graphs: number }
  /** A store holds other documents than those that are wanted, or is another one. */
  | { readonly kind: 'outOfStep' }
  | { readonly kind: 'piece'; readonly text: string }
  | { readonly kind: 'ended' }
  /** In one line, without a path of the host. */
  | { readonly kind: 'failed'; readonly message: string };

import type { Quad } from '@rdfjs/types';
import type { Folder } from '../../schemas/config.js';
import type { Diagnostic } from '../diagnostic.js';

/** What the content of a file makes it (tool-node.md §5). Prose is a `.md` that is no skill; a context holds only `@context`. */
export type DocumentKind = 'nodes' | 'types' | 'skill' | 'context' | 'prose';

/** One file as read between two equal stat signatures. */
export interface SourceFile {
  /** Path relative to the instance, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Hex sha-256 of `bytes`. */
  readonly sha256: string;
  /** `ino:size:mtimeNs:ctimeNs`, see `instance/signature.ts`. */
  readonly signature: string;
  /** What the config says of the folder that holds it. */
  readonly folderKind?: NonNullable<Folder['kind']>;
}

/** What one file became: its named graph, and what could not be determined in it. */
export interface IngestedDocument {
  readonly path: string;
  readonly sha256: string;
  readonly kind: DocumentKind;
  /** Skolemised (no blank node), all in the graph `documentIri(base, path)`. */
  readonly quads: readonly Quad[];
  /** Nodes of another vocabulary described in ours (DESIGN decision 1), in the graph `derivedIri(base, path)`; absent: none. */
  readonly derived?: readonly Quad[];
  /** All that it holds is Tools whose shape was checked by the schema on the source, and which have no key but ours. */
  readonly isChecked?: boolean;
  /** JSON pointer of each node in the document, by the node's IRI. A place in the file is found from it when one is needed. */
  readonly pointers: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
  /** Nodes that are in the file but could not be determined: their IRIs, or `all` when that itself is unknown. Last-good is kept for them. */
  readonly broken: readonly string[] | 'all';
}

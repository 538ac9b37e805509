import type { PartOfGeneration } from '../../projection/generation-parts.js';

/** What is told to the history of an instance. */

/** A document as it was read. */
export interface SeenDocument {
  /** Hex, of the bytes. */
  readonly sha256: string;
  /** `ino:size:mtimeNs:ctimeNs`. */
  readonly signature: string;
  /** What it gives; asked for where it may be other than before. */
  readonly nodes: () => SeenNodes;
}

export interface SeenNodes {
  readonly tools: readonly SeenTool[];
  /** IRIs of nodes that could not be determined, or `all`: their last revision stays what it was. */
  readonly broken: readonly string[] | 'all';
}

export interface SeenTool {
  readonly iri: string;
  /** The whole node: JSON. */
  readonly tool: { readonly id: string };
  /** Paths of other documents that state something of it. */
  readonly alsoIn?: readonly string[];
}

/** The documents of one instance, and what of them is other than it was. */
export interface InstanceHistory {
  /** Path from the instance whose history it is; '' for that one itself. */
  readonly instance: string;
  /** The prefix of its IRIs. */
  readonly base: string;
  /** Names all that decides what a document becomes. */
  readonly program: string;
  /** By path, since this process last told something; undefined for one that is gone. Absent: everything may be other. */
  readonly changed?: ReadonlyMap<string, SeenDocument | undefined>;
  /** By path, what there is. */
  readonly all: () => ReadonlyMap<string, SeenDocument>;
  /** Paths of documents that cannot be looked at: what is known of them stays. */
  readonly unseen?: readonly string[];
  /** A digest of `all`, where it is at hand: equal to the one that `keepDigest` was given, nothing is other. */
  readonly digest?: string;
  /** Why no git can tell anything of the documents, where that is known. */
  readonly withoutGit?: string;
}

/** The parts of a generation, and how they differ from those of one before. */
export interface PartChanges {
  readonly all: () => readonly PartOfGeneration[];
  /** The number of the generation that `difference` begins at; absent when there is none. */
  readonly base?: number | undefined;
  readonly difference: () => {
    readonly gone: readonly PartOfGeneration[];
    readonly added: readonly PartOfGeneration[];
  };
}

/** What is written beside the number of a generation. */
export interface GenerationHistory {
  readonly instances: readonly InstanceHistory[];
  readonly parts: PartChanges;
  /** All instances that there are, where that is known: what is held of others is gone. */
  readonly onlyInstances?: readonly string[];
}

/** What git tells of a document. */
export type GitState = 'committed' | 'modified' | 'untracked' | 'unavailable';

export interface GitAnswer {
  readonly state: GitState;
  /** The commit that was checked out. */
  readonly head?: string;
  /** Why there is no better answer; of `unavailable`. */
  readonly reason?: string;
}

/** A version of a document of which git is to be asked. */
export interface AskedDocument {
  readonly number: number;
  /** As in `InstanceHistory`. */
  readonly instance: string;
  readonly path: string;
  readonly sha256: string;
  /** What git told of it before: it was not in the commit then. */
  readonly head: string | null;
}

/** How many past rows of each kind are kept, and for how long. */
export interface HistoryRetention {
  readonly revisions: number;
  readonly days: number;
}

import type { DocumentMirror } from './document-mirror.js';
import type { InstanceConfig } from './instance/config.js';
import { reasonWithoutGit } from './instance/document-in-git.js';
import { ingestSettings } from './instance-graph.js';
import type { InstanceHistory, SeenDocument } from './store/provenance/history.js';
import type { RecordStore } from './store/record-store.js';
import { StoreError } from './store/store-error.js';
import { ingestKey } from './version.js';

/** What the documents of one instance are, for one history, which remembers what it was told. */
export interface HistorySource {
  readonly root: string;
  readonly config: () => InstanceConfig;
  readonly mirror: () => DocumentMirror;
  /** Paths of documents that cannot be looked at now. */
  readonly unseen: () => readonly string[];
}

/** Gathers which documents may be other since a history was told last. */
export class PendingHistory {
  readonly #source: HistorySource;
  readonly #label: string;
  /** Paths; undefined: everything may be other. */
  #pending: Set<string> | undefined;
  #isKept = false;
  #program: { readonly config: InstanceConfig; readonly key: string } | undefined;

  /** `label` is the path from the instance whose history it is. */
  constructor(source: HistorySource, label: string) {
    this.#source = source;
    this.#label = label;
  }

  note(paths: Iterable<string>): void {
    if (this.#pending !== undefined) for (const path of paths) this.#pending.add(path);
  }

  /** The documents have come anew, all of them. */
  noteAll(): void {
    this.#pending = undefined;
  }

  /** `digest`: of all documents, where it is at hand. */
  history(digest?: string): InstanceHistory {
    const { root, config, mirror, unseen } = this.#source;
    const pending = this.#pending;
    const withoutGit = pending?.size === 0 ? undefined : reasonWithoutGit(root);
    return {
      instance: this.#label,
      base: config().base,
      program: this.#programOf(config()),
      ...(pending === undefined ? {} : { changed: seenOf(mirror(), pending) }),
      all: () => mirror().seen(),
      unseen: unseen(),
      ...(digest === undefined ? {} : { digest }),
      ...(withoutGit === undefined ? {} : { withoutGit }),
    };
  }

  /** The history has been told what was pending. */
  told(): void {
    if (this.#pending?.size !== 0) this.#isKept = false;
    this.#pending = new Set();
  }

  /** Notes a digest of the documents, so that the next start with the same ones has nothing to tell. One without has to compare them. */
  keep(records: RecordStore, digest: () => string): void {
    if (this.#isKept || this.#pending?.size !== 0) return;
    try {
      records.keepDocumentsDigest(this.#label, digest());
      records.checkpoint();
      this.#isKept = true;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  #programOf(config: InstanceConfig): string {
    if (this.#program?.config !== config) this.#program = { config, key: ingestKey(ingestSettings(config)) };
    return this.#program.key;
  }
}

function seenOf(mirror: DocumentMirror, paths: ReadonlySet<string>): ReadonlyMap<string, SeenDocument | undefined> {
  return new Map([...paths].map((path) => [path, mirror.seenDocument(path)]));
}

import type { DocumentStamp, GraphStore, StoredDocument } from './store/graph-store.js';

/** Documents of an instance by path, with the sha-256 of their bytes: all, or what is other than it was. */
export interface DocumentsHeld {
  readonly all: boolean;
  readonly held: readonly (readonly [path: string, sha256: string])[];
  readonly gone: readonly string[];
}

/** What `load` has found in the store. */
export interface LoadedDocuments {
  /** Documents that are held now, as they were stored. */
  readonly held: readonly string[];
  /** Documents that another process has replaced or removed since the start. */
  readonly raced: readonly string[];
}

/** Which documents of an instance are held, and which of them are other than when that was last asked. */
export class HeldDocuments {
  readonly #store: GraphStore;
  readonly #documents = new Map<string, StoredDocument>();
  /** What the store held at the start, until somebody asks for what was lifted of it. */
  #stamps: ReadonlyMap<string, DocumentStamp> | undefined;
  /** Documents that are held, or no longer held, other than when `take` was last asked; before it is, nothing is noted. */
  #since: Set<string> | undefined;
  /** How often what is held has changed, and had when it was last marked as taken. */
  #version = 0;
  #takenVersion = 0;

  constructor(store: GraphStore) {
    this.#store = store;
  }

  /** Holds what the store holds, of which nothing is read yet but what tells whether a document has changed. Returns that. */
  restore(): ReadonlyMap<string, DocumentStamp> {
    this.#stamps = this.#store.stamps();
    return this.#stamps;
  }

  /** Reads from the store what was lifted, where that was not done yet: ten times as much as what tells that nothing has changed. */
  load(): LoadedDocuments {
    const stamps = this.#stamps;
    if (stamps === undefined) return { held: [], raced: [] };
    this.#stamps = undefined;
    const documents = this.#store.documents();
    const [held, raced]: [string[], string[]] = [[], []];
    // Only of these the scanner knows the signatures: it will tell of a new document, but not that one is gone which it never saw.
    for (const [path, { current, sha256 }] of stamps) {
      const stored = documents.get(path);
      if (stored?.current === true) {
        this.hold(stored, stored.sha256 === sha256);
        held.push(path);
      } else if (current) {
        raced.push(path);
        this.#note(path);
      }
    }
    return { held, raced };
  }

  /** Those that are loaded, by path. */
  get documents(): ReadonlyMap<string, StoredDocument> {
    return this.#documents;
  }

  /** What each document is, loaded or not, by path. */
  get stamps(): ReadonlyMap<string, DocumentStamp> {
    return this.#stamps ?? this.#documents;
  }

  /** `isSame`: it states what it stated when it was held before. */
  hold(stored: StoredDocument, isSame = false): void {
    this.#documents.set(stored.path, stored);
    if (!isSame) this.#note(stored.path);
  }

  /** False when it was not held. */
  drop(path: string): boolean {
    if (!this.#documents.delete(path)) return false;
    this.#note(path);
    return true;
  }

  /** The documents that are held by path, with the sha-256 of the bytes of each. */
  list(): (readonly [path: string, sha256: string])[] {
    return [...this.stamps].flatMap(([path, { sha256, current }]) => (current ? [[path, sha256] as const] : []));
  }

  /** What is held is what it was at the last `markTaken`. */
  get isTaken(): boolean {
    return this.#version === this.#takenVersion;
  }

  markTaken(): void {
    this.#takenVersion = this.#version;
  }

  /** The documents that are held, with their sha-256, other than when this was last asked; or all of them. */
  take(all: boolean): DocumentsHeld {
    const since = all ? undefined : this.#since;
    this.#since = new Set();
    if (this.#stamps !== undefined) return { all: true, held: this.list(), gone: [] };
    const held: [string, string][] = [];
    const gone: string[] = [];
    for (const path of since ?? this.#documents.keys()) {
      const document = this.#documents.get(path);
      if (document === undefined) gone.push(path);
      else held.push([path, document.sha256]);
    }
    return { all: since === undefined, held, gone };
  }

  #note(path: string): void {
    this.#version += 1;
    this.#since?.add(path);
  }
}

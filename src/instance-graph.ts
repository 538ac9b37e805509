import type { Quad } from '@rdfjs/types';
import { DocumentMirror } from './document-mirror.js';
import type { DocumentsHeld } from './held-documents.js';
import type { InstanceConfig } from './instance/config.js';
import type { SkillNode, ToolNode } from './projection/node.js';
import type { Projector } from './projector.js';
import type { OnProgress } from './service.js';
import { type GraphStore, openGraphStore } from './store/graph-store.js';
import { derivedIri, documentIri } from './store/node-iri.js';
import { isDamage, StoreError } from './store/store-error.js';
import { ingestKey } from './version.js';

export interface GraphOptions {
  /** Opens the folder for the store. */
  readonly openState: () => string;
  readonly onIngestProgress: OnProgress;
  readonly onNotice: (words: string) => void;
}

/**
 * The derived store of one instance, and the mirror that keeps it in step with the documents: replaced together when the config asks
 * for other quads, or when the file is lost, because all in it can be derived again (DESIGN decision 12).
 */
export class InstanceGraph {
  readonly #options: GraphOptions;
  #store: GraphStore;
  #mirror: DocumentMirror;
  /** As `DocumentMirror.restore` returns it. */
  readonly seeds: ReadonlyMap<string, string>;

  /** Throws a StoreError when there is no store to be had. */
  constructor(config: InstanceConfig, options: GraphOptions) {
    this.#options = options;
    const { store, mirror, seeds } = this.#openRestored(config);
    this.#store = store;
    this.#mirror = mirror;
    this.seeds = seeds;
  }

  get store(): GraphStore {
    return this.#store;
  }

  get mirror(): DocumentMirror {
    return this.#mirror;
  }

  get tools(): readonly ToolNode[] {
    return [...this.#mirror.nodes.values()].flatMap(({ tools }) => tools);
  }

  get skills(): readonly SkillNode[] {
    return [...this.#mirror.nodes.values()].flatMap(({ skills }) => skills);
  }

  /** How many there are. */
  get documents(): number {
    return this.#mirror.size;
  }

  /** Where the documents that are held are, and those of them that are other than when this was last asked; or all. */
  takeWanted(all: boolean): WantedDocuments {
    return { ...this.#store.place, documents: this.#mirror.takeHeld(all) };
  }

  /** Where the documents that are held are, and all of them. */
  held(): Omit<WantedDocuments, 'documents'> & { readonly documents: ReturnType<DocumentMirror['held']> } {
    return { ...this.#store.place, documents: this.#mirror.held() };
  }

  /** Of the graph with this IRI. */
  quads(graph: string): Quad[] {
    return this.#store.graph(graph);
  }

  get isLost(): boolean {
    return this.#store.isLost;
  }

  /** Opens another store; all documents have to be read again. When that throws, nothing has changed. */
  replace(config: InstanceConfig): void {
    const { isLost } = this;
    const { store, mirror } = this.#openRestored(config);
    this.#store.close();
    this.#store = store;
    this.#mirror = mirror;
    if (isLost && store.notice === undefined) {
      this.#options.onNotice('graph.db was damaged or removed while it was in use; all documents are read again');
    }
  }

  /** IRIs of the graphs of the documents that are held now; `all` adds those that the service derives from them. */
  iris(base: string, all: boolean): string[] {
    return [...this.#mirror.nodes.keys()].flatMap((path) => [
      documentIri(base, path),
      ...(all ? [derivedIri(base, path)] : []),
    ]);
  }

  /** A start without what is kept here does the same in more time. */
  keepForNextStart(projector: Projector): void {
    try {
      if (!this.#mirror.hasChanges) projector.save(this.#store, () => this.#mirror.digest());
      this.#store.checkpoint();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  close(): void {
    this.#store.close();
  }

  #openRestored(config: InstanceConfig): Restored {
    try {
      return this.#openOnce(config);
    } catch (error) {
      // Damage in a large file is found only when it is read; the store has removed that file then.
      if (!isDamage(error)) throw error;
      this.#options.onNotice('graph.db is damaged; it is rebuilt');
      return this.#openOnce(config);
    }
  }

  #openOnce(config: InstanceConfig): Restored {
    const { openState, onIngestProgress, onNotice } = this.#options;
    const { base, allowIris, limits } = config;
    const store = openGraphStore(openState(), ingestKey(ingestSettings(config)));
    try {
      if (store.notice !== undefined) onNotice(store.notice);
      const ingest = { base, allowIris, limits: { bytes: limits.documentBytes } };
      const mirror = new DocumentMirror(store, ingest, onIngestProgress);
      return { store, mirror, seeds: mirror.restore() };
    } catch (error) {
      store.close();
      throw error;
    }
  }
}

/** What a query needs to know of the documents of an instance. */
export interface WantedDocuments {
  readonly folder: string;
  readonly identity: string;
  readonly documents: DocumentsHeld;
}

interface Restored {
  readonly store: GraphStore;
  readonly mirror: DocumentMirror;
  /** As `DocumentMirror.restore` returns it. */
  readonly seeds: ReadonlyMap<string, string>;
}

/** What of the config decides what a document becomes. */
export function ingestSettings({ base, allowIris, folders, limits }: InstanceConfig): unknown {
  const read = folders.map(({ path, kind }) => (kind === undefined ? { path } : { path, kind }));
  return [base, allowIris, read, limits.documentBytes];
}

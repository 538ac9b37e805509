import { type DocumentsHeld, HeldDocuments } from './held-documents.js';
import type { IngestedDocument, SourceFile } from './ingest/document.js';
import { type IngestContext, ingestDocument, readContextDocument } from './ingest/ingest.js';
import type { ScanResult } from './ingest/scan.js';
import type { DocumentChanges, DocumentNodes } from './projection/node.js';
import { documentsDigest } from './projection/saved-projection.js';
import type { OnProgress } from './service.js';
import { foreignStatements } from './store/foreign-statements.js';
import type { DocumentSink, GraphStore, StoredDocument } from './store/graph-store.js';
import { lift } from './store/lift.js';
import type { SeenDocument } from './store/provenance/history.js';
import type { ForeignStatement, UnclaimedSubject } from './store/stray-statements.js';
import { ToolMerges } from './store/tool-merges.js';

/** Documents between two transactions of a first ingest: bounds memory, and lets progress be told. */
const batchSize = 250;
/** Batches that are stored while the next is read: bounds memory, where reading is the faster. */
const mostInFlight = 2;

/** What documents hold beside nodes. */
export interface ExaminedDocuments {
  readonly unclaimed: readonly UnclaimedSubject[];
  readonly foreign: readonly ForeignStatement[];
  /** Paths of the documents that hold no node and need not hold one. */
  readonly prose: readonly string[];
}

/**
 * Keeps the store, and the nodes lifted out of it, in step with what scans find: expand → store → lift for each document that
 * changed, and nothing for one whose bytes an earlier run or another process has stored already (decisions 6 and 17).
 */
export class DocumentMirror {
  readonly #store: GraphStore;
  readonly #ingest: IngestContext;
  readonly #onProgress: OnProgress;
  readonly #merges: ToolMerges;
  readonly #held: HeldDocuments;
  /** Documents that are held, or no longer held, and whose nodes are still what they were. */
  readonly #unmerged = new Set<string>();
  readonly #nodes = new Map<string, DocumentNodes>();
  #changes = new Map<string, DocumentNodes | undefined>();
  readonly #contexts = new Map<string, unknown>();
  /** Documents to expand again although their bytes are stored: a context that they may use has changed. */
  readonly #stale = new Set<string>();
  /** Documents that another process has replaced in the store since they were held. */
  readonly #raced = new Set<string>();

  constructor(store: GraphStore, ingest: Omit<IngestContext, 'contexts'>, onProgress: OnProgress) {
    this.#store = store;
    this.#held = new HeldDocuments(store);
    this.#merges = new ToolMerges(store, ingest.base);
    this.#ingest = { ...ingest, contexts: this.#contexts };
    this.#onProgress = onProgress;
  }

  /**
   * Takes over what the store holds, before the first scan. Returns the signature by path with which the file need not be read;
   * an empty one says that it must be: another version wrote the row, or it is a context, whose content is not in the store.
   */
  restore(): ReadonlyMap<string, string> {
    const signatures = new Map<string, string>();
    for (const [path, { signature, current, kind }] of this.#held.restore()) {
      signatures.set(path, current && kind !== 'context' ? signature : '');
    }
    return signatures;
  }

  /** One text for the documents that are held, and the bytes of each. */
  digest(): string {
    return documentsDigest(this.held());
  }

  /** The documents that are held by path, with the sha-256 of the bytes of each. */
  held(): (readonly [path: string, sha256: string])[] {
    return this.#held.list();
  }

  /** Documents that the store has and that cannot be read at start: never resurrected (decision 3). */
  forget(paths: readonly string[]): void {
    this.#load();
    for (const path of paths) this.#drop(path);
  }

  /** Returns the paths to read again, changed or not: another process wrote them meanwhile, or a context that they may use changed. */
  async apply(scan: Pick<ScanResult, 'changed' | 'removed'>): Promise<ReadonlySet<string>> {
    this.#load();
    if (this.#takeContexts(scan)) {
      for (const [path, { kind }] of this.#held.documents) if (kind === 'nodes') this.#stale.add(path);
    }
    for (const path of this.#remove(scan.removed)) this.#raced.add(path);
    const put = (sink: DocumentSink) => this.#putAll(scan.changed, sink);
    await (scan.changed.length > batchSize ? this.#store.filling(put) : put(this.#store.sink()));
    this.#merge();
    const again = new Set([...this.#raced, ...this.#stale]);
    this.#raced.clear();
    return again;
  }

  get size(): number {
    return this.#held.stamps.size;
  }

  holds(path: string): boolean {
    return this.#held.stamps.has(path);
  }

  /** Whether there is something that `takeChanges` has not told. */
  get hasChanges(): boolean {
    return this.#changes.size > 0 || this.#unmerged.size > 0;
  }

  /** What is held is what it was when `takeChanges` was last asked. */
  get isTaken(): boolean {
    return this.#held.isTaken;
  }

  /** The documents that are held, with their sha-256, other than when this was last asked; or all of them. */
  takeHeld(all: boolean): DocumentsHeld {
    return this.#held.take(all);
  }

  /** What each document gives now, by path. */
  get nodes(): ReadonlyMap<string, DocumentNodes> {
    this.#load();
    this.#merge();
    return this.#nodes;
  }

  /** What each document is, by path; prose is none. */
  seen(): ReadonlyMap<string, SeenDocument> {
    return new Map(
      [...this.#held.stamps.keys()].flatMap((path) => {
        const seen = this.seenDocument(path);
        return seen === undefined ? [] : [[path, seen]];
      }),
    );
  }

  seenDocument(path: string): SeenDocument | undefined {
    const stamp = this.#held.stamps.get(path);
    if (stamp?.current !== true || stamp.kind === 'prose') return undefined;
    const { sha256, signature } = stamp;
    return { sha256, signature, nodes: () => this.nodes.get(path) ?? { tools: [], broken: 'all' } };
  }

  /** What the documents hold beside nodes, for `check`. Throws a StoreError. */
  examine(): ExaminedDocuments {
    this.#load();
    this.#merge();
    const held = [...this.#held.documents.values()];
    return {
      unclaimed: this.#merges.unclaimed(),
      foreign: held.flatMap(({ path, sha256, kind }) =>
        kind === 'nodes' ? foreignStatements(path, this.#store.documentQuads(path, sha256) ?? []) : [],
      ),
      prose: held.flatMap(({ path, kind }) => (kind === 'prose' ? path : [])),
    };
  }

  /** What is other than when this was last asked; the first time, everything. Of a Tool that is merged, its home is. */
  takeChanges(): DocumentChanges {
    this.#load();
    this.#merge();
    const changes = this.#changes;
    this.#changes = new Map();
    this.#held.markTaken();
    return changes;
  }

  /**
   * Nothing is merged before what has changed since is taken: what a document stated in an earlier run is not what it states now
   * (DESIGN decision 3).
   */
  #load(): void {
    const { held, raced } = this.#held.load();
    for (const path of held) this.#unmerged.add(path);
    for (const path of raced) this.#raced.add(path);
  }

  #hold(stored: StoredDocument, isSame = false): void {
    this.#held.hold(stored, isSame);
    this.#unmerged.add(stored.path);
  }

  #drop(path: string): void {
    if (this.#held.drop(path)) this.#unmerged.add(path);
  }

  /** Merges what changed into the nodes. */
  #merge(): void {
    const { concerned, raced } = this.#merges.update(this.#unmerged, this.#held.documents);
    for (const path of raced) this.#raced.add(path);
    for (const path of new Set([...this.#unmerged, ...concerned])) {
      const stored = this.#held.documents.get(path);
      const nodes = stored === undefined ? undefined : this.#merges.nodesOf(stored);
      if (nodes === undefined) this.#nodes.delete(path);
      else this.#nodes.set(path, nodes);
      this.#changes.set(path, nodes);
    }
    this.#unmerged.clear();
  }

  /** Contexts come first, because the other documents are expanded with them. True when one is new, gone or another. */
  #takeContexts({ changed, removed }: Pick<ScanResult, 'changed' | 'removed'>): boolean {
    let news = false;
    for (const path of removed) news = this.#contexts.delete(path) || news;
    for (const file of changed) {
      const context = readContextDocument(file, this.#ingest.limits);
      const had = this.#held.documents.get(file.path);
      if (context === undefined) {
        news = this.#contexts.delete(file.path) || had?.kind === 'context' || news;
      } else {
        this.#contexts.set(file.path, context);
        news = had?.kind !== 'context' || had.sha256 !== file.sha256 || news;
      }
    }
    return news;
  }

  #remove(paths: readonly string[]): readonly string[] {
    const stored = paths.flatMap((path) => {
      const signature = this.#store.document(path)?.signature;
      return signature === undefined ? [] : [{ path, expected: signature }];
    });
    for (const path of paths) {
      this.#drop(path);
      this.#stale.delete(path);
    }
    return stored.length === 0 ? [] : this.#store.removeDocuments(stored).raced;
  }

  /** What is being stored does not keep the next documents from being read. */
  async #putAll(files: readonly SourceFile[], sink: DocumentSink): Promise<void> {
    const storing: Promise<void>[] = [];
    for (let start = 0; start < files.length; start += batchSize) {
      const stored = this.#storeAll(await this.#read(files.slice(start, start + batchSize), sink), sink);
      // That it fails is seen when it is waited for.
      stored.catch(() => {});
      storing.push(stored);
      await storing.at(-1 - mostInFlight);
      this.#onProgress(Math.min(start + batchSize, files.length), files.length);
    }
    await Promise.all(storing);
  }

  /** Gives the sink those of the files that the store does not hold. Returns them, as they are held when they are stored. */
  async #read(files: readonly SourceFile[], sink: DocumentSink): Promise<readonly StoredDocument[]> {
    const read: StoredDocument[] = [];
    for (const file of files) {
      const stored = this.#store.document(file.path);
      if (stored?.current === true && stored.sha256 === file.sha256 && !this.#stale.has(file.path)) {
        if (stored.signature !== file.signature) this.#store.touchDocument(file.path, file.signature, stored.signature);
        this.#hold(stored, this.#held.documents.get(file.path)?.sha256 === stored.sha256);
        continue;
      }
      const document = await ingestDocument(file, this.#ingest);
      const { path, pointers, isChecked } = document;
      const lifted = lift(allQuads(document), this.#ingest.base, path, pointers, isChecked);
      sink.add({ document, lifted, signature: file.signature, expected: stored?.signature });
      read.push(held(document, lifted, file.signature));
    }
    return read;
  }

  async #storeAll(documents: readonly StoredDocument[], sink: DocumentSink): Promise<void> {
    if (documents.length === 0) return;
    const raced = new Set((await sink.flush()).raced);
    for (const document of documents) {
      const { path } = document;
      if (raced.has(path)) {
        this.#raced.add(path);
        continue;
      }
      this.#hold(document);
      this.#stale.delete(path);
    }
  }
}

/** A Tool that is described in ours only in the derived graph is a Tool of the document all the same. */
function allQuads({ quads, derived = [] }: IngestedDocument): IngestedDocument['quads'] {
  return derived.length === 0 ? quads : [...quads, ...derived];
}

function held(
  { path, sha256, kind, diagnostics, broken, pointers }: IngestedDocument,
  lifted: StoredDocument['lifted'],
  signature: string,
): StoredDocument {
  return { path, signature, sha256, kind, lifted, diagnostics, broken, pointers, current: true };
}

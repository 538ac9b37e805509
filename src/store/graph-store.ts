import type { Quad, Term } from '@rdfjs/types';
import type Database from 'better-sqlite3';
import type { PatternVerdict } from '../patterns/verdict.js';
import { type DatabaseFile, defaultBusyTimeoutMs, removeDatabase } from './database-file.js';
import { type DocumentStamp, DocumentTable, type StoredDocument } from './document-table.js';
import { type DocumentSink, type DocumentWrite, encodeDocument, type WriteResult } from './document-write.js';
import { DocumentWriter } from './document-writer.js';
import { FillingThread } from './filling-thread.js';
import { graphFile, openGraph } from './graph-opening.js';
import { dropOrders, makeOrders } from './graph-schema.js';
import { GuardedDatabase } from './guarded-database.js';
import { QuadTable } from './quad-table.js';
import { Iri } from './rdf-terms.js';
import { type Snapshot, SnapshotTable } from './snapshot-table.js';
import { TermDictionary } from './term-dictionary.js';
import { VerdictTable } from './verdict-table.js';

export type { DocumentStamp, StoredDocument } from './document-table.js';
export type { DocumentSink, DocumentWrite, WriteResult } from './document-write.js';
export type { QuadChanges } from './quad-table.js';

/** The derived store of one instance: quads, documents, what was lifted out of them, and verdicts of patterns. */
export interface GraphStore {
  /** What a person should know of the opening: that the file was dropped, and why. */
  readonly notice: string | undefined;
  /** What is written is lost: the file was damaged, or somebody removed or replaced it. Only a new opening helps. */
  readonly isLost: boolean;
  /** The file that is open, for another thread that reads it: its folder, and its `fileIdentity` ('' when it was gone at once). */
  readonly place: { readonly folder: string; readonly identity: string };
  documents(): Map<string, StoredDocument>;
  /** As `documents`, without what was lifted. */
  stamps(): Map<string, DocumentStamp>;
  document(path: string): StoredDocument | undefined;
  /** Documents that are added to it are written by this thread when it is flushed. */
  sink(): DocumentSink;
  /**
   * Runs the work that puts all documents into an empty store, through a sink that writes them in a thread of its own. The orders of
   * the quads are made when they are in, which takes half as long as keeping them; `settled` waits for that. In a store that is not
   * empty the sink is that of `sink`.
   */
  filling<T>(work: (sink: DocumentSink) => Promise<T>): Promise<T>;
  /** Settles when nothing is left to do for a store that was filled. Rejects with a StoreError, and can then be called again. */
  settled(): Promise<void>;
  /** Replaces documents in one immediate transaction (DESIGN decision 6): all of it is stored, or nothing. */
  putDocuments(batch: readonly DocumentWrite[]): WriteResult;
  /** The bytes are the same and only the stat signature changed. False when another process changed the row meanwhile. */
  touchDocument(path: string, signature: string, expected: string): boolean;
  /** Removes documents with their quads; terms stay, because another process may hold their ids. */
  removeDocuments(paths: readonly { readonly path: string; readonly expected: string }[]): WriteResult;
  /** The quads that match, in no particular order; what is left out matches anything. */
  match(subject?: Term | null, predicate?: Term | null, object?: Term | null, graph?: Term | null): Quad[];
  graph(iri: string): Quad[];
  /**
   * What a document states, its derived graph included, while its row is still the one that holds these bytes; undefined when
   * another process has replaced or removed it.
   */
  documentQuads(path: string, sha256: string): Quad[] | undefined;
  /** Those that this version of the program has decided. */
  verdicts(sources: readonly string[]): Map<string, PatternVerdict>;
  putVerdicts(verdicts: ReadonlyMap<string, PatternVerdict>): void;
  /** What `putSnapshot` last kept under the key. */
  snapshot(key: string): Snapshot | undefined;
  putSnapshot(key: string, snapshot: Snapshot): void;
  /** Moves what it can from the write-ahead log into the file, without waiting for anyone. For when the service is idle. */
  checkpoint(): void;
  close(): void;
}

/**
 * Opens `<folder>/graph.db`. A file that is damaged, or has another schema, is dropped and `notice` says so: all in it can be derived again.
 * `programVersion` names all that decides what a document becomes: rows of another are not `current`.
 * Throws a StoreError; so does each method.
 */
export function openGraphStore(
  folder: string,
  programVersion: string,
  { busyTimeoutMs = defaultBusyTimeoutMs }: { readonly busyTimeoutMs?: number } = {},
): GraphStore {
  const file = graphFile(folder, busyTimeoutMs);
  const { db, notice } = openGraph(file);
  return new SqliteGraphStore(db, file, programVersion, notice);
}

class SqliteGraphStore implements GraphStore {
  readonly notice: string | undefined;
  readonly #db: Database.Database;
  readonly #guard: GuardedDatabase;
  readonly #terms: TermDictionary;
  readonly #quads: QuadTable;
  readonly #documents: DocumentTable;
  readonly #writer: DocumentWriter;
  readonly #verdicts: VerdictTable;
  readonly #snapshots: SnapshotTable;
  readonly #file: DatabaseFile;
  readonly #programVersion: string;
  #thread: FillingThread | undefined;
  /** What the thread that filled the store does last. */
  #ordering: Promise<void> | undefined;
  #lacksOrders = false;

  constructor(db: Database.Database, file: DatabaseFile, programVersion: string, notice: string | undefined) {
    this.notice = notice;
    this.#db = db;
    this.#file = file;
    this.#programVersion = programVersion;
    this.#guard = new GuardedDatabase(db, file, removeDatabase);
    this.#terms = new TermDictionary(db);
    this.#quads = new QuadTable(db, this.#terms);
    this.#documents = new DocumentTable(db, programVersion);
    this.#writer = new DocumentWriter(this.#documents, this.#quads);
    this.#verdicts = new VerdictTable(db, programVersion);
    this.#snapshots = new SnapshotTable(db);
  }

  get isLost(): boolean {
    return this.#guard.isLost;
  }

  get place(): { readonly folder: string; readonly identity: string } {
    return { folder: this.#file.folder, identity: this.#guard.identity ?? '' };
  }

  documents(): Map<string, StoredDocument> {
    return this.#guard.run(() => this.#documents.all());
  }

  stamps(): Map<string, DocumentStamp> {
    return this.#guard.run(() => this.#documents.rows());
  }

  document(path: string): StoredDocument | undefined {
    return this.#guard.run(() => this.#documents.get(path));
  }

  sink(): DocumentSink {
    let added: DocumentWrite[] = [];
    return {
      add: (item) => void added.push(item),
      flush: async () => {
        const batch = added;
        added = [];
        return this.putDocuments(batch);
      },
    };
  }

  async filling<T>(work: (sink: DocumentSink) => Promise<T>): Promise<T> {
    const { identity } = this.#guard;
    if (identity === undefined || !this.#guard.immediate(() => this.#beginFilling())) return work(this.sink());
    this.#lacksOrders = true;
    const thread = new FillingThread({ file: this.#file, identity, version: this.#programVersion });
    this.#thread = thread;
    const sink: DocumentSink = {
      add: (item) => thread.add(item),
      flush: () => this.#guarded(thread.flush()),
    };
    try {
      const result = await work(sink);
      this.#ordering = thread.makeOrders().finally(() => thread.end());
      this.#ordering.catch(() => {});
      return result;
    } catch (error) {
      await thread.end();
      throw error;
    }
  }

  async settled(): Promise<void> {
    const ordering = this.#ordering;
    this.#ordering = undefined;
    if (ordering !== undefined) await this.#guarded(ordering);
    else if (this.#lacksOrders) this.#guard.immediate(() => makeOrders(this.#db));
    this.#lacksOrders = false;
  }

  putDocuments(batch: readonly DocumentWrite[]): WriteResult {
    const items = batch.map((write) => {
      const { path, sha256 } = write.document;
      return { path, sha256, expected: write.expected, write };
    });
    const numberOf = (term: Term) => this.#terms.intern(term);
    return this.#write(() => this.#writer.put(items, ({ write }) => encodeDocument(write, numberOf)));
  }

  touchDocument(path: string, signature: string, expected: string): boolean {
    return this.#write(() => this.#writer.touch(path, signature, expected)).written.length === 1;
  }

  removeDocuments(paths: readonly { readonly path: string; readonly expected: string }[]): WriteResult {
    return this.#write(() => this.#writer.remove(paths));
  }

  match(subject?: Term | null, predicate?: Term | null, object?: Term | null, graph?: Term | null): Quad[] {
    return this.#guard.run(() => this.#quads.match(subject, predicate, object, graph));
  }

  graph(iri: string): Quad[] {
    return this.match(null, null, null, new Iri(iri));
  }

  documentQuads(path: string, sha256: string): Quad[] | undefined {
    // One transaction, so that row and quads are of one moment; it only reads.
    const read = this.#db.transaction(() => {
      const graphs = this.#documents.graphs(path, sha256);
      if (graphs === undefined) return undefined;
      return [graphs.graph, graphs.derived].flatMap((graph) =>
        graph === null ? [] : this.#quads.match(null, null, null, this.#terms.term(graph)),
      );
    });
    return this.#guard.run(() => read.deferred());
  }

  verdicts(sources: readonly string[]): Map<string, PatternVerdict> {
    return this.#guard.run(() => this.#verdicts.get(sources));
  }

  putVerdicts(verdicts: ReadonlyMap<string, PatternVerdict>): void {
    this.#guard.immediate(() => this.#verdicts.put(verdicts));
  }

  snapshot(key: string): Snapshot | undefined {
    return this.#guard.run(() => this.#snapshots.get(key));
  }

  putSnapshot(key: string, snapshot: Snapshot): void {
    this.#guard.immediate(() => this.#snapshots.put(key, snapshot));
  }

  checkpoint(): void {
    this.#guard.run(() => this.#db.pragma('wal_checkpoint(PASSIVE)'));
  }

  close(): void {
    void this.#thread?.end();
    this.#guard.close();
  }

  #beginFilling(): boolean {
    if (!this.#quads.isEmpty()) return false;
    dropOrders(this.#db);
    return true;
  }

  /** A failure of the thread is one of the file. */
  async #guarded<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      return this.#guard.run(() => {
        throw error;
      });
    }
  }

  #write(change: () => WriteResult): WriteResult {
    try {
      const result = this.#guard.immediate(change);
      this.#terms.publish();
      return result;
    } catch (error) {
      this.#terms.discard();
      throw error;
    }
  }
}

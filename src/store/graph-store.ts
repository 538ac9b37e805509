import type { Quad, Term } from '@rdfjs/types';
import type Database from 'better-sqlite3';
import type { IngestedDocument } from '../ingest/document.js';
import type { PatternVerdict } from '../patterns/verdict.js';
import {
  checkPages,
  type DatabaseFile,
  defaultBusyTimeoutMs,
  holdingOpenLock,
  openDatabase,
  removeDatabase,
  shownName,
} from './database-file.js';
import { type DocumentStamp, type DocumentState, DocumentTable, type StoredDocument } from './document-table.js';
import { dropOrders, graphPragmas, makeOrders, prepareGraphSchema } from './graph-schema.js';
import { GuardedDatabase } from './guarded-database.js';
import type { Lifted } from './lift.js';
import { type QuadChanges, QuadTable } from './quad-table.js';
import { type Snapshot, SnapshotTable } from './snapshot-table.js';
import { inWords, isDamage, StoreError } from './store-error.js';
import { TermDictionary } from './term-dictionary.js';
import { namedNode } from './terms.js';
import { VerdictTable } from './verdict-table.js';

export type { DocumentStamp, StoredDocument } from './document-table.js';
export type { QuadChanges } from './quad-table.js';

const fileName = 'graph.db';

/** One document to store, and the signature of the row that it was compared with: undefined when there was no row. */
export interface DocumentWrite {
  readonly document: IngestedDocument;
  readonly lifted: Lifted;
  readonly signature: string;
  readonly expected: string | undefined;
}

/** What became of a batch. A document that is `raced` was written by another process meanwhile, and is untouched. */
export interface WriteResult {
  readonly written: string[];
  readonly raced: string[];
  readonly changes: QuadChanges;
}

/** The derived store of one instance: quads, documents, what was lifted out of them, and verdicts of patterns. */
export interface GraphStore {
  /** What a person should know of the opening: that the file was dropped, and why. */
  readonly notice: string | undefined;
  /** What is written is lost: the file was damaged, or somebody removed or replaced it. Only a new opening helps. */
  readonly isLost: boolean;
  documents(): Map<string, StoredDocument>;
  /** As `documents`, without what was lifted. */
  stamps(): Map<string, DocumentStamp>;
  document(path: string): StoredDocument | undefined;
  /**
   * Runs the work that puts all documents into an empty store. The orders of the quads are made when it has ended, which takes
   * half as long as keeping them. In a store that is not empty, only runs it.
   */
  filling<T>(work: () => Promise<T>): Promise<T>;
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
  const file: DatabaseFile = { folder, name: fileName, busyTimeoutMs, synchronous: 'NORMAL', pragmas: graphPragmas };
  return inWords(shownName(file), () => {
    const { db, notice } = holdingOpenLock(folder, busyTimeoutMs, () => openOrDrop(file));
    return new SqliteGraphStore(db, file, programVersion, notice);
  });
}

/** Drops the derived store: `graph.db` with its -wal and -shm, never the records. Returns the names of the files removed. */
export function resetGraph(folder: string): string[] {
  const name = shownName({ folder, name: fileName });
  return inWords(name, () => holdingOpenLock(folder, defaultBusyTimeoutMs, () => removeDatabase(folder, fileName)));
}

function openOrDrop(file: DatabaseFile): { db: Database.Database; notice: string | undefined } {
  const first = tryOpen(file);
  if (typeof first !== 'string') return { db: first, notice: undefined };
  removeDatabase(file.folder, file.name);
  const second = tryOpen(file);
  if (typeof second === 'string') throw new StoreError('failed', `${shownName(file)}: a fresh file fails: ${second}`);
  return { db: second, notice: `${shownName(file)} was dropped and is rebuilt: ${first}` };
}

/** The open database, or why the file has to be dropped. */
function tryOpen(file: DatabaseFile): Database.Database | string {
  let db: Database.Database | undefined;
  try {
    db = openDatabase(file);
    checkPages(db, file);
    const misfit = prepareGraphSchema(db);
    if (misfit === undefined) return db;
    db.close();
    return misfit;
  } catch (error) {
    db?.close();
    if (isDamage(error)) return 'it is damaged';
    throw error;
  }
}

class SqliteGraphStore implements GraphStore {
  readonly notice: string | undefined;
  readonly #db: Database.Database;
  readonly #guard: GuardedDatabase;
  readonly #terms: TermDictionary;
  readonly #quads: QuadTable;
  readonly #documents: DocumentTable;
  readonly #verdicts: VerdictTable;
  readonly #snapshots: SnapshotTable;

  constructor(db: Database.Database, file: DatabaseFile, programVersion: string, notice: string | undefined) {
    this.notice = notice;
    this.#db = db;
    this.#guard = new GuardedDatabase(db, file, removeDatabase);
    this.#terms = new TermDictionary(db);
    this.#quads = new QuadTable(db, this.#terms);
    this.#documents = new DocumentTable(db, programVersion);
    this.#verdicts = new VerdictTable(db, programVersion);
    this.#snapshots = new SnapshotTable(db);
  }

  get isLost(): boolean {
    return this.#guard.isLost;
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

  async filling<T>(work: () => Promise<T>): Promise<T> {
    const isEmpty = this.#guard.immediate(() => {
      if (!this.#quads.isEmpty()) return false;
      dropOrders(this.#db);
      return true;
    });
    if (!isEmpty) return work();
    try {
      return await work();
    } finally {
      this.#guard.immediate(() => makeOrders(this.#db));
    }
  }

  putDocuments(batch: readonly DocumentWrite[]): WriteResult {
    return this.#write(
      batch.map((item) => ({ ...item, path: item.document.path })),
      (item, state) => {
        if (state?.signature === item.expected) return this.#replace(item, state);
        return state?.sha256 === item.document.sha256 ? noChanges : undefined;
      },
    );
  }

  touchDocument(path: string, signature: string, expected: string): boolean {
    const { written } = this.#write([{ path }], (_, state) => {
      if (state?.signature !== expected) return undefined;
      this.#documents.touch(path, signature);
      return noChanges;
    });
    return written.length === 1;
  }

  removeDocuments(paths: readonly { readonly path: string; readonly expected: string }[]): WriteResult {
    return this.#write(paths, ({ path, expected }, state) => {
      if (state === undefined) return noChanges;
      if (state.signature !== expected) return undefined;
      this.#documents.delete(path);
      return this.#emptyGraphs([state.graph, state.derived]);
    });
  }

  match(subject?: Term | null, predicate?: Term | null, object?: Term | null, graph?: Term | null): Quad[] {
    return this.#guard.run(() => this.#quads.match(subject, predicate, object, graph));
  }

  graph(iri: string): Quad[] {
    return this.match(null, null, null, namedNode(iri));
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
    this.#guard.close();
  }

  /** `change` returns undefined, and changes nothing, when the row is no longer the one that was compared. */
  #write<T extends { readonly path: string }>(
    items: readonly T[],
    change: (item: T, state: DocumentState | undefined) => QuadChanges | undefined,
  ): WriteResult {
    try {
      const result = this.#guard.immediate(() => {
        const written: string[] = [];
        const raced: string[] = [];
        const changed: QuadChanges[] = [];
        for (const item of items) {
          const changes = change(item, this.#documents.state(item.path));
          (changes === undefined ? raced : written).push(item.path);
          if (changes !== undefined) changed.push(changes);
        }
        return { written, raced, changes: total(changed) };
      });
      this.#terms.publish();
      return result;
    } catch (error) {
      this.#terms.discard();
      throw error;
    }
  }

  #replace({ document, lifted, signature }: DocumentWrite, state: DocumentState | undefined): QuadChanges {
    const { quads, derived = [] } = document;
    const graphs = { graph: this.#graphOf(quads), derived: this.#graphOf(derived) };
    this.#documents.put(document, lifted, graphs, signature, state);
    const kept = [graphs.graph, graphs.derived];
    const left = [state?.graph ?? null, state?.derived ?? null].filter((graph) => !kept.includes(graph));
    return total([
      this.#emptyGraphs(left),
      ...(graphs.graph === null ? [] : [this.#quads.replaceGraph(graphs.graph, quads)]),
      ...(graphs.derived === null ? [] : [this.#quads.replaceGraph(graphs.derived, derived)]),
    ]);
  }

  /** The id of the one graph that the quads are in, or null when there are none. */
  #graphOf([first]: readonly Quad[]): number | null {
    return first === undefined ? null : this.#terms.intern(first.graph);
  }

  #emptyGraphs(graphs: readonly (number | null)[]): QuadChanges {
    return total(graphs.map((graph) => (graph === null ? noChanges : this.#quads.replaceGraph(graph, []))));
  }
}

const noChanges: QuadChanges = { inserted: 0, deleted: 0 };

function total(changes: readonly QuadChanges[]): QuadChanges {
  return {
    inserted: changes.reduce((sum, { inserted }) => sum + inserted, 0),
    deleted: changes.reduce((sum, { deleted }) => sum + deleted, 0),
  };
}

import type Database from 'better-sqlite3';
import type { CallRecord } from '../invocation/call-record.js';
import { type DatabaseFile, defaultBusyTimeoutMs, setAside, shownName } from './database-file.js';
import { GenerationTable, type NumberedGeneration } from './generation-table.js';
import { GuardedDatabase } from './guarded-database.js';
import {
  type InterruptedCall,
  InvocationTable,
  type KnownServer,
  type Retention,
  type ServerIdentity,
} from './invocation-table.js';
import type {
  AskedDocument,
  GenerationHistory,
  GitAnswer,
  HistoryRetention,
  InstanceHistory,
} from './provenance/history.js';
import { Journal } from './provenance/journal.js';
import { StoredHistory } from './provenance/stored-history.js';
import { newerRecords, openRecords, recordsFile } from './record-opening.js';
import { recordMigrations } from './record-schema.js';
import { inWords } from './store-error.js';

/**
 * How long a statement waits for the lock of another process once the file is open, in ms: nothing else runs meanwhile. No process of ours
 * holds it for more than a few.
 */
const usedBusyTimeoutMs = 1_000;

/** What must outlive the derived store. toolgraph never deletes the file (DESIGN decision 12). */
export interface RecordStore {
  /** What a person should know of the opening: that the file was migrated, or was damaged and set aside. */
  readonly notice: string | undefined;
  /** What is written is lost: the file was damaged, or somebody removed or replaced it. Only a new opening helps. */
  readonly isLost: boolean;
  /**
   * The number of the generation with this digest: that of the last one of the same projection key when the digest is the same, else the
   * next, counted from 1. One sequence a key, whatever the number of processes (DESIGN decision 6). `given` is the last of the key that
   * this process was given: where the file does not know it, the sequence goes on from there. `history` is written in the same transaction:
   * no generation has a number of which the file does not say what it holds (docs/provenance.md).
   */
  nextGeneration(key: string, digest: string, at: Date, options?: NumberingOptions): number;
  /** Much that is other, in portions that take a few ms each, to be written before the generation is numbered; none where it is not much. */
  historyPortions(history: InstanceHistory): readonly InstanceHistory[];
  /** Waits for the lock of another process a millisecond only. */
  putHistoryPortion(portion: InstanceHistory, at: Date): void;
  /** Notes a digest of the documents that were told last, by which the next start knows that nothing is other. */
  keepDocumentsDigest(instance: string, digest: string): void;
  /** Versions of documents of which git is to be asked: those that it was not asked of, or those that hold and were in no commit. */
  documentsForGit(which: 'unasked' | 'uncommitted', at: Date): readonly AskedDocument[];
  putGitAnswers(answers: ReadonlyMap<number, GitAnswer>, at: Date): void;
  /** As `dropCalls`, of what documents, nodes and generations were. */
  dropHistory(retention: HistoryRetention, now: Date): number;
  /**
   * Writes the record of a call, or the end of one that was written. Waits for the lock of another process a millisecond only, and so
   * do all that follow: nothing else runs meanwhile, and whoever calls them can wait in a better way.
   */
  putCall(record: CallRecord, server: ServerIdentity): void;
  /** Notes the process that a running call has started. */
  setLeader(id: string, leader: ServerIdentity): void;
  /** The servers with a call that has not ended. */
  serversWithCalls(): readonly KnownServer[];
  /** Marks the calls that a server which has gone has not ended, and returns them. */
  interrupt(server: KnownServer, at: Date): readonly InterruptedCall[];
  /** Drops some of the oldest records that are more, or older, than are kept. Returns how many; 0 when nothing is left to drop. */
  dropCalls(retention: Retention, now: Date): number;
  /** Moves what it can from the write-ahead log into the file, without waiting for anyone. For when the service is idle. */
  checkpoint(): void;
  close(): void;
}

export interface NumberingOptions {
  readonly given?: NumberedGeneration | undefined;
  readonly history?: GenerationHistory | undefined;
}

/**
 * Opens `<folder>/records.db`. An older schema is backed up beside it and migrated; a newer one throws a StoreError `newer`;
 * a damaged file is renamed to `records.db.corrupt-<n>` and a new one begun, and `notice` says so. Throws a StoreError; so does each method.
 */
export function openRecordStore(
  folder: string,
  {
    busyTimeoutMs = defaultBusyTimeoutMs,
    migrations = recordMigrations,
  }: { readonly busyTimeoutMs?: number; readonly migrations?: readonly string[] } = {},
): RecordStore {
  const file = recordsFile(folder, busyTimeoutMs);
  return inWords(shownName(file), () => {
    const { db, notice } = openRecords(file, migrations);
    const usedFile = { ...file, busyTimeoutMs: Math.min(busyTimeoutMs, usedBusyTimeoutMs) };
    return new SqliteRecordStore(db, usedFile, migrations.length, notice);
  });
}

class SqliteRecordStore implements RecordStore {
  readonly notice: string | undefined;
  readonly #guard: GuardedDatabase;
  readonly #file: DatabaseFile;
  readonly #version: number;
  readonly #userVersion: Database.Statement<[], number>;
  readonly #generations: GenerationTable;
  readonly #calls: InvocationTable;
  readonly #history: StoredHistory;
  readonly #checkpoint: Database.Statement<[]>;

  constructor(db: Database.Database, file: DatabaseFile, version: number, notice: string | undefined) {
    this.notice = notice;
    db.pragma(`busy_timeout = ${file.busyTimeoutMs}`);
    this.#guard = new GuardedDatabase(db, file, (folder, name) => setAside(folder, name, 'corrupt'));
    this.#file = file;
    this.#version = version;
    this.#userVersion = db.prepare<[], number>('PRAGMA user_version').pluck();
    this.#generations = new GenerationTable(db);
    this.#checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    const journal = new Journal(db);
    this.#calls = new InvocationTable(db, journal);
    this.#history = new StoredHistory(db, journal);
  }

  get isLost(): boolean {
    return this.#guard.isLost;
  }

  nextGeneration(key: string, digest: string, at: Date, { given, history }: NumberingOptions = {}): number {
    return this.#guard.immediate(() => {
      this.#refuseMigrated();
      const numbered = this.#generations.next({ key, digest, given }, at);
      if (history !== undefined) this.#history.put({ key, ...numbered, ...history }, at);
      return numbered.number;
    });
  }

  historyPortions(history: InstanceHistory): readonly InstanceHistory[] {
    return this.#guard.run(() => this.#history.documents.portions(history));
  }

  putHistoryPortion(portion: InstanceHistory, at: Date): void {
    this.#soon(() => this.#history.documents.putPortion(portion, at.toISOString()));
  }

  keepDocumentsDigest(instance: string, digest: string): void {
    this.#soon(() => this.#history.documents.keepDigest(instance, digest));
  }

  documentsForGit(which: 'unasked' | 'uncommitted', at: Date): readonly AskedDocument[] {
    const { git } = this.#history;
    return this.#soon(() => (which === 'unasked' ? git.unasked(at.toISOString()) : git.uncommitted()));
  }

  putGitAnswers(answers: ReadonlyMap<number, GitAnswer>, at: Date): void {
    this.#soon(() => this.#history.git.put(answers, at.toISOString()));
  }

  dropHistory(retention: HistoryRetention, now: Date): number {
    return this.#soon(() => this.#history.drop(retention, now));
  }

  putCall(record: CallRecord, server: ServerIdentity): void {
    this.#soon(() => this.#calls.put(record, server));
  }

  setLeader(id: string, leader: ServerIdentity): void {
    this.#soon(() => this.#calls.setLeader(id, leader));
  }

  serversWithCalls(): readonly KnownServer[] {
    return this.#soon(() => this.#calls.serversWithCalls());
  }

  interrupt(server: KnownServer, at: Date): readonly InterruptedCall[] {
    return this.#soon(() => this.#calls.interrupt(server, at));
  }

  dropCalls(retention: Retention, now: Date): number {
    return this.#soon(() => this.#calls.drop(retention, now));
  }

  checkpoint(): void {
    this.#guard.run(() => void this.#checkpoint.all());
  }

  close(): void {
    this.#guard.close();
  }

  #soon<T>(act: () => T): T {
    return this.#guard.soon(() => {
      this.#refuseMigrated();
      return act();
    });
  }

  /** A newer toolgraph may have migrated the file since it was opened. */
  #refuseMigrated(): void {
    const version = this.#userVersion.get() ?? 0;
    if (version !== this.#version) throw newerRecords(this.#file, version, this.#version);
  }
}

import { join } from 'node:path';
import type Database from 'better-sqlite3';
import canonicalize from 'canonicalize';
import type { CallRecord } from '../invocation/call-record.js';
import {
  checkPages,
  type DatabaseFile,
  defaultBusyTimeoutMs,
  freeName,
  holdingOpenLock,
  openDatabase,
  setAside,
  shownName,
} from './database-file.js';
import { GuardedDatabase } from './guarded-database.js';
import {
  type InterruptedCall,
  InvocationTable,
  invocationTables,
  type KnownServer,
  type Retention,
  type ServerIdentity,
  survivorColumns,
} from './invocation-table.js';
import type {
  AskedDocument,
  GenerationHistory,
  GitAnswer,
  HistoryRetention,
  InstanceHistory,
} from './provenance/history.js';
import { historyTables } from './provenance/history-tables.js';
import { Journal } from './provenance/journal.js';
import { StoredHistory } from './provenance/stored-history.js';
import { inWords, isDamage, isRefusedStatement, StoreError } from './store-error.js';

export const recordsFileName = 'records.db';

/**
 * How long a statement waits for the lock of another process once the file is open, in ms: nothing else runs meanwhile. No process of ours
 * holds it for more than a few.
 */
const usedBusyTimeoutMs = 1_000;

/** The nth brings the file from `user_version` n to n + 1. An entry that was released is never changed. */
export const recordMigrations: readonly string[] = [
  `CREATE TABLE generation(key TEXT NOT NULL, number INTEGER NOT NULL, digest TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY(key, number)) STRICT, WITHOUT ROWID`,
  invocationTables,
  historyTables,
  survivorColumns,
];
/** The `user_version` of a file with all of them. */
export const recordsVersion = recordMigrations.length;
/** The first that has records of calls. */
export const firstCallsVersion = recordMigrations.indexOf(invocationTables) + 1;
/** The `user_version` from which on a file has a history. */
export const firstHistoryVersion = recordMigrations.indexOf(historyTables) + 1;

/**
 * A checkpoint waits for the disk: one is made when the service is idle, and one while it is not only when the log has come to 32 MiB, where
 * the default is 4. The cache holds what a first start writes.
 */
const recordPragmas = ['wal_autocheckpoint = 8192', 'cache_size = -16384'];

const lastGeneration = 'SELECT number, digest FROM generation WHERE key = ? ORDER BY number DESC LIMIT 1';

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

export interface NumberedGeneration {
  readonly number: number;
  readonly digest: string;
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
  // A loss of power may take back the last numbers, which then are given again; the digest tells such generations apart. To wait for
  // the disk would cost each edit more than all of the projection.
  const file: DatabaseFile = {
    folder,
    name: recordsFileName,
    busyTimeoutMs,
    synchronous: 'NORMAL',
    pragmas: recordPragmas,
  };
  return inWords(shownName(file), () => {
    const { db, notice } = holdingOpenLock(folder, busyTimeoutMs, () => openOrSetAside(file, migrations));
    const usedFile = { ...file, busyTimeoutMs: Math.min(busyTimeoutMs, usedBusyTimeoutMs) };
    return new SqliteRecordStore(db, usedFile, migrations.length, notice);
  });
}

interface Opened {
  readonly db: Database.Database;
  readonly notice: string | undefined;
}

function openOrSetAside(file: DatabaseFile, migrations: readonly string[]): Opened {
  try {
    return openMigrated(file, migrations);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const aside = setAside(file.folder, file.name, 'corrupt');
    const notice = `${shownName(file)} is damaged; it was renamed to ${aside}, and a new one begun`;
    return { ...openMigrated(file, migrations), notice };
  }
}

function openMigrated(file: DatabaseFile, migrations: readonly string[]): Opened {
  const db = openDatabase(file);
  try {
    checkPages(db, file);
    const version = Number(db.pragma('user_version', { simple: true }));
    if (version > migrations.length) throw newerRecords(file, version, migrations.length);
    const isOurs = version === migrations.length ? hasOurTables(db) : hasTablesOf(db, migrations.slice(0, version));
    if (!isOurs) throw new StoreError('corrupt', `${shownName(file)}: its tables are not those of toolgraph`);
    if (version === migrations.length) return { db, notice: undefined };
    const backup = isEmpty(db) ? undefined : backUp(db, file, version);
    migrate(db, version, migrations);
    if (backup === undefined) return { db, notice: undefined };
    const notice = `${shownName(file)} was migrated from version ${version} to ${migrations.length}; ${backup} holds it as it was`;
    return { db, notice };
  } catch (error) {
    db.close();
    throw error;
  }
}

function hasOurTables(db: Database.Database): boolean {
  try {
    db.prepare(lastGeneration);
    new InvocationTable(db);
    new StoredHistory(db, new Journal(db));
    return true;
  } catch (error) {
    if (isRefusedStatement(error)) return false;
    throw error;
  }
}

/** Of an older file only the names are looked at: our statements are for the tables that it will have. */
function hasTablesOf(db: Database.Database, migrations: readonly string[]): boolean {
  const found = new Set(db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all());
  return migrations.every((statements) =>
    [...statements.matchAll(/CREATE TABLE (\w+)/g)].every(([, name = '']) => found.has(name)),
  );
}

/** A newer toolgraph has written the file. */
export function newerRecords(
  file: Pick<DatabaseFile, 'folder' | 'name'>,
  version: number,
  known = recordsVersion,
): StoreError {
  return new StoreError(
    'newer',
    `${shownName(file)}: a newer toolgraph wrote it (version ${version}, this one knows ${known}); update toolgraph, or move the file away`,
  );
}

function isEmpty(db: Database.Database): boolean {
  return db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
}

/** A consistent copy of what is committed, the write-ahead log included. */
function backUp(db: Database.Database, { folder, name }: DatabaseFile, version: number): string {
  const backup = freeName(folder, `${name}.version-${version}`);
  db.prepare('VACUUM INTO ?').run(join(folder, backup));
  return backup;
}

function migrate(db: Database.Database, from: number, migrations: readonly string[]): void {
  db.function('jcs', { deterministic: true }, (text) => canonicalize(JSON.parse(String(text))) ?? '');
  const all = db.transaction(() => {
    for (const statement of migrations.slice(from)) db.exec(statement);
    db.pragma(`user_version = ${migrations.length}`);
  });
  all.immediate();
}

class SqliteRecordStore implements RecordStore {
  readonly notice: string | undefined;
  readonly #guard: GuardedDatabase;
  readonly #file: DatabaseFile;
  readonly #version: number;
  readonly #userVersion: Database.Statement<[], number>;
  readonly #last: Database.Statement<[string], NumberedGeneration>;
  readonly #add: Database.Statement<[string, number, string, string]>;
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
    this.#last = db.prepare(lastGeneration);
    this.#add = db.prepare('INSERT INTO generation(key, number, digest, at) VALUES (?, ?, ?, ?)');
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
      const last = this.#last.get(key);
      const number = last?.digest === digest ? last.number : this.#addGeneration(key, digest, at, last, given);
      if (history !== undefined) this.#history.put({ key, number, before: last?.number, ...history }, at);
      return number;
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

  #addGeneration(
    key: string,
    digest: string,
    at: Date,
    last: NumberedGeneration | undefined,
    given: NumberedGeneration | undefined,
  ): number {
    const isGiven = last === undefined && given?.digest === digest;
    const number = isGiven ? given.number : Math.max(last?.number ?? 0, given?.number ?? 0) + 1;
    this.#add.run(key, number, digest, at.toISOString());
    return number;
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

import { join } from 'node:path';
import type Database from 'better-sqlite3';
import canonicalize from 'canonicalize';
import {
  checkPages,
  type DatabaseFile,
  freeName,
  holdingOpenLock,
  openDatabase,
  setAside,
  shownName,
} from './database-file.js';
import { GenerationTable } from './generation-table.js';
import { InvocationTable } from './invocation-table.js';
import { Journal } from './provenance/journal.js';
import { StoredHistory } from './provenance/stored-history.js';
import { recordsVersion } from './record-schema.js';
import { isDamage, isRefusedStatement, StoreError } from './store-error.js';

export const recordsFileName = 'records.db';

/**
 * A checkpoint waits for the disk: one is made when the service is idle, and one while it is not only when the log has come to 32 MiB, where
 * the default is 4. The cache holds what a first start writes.
 */
const recordPragmas = ['wal_autocheckpoint = 8192', 'cache_size = -16384'];

/** The records of a state folder. */
export function recordsFile(folder: string, busyTimeoutMs: number): DatabaseFile {
  // A loss of power may take back the last numbers, which then are given again; the digest tells such generations apart. To wait for
  // the disk would cost each edit more than all of the projection.
  return { folder, name: recordsFileName, busyTimeoutMs, synchronous: 'NORMAL', pragmas: recordPragmas };
}

interface Opened {
  readonly db: Database.Database;
  readonly notice: string | undefined;
}

/**
 * Opens the file, with all tables in it: an older one is backed up beside it and migrated, a damaged one is renamed and a new one begun;
 * `notice` says so. Throws a StoreError: `newer` for one that a newer toolgraph has written.
 */
export function openRecords(file: DatabaseFile, migrations: readonly string[]): Opened {
  return holdingOpenLock(file.folder, file.busyTimeoutMs, () => openOrSetAside(file, migrations));
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
    new GenerationTable(db);
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

import type Database from 'better-sqlite3';
import {
  checkPages,
  type DatabaseFile,
  defaultBusyTimeoutMs,
  fileIdentity,
  holdingOpenLock,
  openDatabase,
  removeDatabase,
  shownName,
} from './database-file.js';
import { graphPragmas, prepareGraphSchema } from './graph-schema.js';
import { inWords, isDamage, StoreError } from './store-error.js';

const fileName = 'graph.db';

/** The derived store of a state folder. */
export function graphFile(folder: string, busyTimeoutMs: number): DatabaseFile {
  return { folder, name: fileName, busyTimeoutMs, synchronous: 'NORMAL', pragmas: graphPragmas };
}

/**
 * Opens the file. One that is damaged, or has another schema, is dropped, and `notice` says so: all in it can be derived again.
 * Throws a StoreError.
 */
export function openGraph(file: DatabaseFile): { db: Database.Database; notice: string | undefined } {
  return inWords(shownName(file), () => holdingOpenLock(file.folder, file.busyTimeoutMs, () => openOrDrop(file)));
}

/** Opens the file that is open already, by its `fileIdentity`, a second time; throws when another is in its place, or none. */
export function openGraphAgain(file: DatabaseFile, identity: string): Database.Database {
  return holdingOpenLock(file.folder, file.busyTimeoutMs, () => {
    if (fileIdentity(file) === identity) return openDatabase(file);
    throw new StoreError('failed', `${shownName(file)}: the file was removed or replaced while it was in use`);
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

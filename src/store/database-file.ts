import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { isBusy, StoreError } from './store-error.js';

/** How long a process waits for the lock of another by default. A batch of 500 documents holds it for about half a second. */
export const defaultBusyTimeoutMs = 10_000;

/** A file up to this size is checked at every opening, in about 40 ms; damage in a larger one is found when it is read. */
const checkedBytes = 16 * 1024 * 1024;

/** One SQLite file in a state folder. */
export interface DatabaseFile {
  readonly folder: string;
  /** As `graph.db`. */
  readonly name: string;
  readonly busyTimeoutMs: number;
  /** NORMAL may lose the last transactions on a loss of power, never the file. */
  readonly synchronous: 'NORMAL' | 'FULL';
  /** Applied after `journal_mode` and `synchronous`. */
  readonly pragmas: readonly string[];
}

/** The name of a file for messages: no path of the host. */
export function shownName({ folder, name }: Pick<DatabaseFile, 'folder' | 'name'>): string {
  return `${basename(folder)}/${name}`;
}

/**
 * Opens the file in WAL mode, making it when it is absent. Waits while others hold it; then throws the SqliteError.
 * `synchronous` is set always: an existing WAL file opens with NORMAL, a fresh one with FULL (notes/rdf.md §2).
 */
export function openDatabase(file: DatabaseFile): Database.Database {
  refuseFolder(file);
  return retryWhileBusy(file.busyTimeoutMs, () => {
    const db = new Database(join(file.folder, file.name), { timeout: file.busyTimeoutMs });
    try {
      db.pragma('journal_mode = WAL');
      db.pragma(`synchronous = ${file.synchronous}`);
      db.pragma('trusted_schema = OFF');
      for (const pragma of file.pragmas) db.pragma(pragma);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Tells the file from another one that is put in its place; undefined when there is none. */
export function fileIdentity({ folder, name }: Pick<DatabaseFile, 'folder' | 'name'>): string | undefined {
  try {
    const stat = statSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
    return stat && `${stat.dev}:${stat.ino}`;
  } catch {
    // A file stands in the place of the folder.
    return undefined;
  }
}

/** Throws a StoreError `corrupt` when a page of a file that is not large is damaged. */
export function checkPages(db: Database.Database, file: DatabaseFile): void {
  if (statSync(join(file.folder, file.name)).size > checkedBytes) return;
  const [found] = db.prepare('PRAGMA quick_check(1)').pluck().all();
  if (found !== 'ok') throw new StoreError('corrupt', `${shownName(file)}: the file is damaged (${String(found)})`);
}

/**
 * Runs `act` while no other process opens, drops or migrates a store of this folder. Between the unlinking of a database and of its
 * -wal and -shm, another opener would join halves of two databases. The kernel frees the lock when a process dies.
 */
export function holdingOpenLock<T>(folder: string, busyTimeoutMs: number, act: () => T): T {
  const lock = new Database(join(folder, 'open.lock'), { timeout: busyTimeoutMs });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return act();
  } finally {
    lock.close();
  }
}

/** Removes the database; processes that have it open keep their own copy until they close it. Returns the names removed. */
export function removeDatabase(folder: string, name: string): string[] {
  const present = partNames(name).filter((part) => existsSync(join(folder, part)));
  for (const part of present) rmSync(join(folder, part), { force: true });
  return present;
}

/** Renames the database to the first free `<name>.<label>-<n>`, counted from 1. Returns that name. */
export function setAside(folder: string, name: string, label: string): string {
  const aside = freeName(folder, `${name}.${label}`);
  for (const [part, target] of partNames(name).map((part, i) => [part, partNames(aside)[i] ?? part] as const)) {
    if (existsSync(join(folder, part))) renameSync(join(folder, part), join(folder, target));
  }
  return aside;
}

/** The first `<stem>-<n>` that no file in the folder has, counted from 1. */
export function freeName(folder: string, stem: string): string {
  let n = 1;
  while (partNames(`${stem}-${n}`).some((part) => existsSync(join(folder, part)))) n += 1;
  return `${stem}-${n}`;
}

function partNames(name: string): [string, string, string] {
  return [name, `${name}-wal`, `${name}-shm`];
}

function refuseFolder(file: DatabaseFile): void {
  if (statSync(join(file.folder, file.name), { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw new StoreError('unwritable', `${shownName(file)}: expected a file, and it is a folder; remove it`);
}

// SQLite does not call its busy handler in every state of opening and closing a WAL file.
function retryWhileBusy<T>(timeoutMs: number, act: () => T): T {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return act();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

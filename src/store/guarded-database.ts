import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { type DatabaseFile, fileIdentity, holdingOpenLock, shownName } from './database-file.js';
import { inWords, StoreError } from './store-error.js';

/** How long a statement waits for a lock for which one before it has waited in vain: nothing else runs while it waits. */
const impatientMs = 250;
/** The same for one who tries again after a pause in which all else goes on. */
const briefMs = 1;

/** An open database whose errors are StoreErrors, and whose file is put out of the way when it turns out to be damaged. */
export class GuardedDatabase {
  readonly #db: Database.Database;
  readonly #file: DatabaseFile;
  /** The `fileIdentity` of the file that is open. */
  readonly identity: string | undefined;
  readonly #putAway: (folder: string, name: string) => void;
  /** Made once: better-sqlite3 makes four functions for each. */
  readonly #transaction: Database.Transaction<(act: () => unknown) => unknown>;
  #isImpatient = false;
  /** What SQLite was told last; undefined before that. */
  #toldMs: number | undefined;

  /** `putAway` removes or renames the damaged file, so that the next opening begins a new one. */
  constructor(db: Database.Database, file: DatabaseFile, putAway: (folder: string, name: string) => void) {
    this.#db = db;
    this.#file = file;
    this.identity = fileIdentity(file);
    this.#putAway = putAway;
    this.#transaction = db.transaction((act) => act());
  }

  /** What is written is lost: the file was damaged, or somebody removed or replaced it. Only a new opening helps. */
  get isLost(): boolean {
    if (!this.#db.open) return true;
    if (fileIdentity(this.#file) === this.identity) return false;
    // Where the instance itself is away, the file is with it, or nothing can be begun in its place.
    return existsSync(dirname(this.#file.folder));
  }

  /** Runs `act` outside of a transaction. */
  run<T>(act: () => T): T {
    try {
      return this.#guarded(this.#timeoutMs, act);
    } catch (error) {
      if (error instanceof StoreError && error.code === 'busy') this.#become({ impatient: true });
      throw error;
    }
  }

  /** Runs `act` in an immediate transaction: a deferred one fails when another process wrote meanwhile (DESIGN decision 6). */
  immediate<T>(act: () => T): T {
    const result = this.run(() => this.#transaction.immediate(act) as T);
    this.#become({ impatient: false });
    return result;
  }

  /** As `immediate`, but waits for a lock a millisecond only. */
  soon<T>(act: () => T): T {
    return this.#guarded(briefMs, () => this.#transaction.immediate(act) as T);
  }

  /** May be called twice. */
  close(): void {
    if (this.#db.open) this.run(() => this.#db.close());
  }

  #guarded<T>(timeoutMs: number, act: () => T): T {
    if (!this.#db.open) throw new StoreError('failed', `${shownName(this.#file)}: it is closed`);
    try {
      return inWords(shownName(this.#file), () => {
        this.#wait(timeoutMs);
        return act();
      });
    } catch (error) {
      if (error instanceof StoreError && error.code === 'corrupt') this.#giveUp();
      throw error;
    }
  }

  #become({ impatient }: { readonly impatient: boolean }): void {
    this.#isImpatient = impatient;
    this.#wait(this.#timeoutMs);
  }

  get #timeoutMs(): number {
    const { busyTimeoutMs } = this.#file;
    return this.#isImpatient ? Math.min(impatientMs, busyTimeoutMs) : busyTimeoutMs;
  }

  /** How long SQLite waits for a lock from now on. */
  #wait(ms: number): void {
    if (ms === this.#toldMs) return;
    this.#db.pragma(`busy_timeout = ${ms}`);
    this.#toldMs = ms;
  }

  /** Leaves the file alone when another process has replaced it already. */
  #giveUp(): void {
    try {
      holdingOpenLock(this.#file.folder, this.#file.busyTimeoutMs, () => {
        if (fileIdentity(this.#file) === this.identity) this.#putAway(this.#file.folder, this.#file.name);
      });
    } finally {
      this.#db.close();
    }
  }
}

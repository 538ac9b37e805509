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
  #isImpatient = false;

  /** `putAway` removes or renames the damaged file, so that the next opening begins a new one. */
  constructor(db: Database.Database, file: DatabaseFile, putAway: (folder: string, name: string) => void) {
    this.#db = db;
    this.#file = file;
    this.identity = fileIdentity(file);
    this.#putAway = putAway;
  }

  /** What is written is lost: the file was damaged, or somebody removed or replaced it. Only a new opening helps. */
  get isLost(): boolean {
    if (!this.#db.open) return true;
    // The instance itself is away: the file is with it, or nothing can be begun in its place.
    if (!existsSync(dirname(this.#file.folder))) return false;
    return fileIdentity(this.#file) !== this.identity;
  }

  /** Runs `act` outside of a transaction. */
  run<T>(act: () => T): T {
    try {
      return this.#guarded(act);
    } catch (error) {
      if (error instanceof StoreError && error.code === 'busy') this.#wait(true);
      throw error;
    }
  }

  /** Runs `act` in an immediate transaction: a deferred one fails when another process wrote meanwhile (DESIGN decision 6). */
  immediate<T>(act: () => T): T {
    const transaction = this.#db.transaction(act);
    const result = this.run(() => transaction.immediate());
    this.#wait(false);
    return result;
  }

  /** As `immediate`, but waits for a lock a millisecond only. */
  soon<T>(act: () => T): T {
    const transaction = this.#db.transaction(act);
    return this.#guarded(() => {
      this.#setTimeout(briefMs);
      try {
        return transaction.immediate();
      } finally {
        this.#setTimeout(this.#timeoutMs);
      }
    });
  }

  /** May be called twice. */
  close(): void {
    if (this.#db.open) this.run(() => this.#db.close());
  }

  #guarded<T>(act: () => T): T {
    if (!this.#db.open) throw new StoreError('failed', `${shownName(this.#file)}: it is closed`);
    try {
      return inWords(shownName(this.#file), act);
    } catch (error) {
      if (error instanceof StoreError && error.code === 'corrupt') this.#giveUp();
      throw error;
    }
  }

  #wait(isImpatient: boolean): void {
    if (isImpatient === this.#isImpatient) return;
    this.#isImpatient = isImpatient;
    this.#setTimeout(this.#timeoutMs);
  }

  get #timeoutMs(): number {
    const { busyTimeoutMs } = this.#file;
    return this.#isImpatient ? Math.min(impatientMs, busyTimeoutMs) : busyTimeoutMs;
  }

  #setTimeout(ms: number): void {
    this.#db.pragma(`busy_timeout = ${ms}`);
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

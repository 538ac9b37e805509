import { statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { type DatabaseFile, holdingOpenLock, shownName } from './database-file.js';
import { inWords, StoreError } from './store-error.js';

/** An open database whose errors are StoreErrors, and whose file is put out of the way when it turns out to be damaged. */
export class GuardedDatabase {
  readonly #db: Database.Database;
  readonly #file: DatabaseFile;
  readonly #identity: string | undefined;
  readonly #putAway: (folder: string, name: string) => void;

  /** `putAway` removes or renames the damaged file, so that the next opening begins a new one. */
  constructor(db: Database.Database, file: DatabaseFile, putAway: (folder: string, name: string) => void) {
    this.#db = db;
    this.#file = file;
    this.#identity = fileIdentity(file);
    this.#putAway = putAway;
  }

  /** Runs `act` outside of a transaction. */
  run<T>(act: () => T): T {
    if (!this.#db.open) throw new StoreError('failed', `${shownName(this.#file)}: it is closed`);
    try {
      return inWords(shownName(this.#file), act);
    } catch (error) {
      if (error instanceof StoreError && error.code === 'corrupt') this.#giveUp();
      throw error;
    }
  }

  /** Runs `act` in an immediate transaction: a deferred one fails when another process wrote meanwhile (DESIGN decision 6). */
  immediate<T>(act: () => T): T {
    return this.run(() => this.#db.transaction(act).immediate());
  }

  /** May be called twice. */
  close(): void {
    if (this.#db.open) this.run(() => this.#db.close());
  }

  /** Leaves the file alone when another process has replaced it already. */
  #giveUp(): void {
    try {
      holdingOpenLock(this.#file.folder, this.#file.busyTimeoutMs, () => {
        if (fileIdentity(this.#file) === this.#identity) this.#putAway(this.#file.folder, this.#file.name);
      });
    } finally {
      this.#db.close();
    }
  }
}

function fileIdentity({ folder, name }: DatabaseFile): string | undefined {
  const stat = statSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}`;
}

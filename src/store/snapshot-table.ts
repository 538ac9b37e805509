import type Database from 'better-sqlite3';

/** Service with other options, or on another host, have snapshots of their own; those of which none was made for long go. */
const kept = 8;

/** The result of a projection as it is kept for the next start. */
export interface Snapshot {
  /** All that is needed to tell whether it still holds, and what is said of it at once. */
  readonly head: string;
  /** The entries, UTF-8 JSON: as large as the list, so they are decoded when somebody asks for them. */
  readonly entries: Uint8Array;
}

/** The `snapshot` table: one row a projection key. Has no transaction of its own. */
export class SnapshotTable {
  readonly #get: Database.Statement<[string], Snapshot>;
  readonly #put: Database.Statement<[string, string, Uint8Array]>;
  readonly #trim: Database.Statement<[number]>;

  constructor(db: Database.Database) {
    this.#get = db.prepare('SELECT head, entries FROM snapshot WHERE key = ?');
    this.#put = db.prepare('INSERT OR REPLACE INTO snapshot(key, head, entries) VALUES (?, ?, ?)');
    this.#trim = db.prepare(
      'DELETE FROM snapshot WHERE rowid NOT IN (SELECT rowid FROM snapshot ORDER BY rowid DESC LIMIT ?)',
    );
  }

  get(key: string): Snapshot | undefined {
    return this.#get.get(key);
  }

  put(key: string, { head, entries }: Snapshot): void {
    this.#put.run(key, head, entries);
    this.#trim.run(kept);
  }
}

import { deflateSync, inflateSync } from 'node:zlib';
import type Database from 'better-sqlite3';

/** Service with other options, or on another host, have snapshots of their own; those of which none was made for long go. */
const kept = 8;

/** The result of a projection as it is kept for the next start. */
export interface Snapshot {
  /** All that is needed to tell whether it still holds, and what is said of it at once. */
  readonly head: string;
  /** The entries, UTF-8 JSON: larger than the list, so they are decoded when somebody asks for them. May throw when damaged. */
  readonly entries: () => Uint8Array;
}

/** The `snapshot` table: one row a projection key. Has no transaction of its own. */
export class SnapshotTable {
  readonly #get: Database.Statement<[string], { head: string; entries: Buffer }>;
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
    const row = this.#get.get(key);
    return row && { head: row.head, entries: () => inflateSync(row.entries) };
  }

  put(key: string, { head, entries }: Snapshot): void {
    // A long value is a chain of pages, each of which is looked for, so a tenth of the bytes is read in a tenth of the time.
    this.#put.run(key, head, deflateSync(entries(), { level: 1 }));
    this.#trim.run(kept);
  }
}

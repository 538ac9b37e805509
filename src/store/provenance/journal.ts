import type Database from 'better-sqlite3';

/** What an entry names: by number, a generation as `<number of its projection>/<number>`, a call by its id. */
export type JournalKind = 'document' | 'revision' | 'part' | 'call' | 'generation';

/** Changes that a reader may be behind before it has to read everything again. */
const keptEntries = 100_000;

/** Names rows that are other than when they were written. Each method is to be run in a transaction; each throws an SqliteError. */
export class Journal {
  readonly #add: Database.Statement<[string, string]>;
  readonly #trim: Database.Statement<[number]>;

  constructor(db: Database.Database) {
    this.#add = db.prepare('INSERT INTO journal(kind, name) VALUES (?, ?)');
    this.#trim = db.prepare('DELETE FROM journal WHERE seq <= (SELECT max(seq) FROM journal) - ?');
  }

  add(kind: JournalKind, name: number | string): void {
    this.#add.run(kind, String(name));
  }

  trim(): void {
    this.#trim.run(keptEntries);
  }
}

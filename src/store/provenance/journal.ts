import type Database from 'better-sqlite3';

/** What an entry names: by number, a generation as `<number of its projection>/<number>`, a call by its id. */
export type JournalKind = 'document' | 'revision' | 'part' | 'call' | 'generation';

/** Changes that a reader may be behind before it has to read everything again. */
const keptEntries = 100_000;

/** Names rows that are other than when they were written. Each method is to be run in a transaction; each throws an SqliteError. */
export class Journal {
  readonly #add: Database.Statement<[string, string]>;
  readonly #addKey: Database.Statement<[{ projection: number; key: string }]>;
  readonly #trim: Database.Statement<[number]>;

  constructor(db: Database.Database) {
    this.#add = db.prepare('INSERT INTO journal(kind, name) VALUES (?, ?)');
    this.#addKey = db.prepare(
      `INSERT INTO journal(kind, name)
       SELECT 'generation', @projection || '/' || number FROM generation WHERE key = @key
       UNION ALL SELECT 'call', id FROM invocation WHERE generation_key = @key`,
    );
    this.#trim = db.prepare('DELETE FROM journal WHERE seq <= (SELECT max(seq) FROM journal) - ?');
  }

  add(kind: JournalKind, name: number | string): void {
    this.#add.run(kind, String(name));
  }

  /** The key is the history's from now on: with it its generations and calls are, those from before too. */
  addKey(projection: number, key: string): void {
    this.#addKey.run({ projection, key });
  }

  trim(): void {
    this.#trim.run(keptEntries);
  }
}

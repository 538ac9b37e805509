import type Database from 'better-sqlite3';

export interface NumberedGeneration {
  readonly number: number;
  readonly digest: string;
}

/** What is to be numbered: a digest, of the sequence that the key names. */
export interface GenerationToNumber {
  readonly key: string;
  readonly digest: string;
  /** The last of the key that this process was given. */
  readonly given: NumberedGeneration | undefined;
}

/** The `generation` table: the numbers that were given, and to which digests. Has no transaction of its own. */
export class GenerationTable {
  readonly #last: Database.Statement<[string], NumberedGeneration>;
  readonly #add: Database.Statement<[string, number, string, string]>;

  constructor(db: Database.Database) {
    this.#last = db.prepare('SELECT number, digest FROM generation WHERE key = ? ORDER BY number DESC LIMIT 1');
    this.#add = db.prepare('INSERT INTO generation(key, number, digest, at) VALUES (?, ?, ?, ?)');
  }

  /** The number as `RecordStore.nextGeneration` says, and the one that was the last of the key before. */
  next({ key, digest, given }: GenerationToNumber, at: Date): { number: number; before: number | undefined } {
    const last = this.#last.get(key);
    const before = last?.number;
    if (last?.digest === digest) return { number: last.number, before };
    const isGiven = last === undefined && given?.digest === digest;
    const number = isGiven ? given.number : Math.max(before ?? 0, given?.number ?? 0) + 1;
    this.#add.run(key, number, digest, at.toISOString());
    return { number, before };
  }
}

import type Database from 'better-sqlite3';
import type { PatternVerdict } from '../patterns/verdict.js';

/** The `pattern` table: what is known of regular expressions, by their source. Has no transaction of its own. */
export class VerdictTable {
  readonly #version: string;
  readonly #select: Database.Statement<[string, string], string>;
  readonly #write: Database.Statement<[string, string, string]>;

  constructor(db: Database.Database, version: string) {
    this.#version = version;
    this.#select = db
      .prepare<[string, string], string>('SELECT verdict FROM pattern WHERE source = ? AND version = ?')
      .pluck();
    this.#write = db.prepare(`INSERT INTO pattern(source, version, verdict) VALUES (?, ?, ?)
      ON CONFLICT(source) DO UPDATE SET version = excluded.version, verdict = excluded.verdict`);
  }

  get(sources: readonly string[]): Map<string, PatternVerdict> {
    const found = new Map<string, PatternVerdict>();
    for (const source of sources) {
      const verdict = this.#select.get(source, this.#version);
      if (verdict !== undefined) found.set(source, JSON.parse(verdict) as PatternVerdict);
    }
    return found;
  }

  put(verdicts: ReadonlyMap<string, PatternVerdict>): void {
    for (const [source, verdict] of verdicts) this.#write.run(source, this.#version, JSON.stringify(verdict));
  }
}

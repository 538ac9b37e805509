import type Database from 'better-sqlite3';
import type { AskedDocument, GitAnswer } from './history.js';
import type { Journal } from './journal.js';

/** Documents of which git is asked at once. */
const askedAtOnce = 500;

const tooLate = 'another version had replaced it before git was asked';

/** What git tells of versions of documents. Each method is to be run in a transaction; each throws an SqliteError. */
export class GitAnswers {
  readonly #journal: Journal;
  readonly #unasked: Database.Statement<[number], AskedDocument>;
  readonly #uncommitted: Database.Statement<[number], AskedDocument>;
  readonly #missed: Database.Statement<[string, string], number>;
  readonly #put: Database.Statement<[Record<string, string | number | null>]>;
  readonly #commit: Database.Statement<[string, string, number]>;

  constructor(db: Database.Database, journal: Journal) {
    this.#journal = journal;
    const columns = 'SELECT number, instance, path, sha256, git_head AS head FROM document';
    this.#unasked = db.prepare(`${columns} WHERE git IS NULL ORDER BY number LIMIT ?`);
    this.#uncommitted = db.prepare(
      `${columns} WHERE until IS NULL AND git_commit IS NULL AND git IN ('modified', 'untracked') ORDER BY number DESC LIMIT ?`,
    );
    this.#missed = db
      .prepare<[string, string], number>(
        `UPDATE document SET git = 'unavailable', git_reason = ?, git_at = ? WHERE git IS NULL AND until IS NOT NULL RETURNING number`,
      )
      .pluck();
    this.#put = db.prepare(
      `UPDATE document SET git = @state, git_reason = @reason, git_head = @head, git_at = @at, git_commit = @commit,
         git_commit_at = @commitAt WHERE number = @number AND git IS NULL`,
    );
    this.#commit = db.prepare(
      'UPDATE document SET git_commit = ?, git_commit_at = ? WHERE number = ? AND git_commit IS NULL',
    );
  }

  /** Some of the versions of which git was not asked yet. Says of those that are past that it is too late. */
  unasked(at: string): readonly AskedDocument[] {
    for (const number of this.#missed.all(tooLate, at)) this.#journal.add('document', number);
    return this.#unasked.all(askedAtOnce);
  }

  /** Those that hold and were in no commit. */
  uncommitted(): readonly AskedDocument[] {
    return this.#uncommitted.all(askedAtOnce);
  }

  put(answers: ReadonlyMap<number, GitAnswer>, at: string): void {
    for (const [number, { state, head, reason }] of answers) {
      const isCommitted = state === 'committed';
      const commit = isCommitted ? (head ?? null) : null;
      const { changes } = this.#put.run({
        ...{ number, state, at, commit, commitAt: isCommitted ? at : null },
        ...{ head: head ?? null, reason: reason ?? null },
      });
      const isLater = changes === 0 && commit !== null && this.#commit.run(commit, at, number).changes > 0;
      if (changes > 0 || isLater) this.#journal.add('document', number);
    }
  }
}

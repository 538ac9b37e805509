import type Database from 'better-sqlite3';
import { DocumentHistory } from './document-history.js';
import { GitAnswers } from './git-answers.js';
import type { GenerationHistory, HistoryRetention } from './history.js';
import { dropHistory } from './history-retention.js';
import type { Journal } from './journal.js';
import { PartHistory } from './part-history.js';

/** A history, and the number of the generation beside which it is written. */
interface NumberedHistory extends GenerationHistory {
  readonly key: string;
  readonly number: number;
  /** The last number of the key until now. */
  readonly before: number | undefined;
}

/** The tables of history in `records.db`. Each method is to be run in a transaction; each throws an SqliteError. */
export class StoredHistory {
  readonly #db: Database.Database;
  readonly #journal: Journal;
  readonly documents: DocumentHistory;
  readonly #parts: PartHistory;
  readonly git: GitAnswers;

  constructor(db: Database.Database, journal: Journal) {
    this.#db = db;
    this.#journal = journal;
    this.documents = new DocumentHistory(db, journal);
    this.#parts = new PartHistory(db, journal);
    this.git = new GitAnswers(db, journal);
  }

  put({ key, number, before, instances, onlyInstances, parts }: NumberedHistory, at: Date): void {
    const time = at.toISOString();
    for (const instance of instances) this.documents.sync(instance, time);
    if (onlyInstances !== undefined) this.documents.keepInstances(onlyInstances, time);
    this.#parts.put({ key, number, before, parts }, time);
  }

  drop(retention: HistoryRetention, now: Date): number {
    return dropHistory(this.#db, this.#journal, retention, now);
  }
}

import type { Term } from '@rdfjs/types';
import type Database from 'better-sqlite3';
import { StoreError } from './store-error.js';
import { decodeTerm, encodeTerm, type StoredTerm, termRecord } from './term-text.js';

/** Bounds the memory of the two caches: about 40 MB when both are full. */
const cacheLimit = 200_000;

/**
 * The ids of terms. A term is never deleted and an id never changes, so what was seen once stays true whatever other processes write.
 * An id that was made in a transaction is published to the cache only after its commit: a rollback gives the same id to another term.
 */
export class TermDictionary {
  readonly #select: Database.Statement<[string], number>;
  readonly #insert: Database.Statement<[string, string | null]>;
  readonly #byId: Database.Statement<[number], { key: string; lex: string | null }>;
  readonly #ids = new Map<string, number>();
  readonly #terms = new Map<number, StoredTerm>();
  #staged = new Map<string, number>();

  constructor(db: Database.Database) {
    this.#select = db.prepare<[string], number>('SELECT id FROM term WHERE key = ?').pluck();
    this.#insert = db.prepare('INSERT INTO term(key, lex) VALUES (?, ?) ON CONFLICT DO NOTHING');
    this.#byId = db.prepare('SELECT key, lex FROM term WHERE id = ?');
  }

  /** The id of a term, or undefined when no quad ever held it. */
  find(term: Term): number | undefined {
    const text = encodeTerm(term);
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#select.get(termRecord(text).key);
    // While something is staged, the id that was found may be one of those.
    if (id !== undefined && this.#staged.size === 0) this.#know(text, id);
    return id;
  }

  /** The id of a term, made when there is none. Only inside an immediate transaction; then `publish` or `discard`. */
  intern(term: Term): number {
    const text = encodeTerm(term);
    const known = this.#ids.get(text) ?? this.#staged.get(text);
    if (known !== undefined) return known;
    const id = this.add(text);
    this.#staged.set(text, id);
    return id;
  }

  /** As `intern`, by the text of the term, and without a cache: there is nothing to publish or discard. */
  add(text: string): number {
    const { key, lex } = termRecord(text);
    // What no cache holds is new more often than not.
    const { changes, lastInsertRowid } = this.#insert.run(key, lex);
    const id = changes === 1 ? Number(lastInsertRowid) : this.#select.get(key);
    if (id !== undefined) return id;
    throw new StoreError('corrupt', 'graph.db: a term cannot be found; start toolgraph again, which replaces the file');
  }

  /** The transaction was committed. */
  publish(): void {
    for (const [text, id] of this.#staged) this.#know(text, id);
    this.#staged = new Map();
  }

  /** The transaction was rolled back. */
  discard(): void {
    this.#staged = new Map();
  }

  /** The term behind an id of a stored quad. */
  term(id: number): StoredTerm {
    const known = this.#terms.get(id);
    if (known !== undefined) return known;
    const row = this.#byId.get(id);
    if (row === undefined) {
      throw new StoreError(
        'corrupt',
        `graph.db: term ${id} is missing; start toolgraph again, which replaces the file`,
      );
    }
    const term = decodeTerm(row.lex ?? row.key);
    if (this.#terms.size >= cacheLimit) this.#terms.clear();
    this.#terms.set(id, term);
    return term;
  }

  #know(text: string, id: number): void {
    if (this.#ids.size >= cacheLimit) this.#ids.clear();
    this.#ids.set(text, id);
  }
}

import type Database from 'better-sqlite3';
import type { PartOfGeneration } from '../../projection/generation-parts.js';
import type { PartChanges } from './history.js';
import type { Journal } from './journal.js';

interface NumberedChange {
  readonly key: string;
  /** Of the generation that has these parts, and of the one before it in the file; the same when there is nothing new. */
  readonly number: number;
  readonly before: number | undefined;
  readonly parts: PartChanges;
}

/**
 * What generations declare, omit and could not determine: one row for as long as it is the same, whatever the number of generations. Each
 * method is to be run in a transaction; each throws an SqliteError.
 */
export class PartHistory {
  readonly #journal: Journal;
  readonly #projection: Database.Statement<[string], number>;
  readonly #addProjection: Database.Statement<[string, number]>;
  readonly #current: Database.Statement<[number], { number: number; kind: PartOfGeneration['kind']; identity: string }>;
  readonly #one: Database.Statement<[number, string, string], number>;
  readonly #revision: Database.Statement<[string, string | null], number>;
  readonly #insert: Database.Statement<[Record<string, string | number | null>]>;
  readonly #close: Database.Statement<[number, string, number]>;

  constructor(db: Database.Database, journal: Journal) {
    this.#journal = journal;
    this.#projection = db.prepare<[string], number>('SELECT number FROM projection WHERE key = ?').pluck();
    this.#addProjection = db.prepare('INSERT INTO projection(key, first) VALUES (?, ?)');
    this.#current = db.prepare('SELECT number, kind, identity FROM part WHERE projection = ? AND until IS NULL');
    this.#one = db
      .prepare<[number, string, string], number>(
        'SELECT number FROM part WHERE projection = ? AND kind = ? AND identity = ? AND until IS NULL',
      )
      .pluck();
    this.#revision = db
      .prepare<[string, string | null], number>(
        `SELECT number FROM node_revision WHERE iri = ? AND instance = coalesce(?, '') ORDER BY until IS NULL DESC, number DESC LIMIT 1`,
      )
      .pluck();
    this.#insert = db.prepare(
      `INSERT OR IGNORE INTO part(projection, kind, identity, iri, name, instance, document, pointer, definition, revision, severity,
         code, reason, since)
       VALUES (@projection, @kind, @identity, @iri, @name, @instance, @document, @pointer, @definition, @revision, @severity, @code,
         @reason, @since)`,
    );
    this.#close = db.prepare('UPDATE part SET until = ?, ended = ? WHERE number = ?');
  }

  put({ key, number, before, parts }: NumberedChange, at: string): void {
    const projection = this.#projection.get(key);
    if (projection === undefined) {
      const added = Number(this.#addProjection.run(key, number).lastInsertRowid);
      this.#journal.addKey(added, key);
      for (const part of parts.all()) this.#add(added, number, part);
      return;
    }
    if (number === before) return;
    this.#journal.add('generation', `${projection}/${number}`);
    if (before !== undefined && parts.base === before) {
      const { gone, added } = parts.difference();
      for (const { kind, identity } of gone) this.#end(this.#one.get(projection, kind, identity), number, at);
      for (const part of added) this.#add(projection, number, part);
    } else {
      this.#compare(projection, number, parts.all(), at);
    }
  }

  #compare(projection: number, generation: number, parts: readonly PartOfGeneration[], at: string): void {
    const held = new Map(this.#current.all(projection).map((row) => [`${row.kind} ${row.identity}`, row.number]));
    const added = parts.filter(({ kind, identity }) => !held.delete(`${kind} ${identity}`));
    for (const number of held.values()) this.#end(number, generation, at);
    for (const part of added) this.#add(projection, generation, part);
  }

  #add(projection: number, since: number, part: PartOfGeneration): void {
    const { kind, identity, iri, name, instance, document, pointer, definition, severity, code, reason } = part;
    this.#insert.run({
      ...{ projection, since, kind, identity, iri: iri ?? null, name: name ?? null, instance: instance ?? null },
      ...{ document: document ?? null, pointer: pointer ?? null, definition: definition ?? null },
      ...{ severity: severity ?? null, code: code ?? null, reason: reason ?? null },
      revision: iri === undefined ? null : (this.#revision.get(iri, instance ?? null) ?? null),
    });
  }

  #end(number: number | undefined, generation: number, at: string): void {
    if (number === undefined) return;
    this.#close.run(generation, at, number);
    this.#journal.add('part', number);
  }
}

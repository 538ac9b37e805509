import type { Quad, Term } from '@rdfjs/types';
import type Database from 'better-sqlite3';
import type { TermDictionary } from './term-dictionary.js';
import { storedQuad } from './term-text.js';

type Column = 'g' | 's' | 'p' | 'o';
type QuadRow = [g: number, s: number, p: number, o: number];

/** The four orders in which the quads are stored, each a covering index. */
const orders: readonly (readonly Column[])[] = [
  ['g', 's', 'p', 'o'],
  ['s', 'p', 'o'],
  ['p', 'o', 's'],
  ['o', 's', 'p'],
];
const columns: readonly Column[] = ['s', 'p', 'o', 'g'];

/** Rows that a write touched. */
export interface QuadChanges {
  readonly inserted: number;
  readonly deleted: number;
}

/** The quads: read by pattern, and changed one graph at a time by difference. Has no transaction of its own. */
export class QuadTable {
  readonly #db: Database.Database;
  readonly #terms: TermDictionary;
  readonly #inGraph: Database.Statement<[number], [number, number, number]>;
  readonly #insert: Database.Statement<QuadRow>;
  readonly #delete: Database.Statement<QuadRow>;
  readonly #matches = new Map<string, Database.Statement<number[], QuadRow>>();

  constructor(db: Database.Database, terms: TermDictionary) {
    this.#db = db;
    this.#terms = terms;
    this.#inGraph = db.prepare<[number], [number, number, number]>('SELECT s, p, o FROM quad WHERE g = ?').raw();
    this.#insert = db.prepare('INSERT INTO quad(g, s, p, o) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
    this.#delete = db.prepare('DELETE FROM quad WHERE g = ? AND s = ? AND p = ? AND o = ?');
  }

  isEmpty(): boolean {
    return this.#db.prepare('SELECT 1 FROM quad LIMIT 1').get() === undefined;
  }

  /**
   * Makes the graph hold exactly these quads; only rows that differ are written (1 of 53 when a description changes). `triples` has
   * the ids of subject, predicate and object of each, one after the other.
   */
  replaceGraph(graph: number, triples: Int32Array): QuadChanges {
    const before = this.#inGraph.all(graph);
    const stale = new Map(before.map((row) => [row.join(' '), row] as const));
    let inserted = 0;
    for (let at = 0; at < triples.length; at += 3) {
      const [s = 0, p = 0, o = 0] = [triples[at], triples[at + 1], triples[at + 2]];
      // A quad that is given twice, or is there, conflicts.
      if (before.length === 0 || !stale.delete(`${s} ${p} ${o}`)) inserted += this.#insert.run(graph, s, p, o).changes;
    }
    for (const row of stale.values()) this.#delete.run(graph, ...row);
    return { inserted, deleted: stale.size };
  }

  /** The quads that match, in no particular order. What is left out matches anything. */
  match(subject?: Term | null, predicate?: Term | null, object?: Term | null, graph?: Term | null): Quad[] {
    const bound: Column[] = [];
    const ids: number[] = [];
    for (const [i, term] of [subject, predicate, object, graph].entries()) {
      if (term === undefined || term === null) continue;
      const id = this.#terms.find(term);
      if (id === undefined) return [];
      bound.push(columns[i] ?? 'g');
      ids.push(id);
    }
    const term = (id: number) => this.#terms.term(id);
    return this.#statement(bound)
      .all(...ids)
      .map(([g, s, p, o]) => storedQuad(term(s), term(p), term(o), term(g)));
  }

  #statement(bound: readonly Column[]): Database.Statement<number[], QuadRow> {
    const key = bound.join('');
    const prepared = this.#matches.get(key) ?? this.#db.prepare<number[], QuadRow>(matchSql(bound)).raw();
    this.#matches.set(key, prepared);
    return prepared;
  }
}

/**
 * The query for a pattern with these columns bound, in the order s p o g. A bound graph leads, for it is one document; otherwise the
 * order with the longest bound prefix. `+` keeps the planner, which has no statistics, from taking another index.
 */
export function matchSql(bound: readonly Column[]): string {
  const prefix = bound.includes('g')
    ? boundPrefix(orders[0] ?? [], bound)
    : orders
        .map((order) => boundPrefix(order, bound))
        .reduce((best, other) => (other.length > best.length ? other : best));
  const conditions = bound.map((column) => `${prefix.includes(column) ? '' : '+'}${column} = ?`);
  return `SELECT g, s, p, o FROM quad${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}`;
}

function boundPrefix(order: readonly Column[], bound: readonly Column[]): readonly Column[] {
  const end = order.findIndex((column) => !bound.includes(column));
  return end < 0 ? order : order.slice(0, end);
}

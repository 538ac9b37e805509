import type Database from 'better-sqlite3';
import type { DocumentGraphs } from '../document-table.js';
import { decodeTerm } from '../term-text.js';
import { termText } from './nquads-line.js';

/** Of the texts that are remembered: terms recur within a document, or everywhere. More of them would only make each collection of garbage slower. */
const cacheLimit = 10_000;

/** Subject, predicate and object as `termText` writes them. */
export type TripleTexts = readonly [subject: string, predicate: string, object: string];
export type QuadTexts = readonly [subject: string, predicate: string, object: string, graph: string];

/** Reads what documents state out of a `graph.db`, as texts of N-Quads. Never writes. */
export class DocumentReader {
  readonly #db: Database.Database;
  readonly #graphs: Database.Statement<[string, string], DocumentGraphs>;
  readonly #term: Database.Statement<[number], { key: string; lex: string | null }>;
  readonly #triples: Database.Statement<[number], [number, number, number]>;
  readonly #all: Database.Statement<[], [number, number, number, number]>;
  readonly #texts = new Map<number, string>();

  constructor(db: Database.Database) {
    db.pragma('query_only = ON');
    this.#db = db;
    this.#graphs = db.prepare('SELECT g AS graph, derived FROM doc WHERE path = ? AND sha256 = ?');
    this.#term = db.prepare('SELECT key, lex FROM term WHERE id = ?');
    this.#triples = db.prepare<[number], [number, number, number]>('SELECT s, p, o FROM quad WHERE g = ?').raw();
    this.#all = db.prepare<[], [number, number, number, number]>('SELECT s, p, o, g FROM quad').raw();
  }

  /** Runs `act` on the store as it is at one moment, whatever other processes write. */
  atOneMoment<T>(act: () => T): T {
    return this.#db.transaction(act).deferred();
  }

  /**
   * The numbers of the graphs of a document: its own, and the one that is derived from it. Undefined while the store does not hold it with
   * these bytes.
   */
  graphsOf(path: string, sha256: string): number[] | undefined {
    const row = this.#graphs.get(path, sha256);
    return row && [row.graph, row.derived].filter((graph) => graph !== null);
  }

  iri(graph: number): string {
    const row = this.#term.get(graph);
    return row === undefined ? '' : decodeTerm(row.lex ?? row.key).value;
  }

  triples(graph: number): TripleTexts[] {
    return this.#triples.all(graph).map(([s, p, o]) => [this.#text(s), this.#text(p), this.#text(o)]);
  }

  /** What all these graphs state. Nothing else is to be read from the store until the end. */
  *quads(graphs: ReadonlySet<number>): Generator<QuadTexts> {
    for (const [s, p, o, g] of this.#all.iterate()) {
      if (graphs.has(g)) yield [this.#text(s), this.#text(p), this.#text(o), this.#text(g)];
    }
  }

  close(): void {
    this.#db.close();
  }

  #text(id: number): string {
    const known = this.#texts.get(id);
    if (known !== undefined) return known;
    const row = this.#term.get(id);
    // A row without its term is damage, which whoever writes the store finds and heals.
    const text = row === undefined ? '<urn:toolgraph:missing>' : termText(decodeTerm(row.lex ?? row.key));
    if (this.#texts.size >= cacheLimit) this.#texts.clear();
    this.#texts.set(id, text);
    return text;
  }
}

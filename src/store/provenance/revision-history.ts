import { hash } from 'node:crypto';
import type Database from 'better-sqlite3';
import canonicalize from 'canonicalize';
import type { SeenTool } from './history.js';
import type { Journal } from './journal.js';

/** A revision that holds. */
export interface RevisionRow {
  readonly number: number;
  readonly iri: string;
  readonly digest: string;
  readonly path: string;
  /** How many documents beside its home stated something of it. */
  readonly others: number;
}

/** A node as a document gives it. */
export interface StatedRevision {
  readonly instance: string;
  readonly path: string;
  /** Numbers of the version of its home, and of those of the other documents that state something of it. */
  readonly document: number;
  readonly others: readonly number[];
  readonly tool: SeenTool;
  /** What holds of it so far. */
  readonly row: RevisionRow | undefined;
  readonly isPast: boolean;
}

/** The revisions of nodes, and their full content. Each method is to be run in a transaction; each throws an SqliteError. */
export class RevisionHistory {
  readonly #journal: Journal;
  readonly #ofDocument: Database.Statement<[string, string], RevisionRow>;
  readonly #current: Database.Statement<[string], RevisionRow>;
  readonly #last: Database.Statement<[string], number>;
  readonly #addContent: Database.Statement<[string, string, string]>;
  readonly #insert: Database.Statement<[Record<string, string | number | null>]>;
  readonly #addOther: Database.Statement<[number, number]>;
  readonly #close: Database.Statement<[string, string, number]>;

  constructor(db: Database.Database, journal: Journal) {
    this.#journal = journal;
    const columns = `SELECT number, iri, digest, path,
      (SELECT count(*) FROM revision_document WHERE revision = node_revision.number) AS others
      FROM node_revision WHERE until IS NULL AND instance = ?`;
    this.#ofDocument = db.prepare(`${columns} AND path = ?`);
    this.#current = db.prepare(columns);
    this.#last = db.prepare<[string], number>('SELECT max(number) FROM node_revision WHERE iri = ?').pluck();
    this.#addContent = db.prepare('INSERT OR IGNORE INTO revision(iri, digest, node) VALUES (?, ?, ?)');
    this.#insert = db.prepare(
      `INSERT INTO node_revision(iri, id, digest, instance, path, document, prior, since, until, ending)
       VALUES (@iri, @id, @digest, @instance, @path, @document, @prior, @since, @until, @ending)`,
    );
    this.#addOther = db.prepare('INSERT OR IGNORE INTO revision_document(revision, document) VALUES (?, ?)');
    this.#close = db.prepare('UPDATE node_revision SET until = ?, ending = ? WHERE number = ?');
  }

  /** Those that hold, of one document. */
  ofDocument(instance: string, path: string): readonly RevisionRow[] {
    return this.#ofDocument.all(instance, path);
  }

  /** Those that hold, by the path of their document. */
  current(instance: string): ReadonlyMap<string, readonly RevisionRow[]> {
    const byPath = new Map<string, RevisionRow[]>();
    for (const row of this.#current.all(instance)) {
      const rows = byPath.get(row.path);
      if (rows === undefined) byPath.set(row.path, [row]);
      else rows.push(row);
    }
    return byPath;
  }

  /** Writes nothing when the node is what it was. */
  put({ instance, path, document, others, tool, row, isPast }: StatedRevision, at: string): void {
    const node = canonicalize(tool.tool) ?? '';
    const digest = hash('sha256', node, 'hex');
    if (row?.digest === digest) return;
    if (row !== undefined && !isPast) this.close(row, 'replaced', at);
    this.#addContent.run(tool.iri, digest, node);
    const { lastInsertRowid } = this.#insert.run({
      ...{ iri: tool.iri, id: tool.tool.id, digest, instance, path, document, prior: this.#last.get(tool.iri) ?? null },
      ...{ since: at, until: isPast ? at : null, ending: isPast ? 'replaced' : null },
    });
    for (const other of others) this.#addOther.run(Number(lastInsertRowid), other);
  }

  close({ number }: RevisionRow, ending: 'replaced' | 'deleted', at: string): void {
    this.#close.run(at, ending, number);
    this.#journal.add('revision', number);
  }
}

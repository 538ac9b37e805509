import type { Quad } from '@rdfjs/types';
import type Database from 'better-sqlite3';
import { type InvocationRow, invocationOf } from '../record-reader.js';
import type { HistoryIris } from './history-iris.js';
import type { DocumentFact, GenerationFact, PartFact, RevisionFact } from './history-rows.js';
import type { JournalKind } from './journal.js';
import { callQuads, documentQuads, generationQuads, partQuads, revisionQuads } from './provenance-quads.js';

const documents = {
  columns: `d.number, d.instance, coalesce(i.base, @base) AS base, d.path, d.sha256, d.bytes, d.prior, d.since, d.until, d.ending,
  d.git, d.git_reason AS reason, d.git_head AS head, d.git_at AS asked, d.git_commit AS "commit"`,
  from: `FROM document AS d LEFT JOIN history_instance AS i ON i.instance = d.instance`,
};
const revisions = {
  columns: `n.number, n.iri, n.id, n.digest, coalesce(i.base, @base) AS base, n.document, n.prior, n.since, n.until, n.ending,
  r.node, (SELECT json_group_array(document) FROM revision_document WHERE revision = n.number) AS others`,
  from: `FROM node_revision AS n JOIN revision AS r ON r.iri = n.iri AND r.digest = n.digest LEFT JOIN history_instance AS i ON i.instance = n.instance`,
};
const generations = {
  columns: `p.number AS projection, g.key, g.number, g.digest, g.at,
  (SELECT max(number) FROM generation WHERE key = g.key AND number < g.number) AS prior`,
  from: `FROM generation AS g JOIN projection AS p ON p.key = g.key`,
};
const parts = {
  columns: `a.*, p.key, (SELECT at FROM generation WHERE key = p.key AND number = a.since) AS begun`,
  from: `FROM part AS a JOIN projection AS p ON p.number = a.projection`,
};
const calls = {
  columns: `c.*, p.number AS projection, coalesce(i.base, @base) AS base, r.node`,
  from: `FROM invocation AS c LEFT JOIN projection AS p ON p.key = c.generation_key
  LEFT JOIN history_instance AS i ON i.instance = coalesce(c.instance, '')
  LEFT JOIN revision AS r ON c.node_revision IS NULL AND r.iri = c.iri AND r.digest = c.revision`,
};

interface CallRow extends InvocationRow {
  readonly node_revision: number | null;
  readonly projection: number | null;
  readonly base: string;
  readonly node: string | null;
}

type RevisionRow = Omit<RevisionFact, 'others'> & { readonly others: string };

/** Rows of one kind, as quads: each row is a graph of its own. Each method throws an SqliteError. */
export interface ProvenanceKind {
  readonly kind: JournalKind;
  /** The highest number of a row, which rises with each new one; undefined where the journal names new rows. */
  readonly newest: (() => number) | undefined;
  /** All rows, or those that are newer than the one with this number. */
  readonly quads: (after?: number) => Iterable<readonly Quad[]>;
  /** As the journal names them. */
  readonly names: () => readonly string[];
  /** The row that the journal names; empty when it was dropped. */
  readonly named: (name: string) => readonly Quad[];
  readonly graph: (name: string) => string;
}

interface KindOptions<Row> {
  readonly kind: JournalKind;
  readonly select: { readonly columns: string; readonly from: string };
  /** Table, alias and column of the number that rises. */
  readonly rising?: readonly [table: string, alias: string, column: string];
  /** Expression of the name, and the condition that finds a row by the parameters of `parametersOf`. */
  readonly name: string;
  readonly where: string;
  readonly parametersOf: (name: string) => object;
  readonly quadsOf: (row: Row) => readonly Quad[];
  readonly graph: (name: string) => string;
}

/** The kinds of rows in records that are open, for an instance with this base. Throws an SqliteError. */
export function provenanceKinds(db: Database.Database, base: string, iris: HistoryIris): readonly ProvenanceKind[] {
  const numbered = (table: string, alias: string, graph: (number: number) => string) => ({
    rising: [table, alias, 'number'] as const,
    name: `${alias}.number`,
    where: `${alias}.number = @number`,
    parametersOf: (name: string) => ({ number: Number(name) }),
    graph: (name: string) => graph(Number(name)),
  });
  return [
    kindOf<DocumentFact>(db, base, {
      kind: 'document',
      select: documents,
      ...numbered('document', 'd', (number) => iris.document(number)),
      quadsOf: (row) => documentQuads(row, iris),
    }),
    kindOf<RevisionRow>(db, base, {
      kind: 'revision',
      select: revisions,
      ...numbered('node_revision', 'n', (number) => iris.revision(number)),
      quadsOf: (row) => revisionQuads({ ...row, others: JSON.parse(row.others) as number[] }, iris),
    }),
    kindOf<PartFact>(db, base, {
      kind: 'part',
      select: parts,
      ...numbered('part', 'a', (number) => iris.part(number)),
      quadsOf: (row) => partQuads(row, iris),
    }),
    kindOf<GenerationFact>(db, base, {
      kind: 'generation',
      select: generations,
      name: "p.number || '/' || g.number",
      where: 'p.number = @projection AND g.number = @number',
      parametersOf: (name) => {
        const [projection, number] = name.split('/').map(Number);
        return { projection, number };
      },
      quadsOf: (row) => generationQuads(row, iris),
      graph: (name) => {
        const [projection = 0, number = 0] = name.split('/').map(Number);
        return iris.generation(projection, number);
      },
    }),
    kindOf<CallRow>(db, base, {
      kind: 'call',
      select: calls,
      rising: ['invocation', 'c', 'seq'],
      name: 'c.id',
      where: 'c.id = @id',
      parametersOf: (id) => ({ id }),
      quadsOf: (row) => {
        const { node_revision: revision, projection, node } = row;
        return callQuads({ call: invocationOf(row), base: row.base, revision, projection, node }, iris);
      },
      graph: (id) => iris.call(id),
    }),
  ];
}

function kindOf<Row>(db: Database.Database, base: string, options: KindOptions<Row>): ProvenanceKind {
  const { kind, select, rising, name, where, parametersOf, quadsOf, graph } = options;
  const [table, alias, column] = rising ?? [];
  const number = `${alias}.${column}`;
  const text = `SELECT ${select.columns} ${select.from}`;
  const all = db.prepare<[object], Row>(`${text} ORDER BY ${rising === undefined ? name : number}`);
  const later = rising && db.prepare<[object], Row>(`${text} WHERE ${number} > @after ORDER BY ${number}`);
  const one = db.prepare<[object], Row>(`${text} WHERE ${where}`);
  const names = db.prepare<[object], string>(`SELECT CAST(${name} AS TEXT) ${select.from}`);
  const newest = rising && db.prepare<[], number>(`SELECT coalesce(max(${column}), 0) FROM ${table}`).pluck();
  return {
    kind,
    newest: newest && (() => newest.get() ?? 0),
    *quads(after) {
      const rows = after === undefined ? all.iterate({ base }) : (later?.iterate({ base, after }) ?? []);
      for (const row of rows) yield quadsOf(row);
    },
    names: () => names.pluck().all({ base }),
    named(wanted) {
      const row = one.get({ base, ...parametersOf(wanted) });
      return row === undefined ? [] : quadsOf(row);
    },
    graph,
  };
}

import Database from 'better-sqlite3';
import type { Instance } from './instance.js';

function read<T>(instance: Pick<Instance, 'root'>, act: (db: Database.Database) => T): T {
  const db = new Database(`${instance.root}/.toolgraph/records.db`, { readonly: true });
  try {
    return act(db);
  } finally {
    db.close();
  }
}

/** What the history holds now: each document with its bytes' digest, and each node whole, sorted. */
export function readNodes(instance: Pick<Instance, 'root'>): string[] {
  return read(instance, (db) =>
    db
      .prepare<[], string>(
        `SELECT path || ' ' || sha256 FROM document WHERE until IS NULL
         UNION ALL SELECT n.path || ' ' || n.iri || ' ' || r.node FROM node_revision AS n
         JOIN revision AS r ON r.iri = n.iri AND r.digest = n.digest WHERE n.until IS NULL ORDER BY 1`,
      )
      .pluck()
      .all(),
  );
}

/** By `<number> <digest>` of a generation, the definitions of what it declared; undefined of one that is not there. */
export function readGenerationRows(
  instance: Pick<Instance, 'root'>,
): (generation: string) => ReadonlySet<string> | undefined {
  return read(instance, (db) => {
    const generations = db
      .prepare<[], { key: string; number: number; digest: string }>('SELECT * FROM generation')
      .all();
    const declared = db.prepare<[object], string>(
      `SELECT definition FROM part JOIN projection ON projection.number = part.projection WHERE kind = 'declaration' AND key = @key
       AND since <= @number AND (until IS NULL OR until > @number)`,
    );
    const found = new Map<string, ReadonlySet<string>>(
      generations.map((row) => [`${row.number} ${row.digest}`, new Set(declared.pluck().all(row))] as const),
    );
    return (generation) => found.get(generation);
  });
}

import type Database from 'better-sqlite3';

/** Raised with each change of the tables, or of what is written into them. Another number means: drop and rebuild. */
const schemaVersion = 3;

/** As notes/rdf.md §9, measured there. A passive checkpoint is made when the service is idle. */
export const graphPragmas: readonly string[] = [
  'cache_size = -65536',
  'mmap_size = 1073741824',
  'temp_store = MEMORY',
  'wal_autocheckpoint = 0',
];

/** A dictionary of terms, and four orders of quads of term ids (DESIGN decision 14). The orders are chosen in `quad-table.ts`. */
const tables: readonly string[] = [
  'CREATE TABLE term(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, lex TEXT) STRICT',
  `CREATE TABLE quad(g INTEGER NOT NULL, s INTEGER NOT NULL, p INTEGER NOT NULL, o INTEGER NOT NULL,
    PRIMARY KEY(g,s,p,o)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE doc(path TEXT PRIMARY KEY, g INTEGER UNIQUE, derived INTEGER, sig TEXT NOT NULL, sha256 TEXT NOT NULL,
    kind TEXT NOT NULL, version TEXT NOT NULL, payload TEXT NOT NULL) STRICT`,
  'CREATE TABLE snapshot(key TEXT NOT NULL UNIQUE, head TEXT NOT NULL, entries BLOB NOT NULL) STRICT',
  'CREATE TABLE pattern(source TEXT PRIMARY KEY, version TEXT NOT NULL, verdict TEXT NOT NULL) STRICT',
];

/** The orders beside that of the table. A store that is being filled does without them, so a file may lack them. */
const orders = new Map([
  ['quad_spo', 'CREATE INDEX quad_spo ON quad(s,p,o)'],
  ['quad_pos', 'CREATE INDEX quad_pos ON quad(p,o,s)'],
  ['quad_osp', 'CREATE INDEX quad_osp ON quad(o,s,p)'],
]);

/** Only inside an immediate transaction. */
export function dropOrders(db: Database.Database): void {
  for (const name of orders.keys()) db.exec(`DROP INDEX IF EXISTS ${name}`);
}

/** Makes those that are missing. Only inside an immediate transaction. */
export function makeOrders(db: Database.Database): void {
  const found = new Set(schemaTexts(db));
  for (const statement of orders.values()) if (!found.has(statement)) db.exec(statement);
}

/**
 * Makes the tables in a fresh file. Returns why the file cannot be used, or undefined when it can: it has another version,
 * or tables that are not ours (a file that came with the instance is not to be trusted with triggers and views).
 */
export function prepareGraphSchema(db: Database.Database): string | undefined {
  return db
    .transaction(() => {
      const version = db.pragma('user_version', { simple: true });
      const found = schemaTexts(db);
      if (version === 0 && found.length === 0) {
        for (const statement of tables) db.exec(statement);
        makeOrders(db);
        db.pragma(`user_version = ${schemaVersion}`);
        return undefined;
      }
      if (version !== schemaVersion) return `its schema has version ${version}, this toolgraph writes ${schemaVersion}`;
      const made = new Set(orders.values());
      const others = found.filter((statement) => !made.has(statement));
      if (others.join('\n') !== [...tables].sort().join('\n')) return 'its tables are not those of toolgraph';
      makeOrders(db);
      return undefined;
    })
    .immediate();
}

function schemaTexts(db: Database.Database): string[] {
  const rows = db.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').pluck().all() as string[];
  return rows.sort();
}

import type Database from 'better-sqlite3';
import type { Diagnostic } from '../diagnostic.js';
import type { DocumentKind, IngestedDocument } from '../ingest/document.js';
import type { Lifted } from './lift.js';
import { StoreError } from './store-error.js';

/** A document as the store keeps it. `diagnostics` and `broken` are those of ingest; `lifted` has its own. */
export interface StoredDocument {
  readonly path: string;
  readonly signature: string;
  /** Hex sha-256 of the bytes of the file. */
  readonly sha256: string;
  readonly kind: DocumentKind;
  readonly lifted: Lifted;
  readonly diagnostics: readonly Diagnostic[];
  readonly broken: readonly string[] | 'all';
  readonly pointers: ReadonlyMap<string, string>;
  /** Written by this version of the program; otherwise ingest may give something else today. */
  readonly current: boolean;
}

/** What tells whether a document is as it was stored. */
export type DocumentStamp = Pick<StoredDocument, 'signature' | 'sha256' | 'kind' | 'current'>;

/** The ids of the IRIs of a document's own graph and of the one derived from it; null for one that has no quads. */
export interface DocumentGraphs {
  readonly graph: number | null;
  readonly derived: number | null;
}

/** What decides whether a document may be replaced. */
export interface DocumentState extends DocumentGraphs {
  readonly signature: string;
  readonly sha256: string;
  readonly version: string;
}

/** What is written into a row. */
export interface DocumentContent {
  readonly path: string;
  readonly signature: string;
  readonly sha256: string;
  readonly kind: DocumentKind;
  /** Of `encodePayload`. */
  readonly payload: string;
}

interface DocumentRow {
  readonly path: string;
  readonly sig: string;
  readonly sha256: string;
  readonly kind: DocumentKind;
  readonly version: string;
  readonly payload: string;
}

/** The `doc` table: one row a document, with what was lifted out of it. Has no transaction of its own. */
export class DocumentTable {
  readonly #version: string;
  readonly #all: Database.Statement<[], DocumentRow>;
  readonly #rows: Database.Statement<[], DocumentRow>;
  readonly #one: Database.Statement<[string], DocumentRow>;
  readonly #state: Database.Statement<[string], DocumentState>;
  readonly #graphs: Database.Statement<[string, string, string], DocumentGraphs>;
  readonly #same: Database.Statement<[string, string, string, string, string], number>;
  readonly #write: Database.Statement<[string, number | null, number | null, string, string, string, string, string]>;
  readonly #touch: Database.Statement<[string, string]>;
  readonly #delete: Database.Statement<[string]>;

  constructor(db: Database.Database, version: string) {
    this.#version = version;
    const row = 'SELECT path, sig, sha256, kind, version, payload FROM doc';
    this.#all = db.prepare(`${row} ORDER BY path`);
    this.#rows = db.prepare('SELECT path, sig, sha256, kind, version, NULL AS payload FROM doc');
    this.#one = db.prepare(`${row} WHERE path = ?`);
    this.#state = db.prepare('SELECT g AS graph, derived, sig AS signature, sha256, version FROM doc WHERE path = ?');
    this.#graphs = db.prepare('SELECT g AS graph, derived FROM doc WHERE path = ? AND sha256 = ? AND version = ?');
    this.#same = db
      .prepare<[string, string, string, string, string], number>(
        'SELECT count(*) FROM doc WHERE path = ? AND sha256 = ? AND kind = ? AND version = ? AND payload = ?',
      )
      .pluck();
    this.#write = db.prepare(`INSERT INTO doc(path, g, derived, sig, sha256, kind, version, payload)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT(path) DO UPDATE SET g = excluded.g, derived = excluded.derived, sig = excluded.sig, sha256 = excluded.sha256,
        kind = excluded.kind, version = excluded.version, payload = excluded.payload`);
    this.#touch = db.prepare('UPDATE doc SET sig = ? WHERE path = ?');
    this.#delete = db.prepare('DELETE FROM doc WHERE path = ?');
  }

  /** By path, in the order of the paths (code points). */
  all(): Map<string, StoredDocument> {
    return new Map(this.#all.all().map((row) => [row.path, this.#decode(row)]));
  }

  /** By path: the rows without what was lifted, which is most of them. */
  rows(): Map<string, DocumentStamp> {
    const stamps = this.#rows.all().map(({ path, sig, sha256, kind, version }): [string, DocumentStamp] => {
      return [path, { signature: sig, sha256, kind, current: version === this.#version }];
    });
    return new Map(stamps);
  }

  get(path: string): StoredDocument | undefined {
    const row = this.#one.get(path);
    return row === undefined ? undefined : this.#decode(row);
  }

  state(path: string): DocumentState | undefined {
    return this.#state.get(path);
  }

  /** The graphs of a document, or undefined when its row is of other bytes or of another version of the program. */
  graphs(path: string, sha256: string): DocumentGraphs | undefined {
    return this.#graphs.get(path, sha256, this.#version);
  }

  /** Writes the row; when only the signature differs, only the signature. */
  put(row: DocumentContent, { graph, derived }: DocumentGraphs, state?: DocumentState): void {
    const { path, sha256, kind, payload, signature } = row;
    const same =
      state?.graph === graph &&
      state.derived === derived &&
      this.#same.get(path, sha256, kind, this.#version, payload) === 1;
    if (!same) this.#write.run(path, graph, derived, signature, sha256, kind, this.#version, payload);
    else if (state.signature !== signature) this.touch(path, signature);
  }

  touch(path: string, signature: string): void {
    this.#touch.run(signature, path);
  }

  delete(path: string): void {
    this.#delete.run(path);
  }

  #decode({ path, sig, sha256, kind, version, payload }: DocumentRow): StoredDocument {
    return { path, signature: sig, sha256, kind, current: version === this.#version, ...decodePayload(path, payload) };
  }
}

type Payload = Pick<StoredDocument, 'lifted' | 'diagnostics' | 'broken' | 'pointers'>;

/** What a row keeps of a document beside its columns, as JSON. */
export function encodePayload({ diagnostics, broken, pointers }: IngestedDocument, lifted: Lifted): string {
  return JSON.stringify({ lifted, diagnostics, broken, pointers: [...pointers] });
}

function decodePayload(path: string, text: string): Payload {
  try {
    const payload = JSON.parse(text) as Omit<Payload, 'pointers'> & { pointers: [string, string][] };
    return { ...payload, pointers: new Map(payload.pointers) };
  } catch (cause) {
    throw new StoreError(
      'corrupt',
      `graph.db: the row of ${path} is damaged; start toolgraph again, which replaces it`,
      {
        cause,
      },
    );
  }
}

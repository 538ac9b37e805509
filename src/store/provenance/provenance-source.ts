import { join } from 'node:path';
import type { Quad } from '@rdfjs/types';
import Database from 'better-sqlite3';
import { fileIdentity, shownName } from '../database-file.js';
import type { QuadSource, SourceChanges, SourceInstance } from '../query/quad-source.js';
import { newerRecords, recordsFileName } from '../record-opening.js';
import { recordsVersion } from '../record-schema.js';
import { inWords } from '../store-error.js';
import { HistoryIris } from './history-iris.js';
import { type ProvenanceKind, provenanceKinds } from './provenance-rows.js';

/** How far a reader of the rows is. */
interface Cursor {
  /** Of the file that was read. */
  readonly file: string | undefined;
  /** The newest row of the journal, and of each kind. */
  readonly journal: number;
  readonly newest: ReadonlyMap<string, number>;
}

/** The records, open for reading. */
interface OpenRecords {
  readonly db: Database.Database;
  readonly file: string;
  readonly kinds: readonly ProvenanceKind[];
}

/**
 * The provenance of an instance, made of the rows of its `records.db` when somebody asks, and followed by difference. Reads only. Throws a
 * StoreError when the file is damaged, or a newer toolgraph wrote it.
 */
export class ProvenanceSource implements QuadSource<Cursor> {
  readonly #instance: Pick<SourceInstance, 'folder' | 'base'>;
  #open: OpenRecords | undefined;
  /** `PRAGMA data_version` at the last answer, and that answer's cursor. */
  #last: { readonly version: unknown; readonly cursor: Cursor } | undefined;

  constructor(instance: Pick<SourceInstance, 'folder' | 'base'>) {
    this.#instance = instance;
  }

  changesSince(cursor: Cursor | undefined): SourceChanges<Cursor> {
    return inWords(shownName(this.#file), () => {
      const open = this.#opened();
      if (open === undefined) return nothing(cursor);
      const version = open.db.pragma('data_version', { simple: true });
      if (cursor !== undefined && cursor === this.#last?.cursor && version === this.#last.version) {
        return { cursor, startsOver: false, added: [], removed: [] };
      }
      if (open.db.inTransaction) open.db.exec('ROLLBACK');
      open.db.exec('BEGIN');
      const changes = this.#read(open, cursor);
      this.#last = { version, cursor: changes.cursor };
      return { ...changes, added: untilRead(changes.added, open.db) };
    });
  }

  /** The IRIs of its graphs, in no particular order, each with its quads, which are read when they are asked for. */
  graphs(): ReadonlyMap<string, () => readonly Quad[]> {
    return inWords(shownName(this.#file), () => {
      const kinds = this.#opened()?.kinds ?? [];
      return new Map(
        kinds.flatMap(({ names, named, graph }) => names().map((name) => [graph(name), () => named(name)] as const)),
      );
    });
  }

  close(): void {
    this.#open?.db.close();
    this.#open = undefined;
    this.#last = undefined;
  }

  #read({ db, file, kinds }: OpenRecords, before: Cursor | undefined): SourceChanges<Cursor> {
    const [first, journal] = db
      .prepare<[], [number, number]>('SELECT coalesce(min(seq), 1), coalesce(max(seq), 0) FROM journal')
      .raw()
      .get() ?? [1, 0];
    const newest = new Map(
      kinds.flatMap(({ kind, newest: ask }) => (ask === undefined ? [] : [[kind, ask()] as const])),
    );
    const cursor = { file, journal, newest };
    const isBehind = before !== undefined && before.file === file && before.journal >= first - 1;
    if (!isBehind) return { cursor, startsOver: true, added: allQuads(kinds), removed: [] };
    const changed = db
      .prepare<[number], { kind: string; name: string }>('SELECT DISTINCT kind, name FROM journal WHERE seq > ?')
      .all(before.journal);
    const byKind = new Map(kinds.map((kind) => [kind.kind as string, kind]));
    const removedGraphs = changed.flatMap(({ kind, name }) => byKind.get(kind)?.graph(name) ?? []);
    return { cursor, startsOver: false, removedGraphs, added: quadsSince(before, changed, byKind), removed: [] };
  }

  get #file(): { readonly folder: string; readonly name: string } {
    return { folder: this.#instance.folder, name: recordsFileName };
  }

  /** Opens the file that is there now; undefined when there is none, or none that has a history yet. */
  #opened(): OpenRecords | undefined {
    const file = fileIdentity(this.#file);
    if (this.#open !== undefined && this.#open.file === file) return this.#open;
    this.close();
    if (file === undefined) return undefined;
    const db = new Database(join(this.#instance.folder, recordsFileName), { readonly: true, fileMustExist: true });
    const version = Number(db.pragma('user_version', { simple: true }));
    if (version !== recordsVersion) {
      db.close();
      if (version > recordsVersion) throw newerRecords(this.#file, version);
      return undefined;
    }
    const { base } = this.#instance;
    const id = db.prepare<[], string>('SELECT id FROM history').pluck().get() ?? '';
    this.#open = { db, file, kinds: provenanceKinds(db, base, new HistoryIris(base, id)) };
    return this.#open;
  }
}

function nothing(cursor: Cursor | undefined): SourceChanges<Cursor> {
  const startsOver = cursor?.file !== undefined || cursor === undefined;
  return { cursor: { file: undefined, journal: 0, newest: new Map() }, startsOver, added: [], removed: [] };
}

function* allQuads(kinds: readonly ProvenanceKind[]): Generator<Quad> {
  for (const { quads } of kinds) for (const ofRow of quads()) yield* ofRow;
}

/** What is new, and what has changed of what was not. */
function* quadsSince(
  before: Cursor,
  changed: readonly { readonly kind: string; readonly name: string }[],
  kinds: ReadonlyMap<string, ProvenanceKind>,
): Generator<Quad> {
  const graphs = new Set<string>();
  for (const { kind, name } of changed) {
    const quads = kinds.get(kind)?.named(name) ?? [];
    const [first] = quads;
    if (first !== undefined) graphs.add(first.graph.value);
    yield* quads;
  }
  for (const { kind, quads, newest } of kinds.values()) {
    if (newest === undefined) continue;
    for (const ofRow of quads(before.newest.get(kind) ?? 0)) {
      // A row that is new and has changed since was read above.
      if (!graphs.has(ofRow[0]?.graph.value ?? '')) yield* ofRow;
    }
  }
}

/** All that is read is of the moment at which the transaction began. */
function* untilRead(quads: Iterable<Quad>, db: Database.Database): Generator<Quad> {
  try {
    yield* quads;
  } finally {
    if (db.open && db.inTransaction) db.exec('COMMIT');
  }
}

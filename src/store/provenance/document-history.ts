import type Database from 'better-sqlite3';
import type { InstanceHistory, SeenDocument } from './history.js';
import type { Journal } from './journal.js';
import { RevisionHistory, type RevisionRow } from './revision-history.js';

interface DocumentRow {
  readonly number: number;
  readonly path: string;
  readonly sha256: string;
  readonly signature: string;
}

interface InstanceRow {
  readonly base: string;
  readonly program: string;
  readonly documents: string | null;
}

/** Documents that are written in one transaction where there are many: for some ms, no other process can write meanwhile. */
const portionSize = 200;
/** In the place of the program of an instance that is no longer one of those that are served. */
const goneProgram = '';

/** A document of which a row was written, or is to be. */
interface Version {
  readonly number: number;
  /** Another process has written a later one meanwhile: this one is past already. */
  readonly isPast: boolean;
}

/**
 * Keeps which documents there were, and which revisions of nodes they gave, in step with what this process sees: a row that holds is closed
 * when it does so no longer, and what is as it was writes nothing. Each method is to be run in a transaction; each throws an SqliteError.
 */
export class DocumentHistory {
  readonly #journal: Journal;
  readonly #revisions: RevisionHistory;
  readonly #instance: Database.Statement<[string], InstanceRow>;
  readonly #instances: Database.Statement<[string], { instance: string; base: string }>;
  readonly #putInstance: Database.Statement<[string, string, string]>;
  readonly #putDigest: Database.Statement<[string | null, string]>;
  readonly #current: Database.Statement<[string, string], DocumentRow>;
  readonly #allCurrent: Database.Statement<[string], DocumentRow>;
  readonly #insert: Database.Statement<[Record<string, string | number | null>]>;
  readonly #close: Database.Statement<[string, string, number]>;
  readonly #newest: Database.Statement<[], number>;
  /** The highest number when this process last looked: rows above it are of others, which may have seen more. */
  #known: number;

  constructor(db: Database.Database, journal: Journal) {
    this.#journal = journal;
    this.#revisions = new RevisionHistory(db, journal);
    this.#instance = db.prepare('SELECT base, program, documents FROM history_instance WHERE instance = ?');
    this.#instances = db.prepare('SELECT instance, base FROM history_instance WHERE program != ?');
    this.#putInstance = db.prepare(
      'INSERT OR REPLACE INTO history_instance(instance, base, program, documents) VALUES (?, ?, ?, NULL)',
    );
    this.#putDigest = db.prepare('UPDATE history_instance SET documents = ? WHERE instance = ?');
    const columns = 'SELECT number, path, sha256, signature FROM document WHERE instance = ?';
    this.#current = db.prepare(`${columns} AND path = ? AND until IS NULL`);
    this.#allCurrent = db.prepare(`${columns} AND until IS NULL`);
    this.#insert = db.prepare(
      `INSERT INTO document(instance, path, sha256, bytes, signature, prior, since, until, ending, git, git_reason, git_at)
       VALUES (@instance, @path, @sha256, @bytes, @signature, @prior, @since, @until, @ending, @git, @reason, @asked)`,
    );
    this.#close = db.prepare('UPDATE document SET until = ?, ending = ? WHERE number = ?');
    this.#newest = db.prepare<[], number>('SELECT coalesce(max(number), 0) FROM document').pluck();
    this.#known = this.#newest.get() ?? 0;
  }

  sync(history: InstanceHistory, at: string): void {
    const { instance, base, program } = history;
    const known = this.#instance.get(instance);
    const changed = this.#changes(history, known);
    if (changed.size > 0) this.#forgetDigest(instance, known);
    this.#take(history, changed, at);
    if (!isSameProgram(history, known)) this.#putInstance.run(instance, base, program);
    this.#known = this.#newest.get() ?? 0;
  }

  /** Parts of what `sync` would write, where that is much. What other documents state more of waits until all these are written. */
  portions(history: InstanceHistory): readonly InstanceHistory[] {
    const changed = this.#changes(history, this.#instance.get(history.instance));
    if (changed.size <= portionSize) return [];
    const simple = [...changed].filter(([, seen]) => seen !== undefined && !isMerged(seen));
    const portions: InstanceHistory[] = [];
    for (let start = 0; start < simple.length; start += portionSize) {
      portions.push({ ...history, changed: new Map(simple.slice(start, start + portionSize)) });
    }
    return portions;
  }

  putPortion(portion: InstanceHistory, at: string): void {
    this.#forgetDigest(portion.instance, this.#instance.get(portion.instance));
    this.#take(portion, portion.changed ?? new Map(), at);
    this.#known = this.#newest.get() ?? 0;
  }

  /** Notes a digest of what was told last, unless others have told more since. */
  keepDigest(instance: string, digest: string): void {
    if (this.#newest.get() === this.#known && this.#instance.get(instance)?.documents !== digest) {
      this.#putDigest.run(digest, instance);
    }
  }

  /** Closes what is held of instances that are not among these. */
  keepInstances(instances: readonly string[], at: string): void {
    for (const { instance, base } of this.#instances.all(goneProgram)) {
      if (instances.includes(instance)) continue;
      for (const row of this.#allCurrent.all(instance)) this.#end(instance, row, row.path, at);
      this.#putInstance.run(instance, base, goneProgram);
    }
  }

  #forgetDigest(instance: string, known: InstanceRow | undefined): void {
    if (known !== undefined && known.documents !== null) this.#putDigest.run(null, instance);
  }

  #take(history: InstanceHistory, changed: ReadonlyMap<string, SeenDocument | undefined>, at: string): void {
    const { instance } = history;
    const versions = new Map<string, Version>();
    for (const [path, seen] of changed) {
      const row = this.#current.get(instance, path);
      if (seen === undefined) this.#end(instance, row, path, at);
      else versions.set(path, this.#version(history, path, seen, row, at));
    }
    for (const [path, { number, isPast }] of versions) {
      const seen = changed.get(path);
      if (seen !== undefined) this.#putRevisions(history, path, seen, { number, isPast }, at);
    }
  }

  /** What may be other than the rows say. What the bytes and the program alone decide is not looked at again. */
  #changes(history: InstanceHistory, known: InstanceRow | undefined): ReadonlyMap<string, SeenDocument | undefined> {
    const { instance, digest } = history;
    const isSame = isSameProgram(history, known);
    if (isSame && history.changed !== undefined) return history.changed;
    const changed = new Map<string, SeenDocument | undefined>();
    if (isSame && digest !== undefined && digest === known?.documents) return changed;
    const rows = new Map(this.#allCurrent.all(instance).map((row) => [row.path, row]));
    const all = history.all();
    for (const path of history.unseen ?? []) if (!all.has(path)) rows.delete(path);
    const isAsBefore = (path: string) => isSame && rows.get(path)?.sha256 === all.get(path)?.sha256;
    if (rows.size === all.size && [...all.keys()].every(isAsBefore)) return changed;
    const revisions = this.#revisions.current(instance);
    const wasMerged = (path: string) => revisions.get(path)?.some(({ others }) => others > 0) === true;
    for (const path of rows.keys()) if (!all.has(path)) changed.set(path, undefined);
    for (const [path, seen] of all) {
      if (!isAsBefore(path) || wasMerged(path) || isMerged(seen)) changed.set(path, seen);
    }
    return changed;
  }

  #version(
    { instance, withoutGit }: InstanceHistory,
    path: string,
    { sha256, signature }: SeenDocument,
    row: DocumentRow | undefined,
    at: string,
  ): Version {
    if (row?.sha256 === sha256) return { number: row.number, isPast: false };
    const isPast = row !== undefined && row.number > this.#known && changeTime(signature) < changeTime(row.signature);
    if (row !== undefined && !isPast) this.#closeRow(row.number, 'replaced', at);
    const { lastInsertRowid } = this.#insert.run({
      ...{ instance, path, sha256, bytes: sizeOf(signature), signature, prior: row?.number ?? null },
      ...{ since: at, until: isPast ? at : null, ending: isPast ? 'replaced' : null },
      ...(withoutGit === undefined
        ? { git: null, reason: null, asked: null }
        : { git: 'unavailable', reason: withoutGit, asked: at }),
    });
    return { number: Number(lastInsertRowid), isPast };
  }

  #end(instance: string, row: DocumentRow | undefined, path: string, at: string): void {
    if (row !== undefined) this.#closeRow(row.number, 'deleted', at);
    for (const revision of this.#revisions.ofDocument(instance, path)) this.#revisions.close(revision, 'deleted', at);
  }

  #closeRow(number: number, ending: 'replaced' | 'deleted', at: string): void {
    this.#close.run(at, ending, number);
    this.#journal.add('document', number);
  }

  #putRevisions(
    { instance }: InstanceHistory,
    path: string,
    seen: SeenDocument,
    { number, isPast }: Version,
    at: string,
  ): void {
    const { tools, broken } = seen.nodes();
    const held = new Map<string, RevisionRow>();
    for (const row of this.#revisions.ofDocument(instance, path)) held.set(row.iri, row);
    for (const tool of new Map(tools.map((one) => [one.iri, one])).values()) {
      const others = (tool.alsoIn ?? []).flatMap((other) => this.#current.get(instance, other)?.number ?? []);
      this.#revisions.put({ instance, path, document: number, others, tool, row: held.get(tool.iri), isPast }, at);
      held.delete(tool.iri);
    }
    if (isPast || broken === 'all') return;
    for (const row of held.values()) if (!broken.includes(row.iri)) this.#revisions.close(row, 'deleted', at);
  }
}

function isSameProgram({ program, base }: InstanceHistory, known: InstanceRow | undefined): boolean {
  return known?.program === program && known.base === base;
}

function isMerged(seen: SeenDocument): boolean {
  return seen.nodes().tools.some(({ alsoIn }) => alsoIn !== undefined);
}

function sizeOf(signature: string): number {
  return Number(signature.split(':')[1] ?? 0);
}

/** When the file was last changed, in ns: two contents of one path follow one another in this order, whoever reads them when. */
function changeTime(signature: string): bigint {
  const part = signature.split(':')[3] ?? '';
  return /^[0-9]+$/.test(part) ? BigInt(part) : 0n;
}

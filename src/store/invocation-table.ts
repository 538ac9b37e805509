import type Database from 'better-sqlite3';
import canonicalize from 'canonicalize';
import type { CallRecord } from '../invocation/call-record.js';
import { Journal } from './provenance/journal.js';

/** Records of calls, the servers that made them and the nodes that they ran; what retention dropped. An entry of `recordMigrations`. */
export const invocationTables = `
  CREATE TABLE server(number INTEGER PRIMARY KEY, pid INTEGER NOT NULL, identity TEXT NOT NULL, UNIQUE(pid, identity)) STRICT;
  CREATE TABLE revision(iri TEXT NOT NULL, digest TEXT NOT NULL, node TEXT NOT NULL, PRIMARY KEY(iri, digest)) STRICT, WITHOUT ROWID;
  CREATE TABLE invocation(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, server INTEGER NOT NULL,
    name TEXT NOT NULL, iri TEXT, tool TEXT, document TEXT, instance TEXT, definition TEXT, revision TEXT,
    generation_key TEXT NOT NULL, generation INTEGER NOT NULL, generation_digest TEXT NOT NULL,
    skill TEXT, claimed_skill TEXT, actor TEXT, role TEXT, actor_version TEXT, identity TEXT NOT NULL,
    inputs TEXT, inputs_bytes INTEGER, inputs_sha256 TEXT, confirmed INTEGER,
    arm TEXT, argv TEXT, argv_words INTEGER, argv_sha256 TEXT, leader INTEGER, leader_identity TEXT,
    outcome TEXT, reason TEXT NOT NULL DEFAULT '', code TEXT, exit_code INTEGER, signal TEXT,
    output_bytes INTEGER, output_sha256 TEXT, started TEXT NOT NULL, finished TEXT,
    CHECK ((outcome IS NULL) = (finished IS NULL)),
    CHECK ((outcome IS NULL OR outcome = 'ran') = (reason = ''))
  ) STRICT;
  CREATE INDEX invocation_running ON invocation(server) WHERE outcome IS NULL;
  CREATE TABLE dropped(one INTEGER PRIMARY KEY CHECK(one = 1), count INTEGER NOT NULL, newest TEXT NOT NULL, at TEXT NOT NULL) STRICT;`;

/** Ids of processes that outlived a call: JSON of those that live on, and of those that were ended. An entry of `recordMigrations`. */
export const survivorColumns = `
  ALTER TABLE invocation ADD COLUMN survivors TEXT;
  ALTER TABLE invocation ADD COLUMN ended_survivors TEXT;`;

/** The process of a server: its id, and what tells it from others that had the same. */
export interface ServerIdentity {
  readonly pid: number;
  readonly identity: string;
}

export interface KnownServer extends ServerIdentity {
  readonly number: number;
}

/** A call of a server that has gone. */
export interface InterruptedCall {
  readonly id: string;
  readonly name: string;
  /** The process that it had started, where that was noted. */
  readonly leader?: ServerIdentity;
}

/** How many records are kept, and for how long. */
export interface Retention {
  readonly records: number;
  readonly days: number;
}

/** Rows that are dropped in one transaction, so that none takes long. */
const droppedAtOnce = 500;
const dayMs = 86_400_000;
const interruptedReason =
  'toolgraph ended before it could record the end of this call; whether the tool ran to its end is not known';

type Value = string | number | null;

const begun = [
  ...['id', 'server', 'name', 'iri', 'tool', 'document', 'instance', 'definition', 'revision', 'generation_key'],
  ...['generation', 'generation_digest', 'skill', 'claimed_skill', 'actor', 'role', 'actor_version', 'identity'],
  ...['inputs', 'inputs_bytes', 'inputs_sha256', 'confirmed', 'arm', 'argv', 'argv_words', 'argv_sha256', 'started'],
];
const ended = [
  ...['outcome', 'reason', 'code', 'exit_code', 'signal', 'output_bytes', 'output_sha256', 'finished'],
  ...['survivors', 'ended_survivors'],
];

/** The prepared statements on the records of calls. Each method is to be run in a transaction; each throws an SqliteError. */
export class InvocationTable {
  readonly #insert: Database.Statement<[Record<string, Value>]>;
  readonly #end: Database.Statement<[Record<string, Value>]>;
  readonly #addServer: Database.Statement<[number, string]>;
  readonly #server: Database.Statement<[number, string], number>;
  readonly #hasRevision: Database.Statement<[string, string], number>;
  readonly #addRevision: Database.Statement<[string, string, string]>;
  readonly #setLeader: Database.Statement<[number, string, string]>;
  readonly #db: Database.Database;
  /** Of this process, which has one identity. */
  #serverNumber: number | undefined;
  readonly #journal: Journal;

  constructor(db: Database.Database, journal = new Journal(db)) {
    this.#db = db;
    this.#journal = journal;
    const columns = [...begun, ...ended];
    this.#insert = db.prepare(
      `INSERT INTO invocation(${columns.join(', ')}, node_revision) VALUES (${columns.map((column) => `@${column}`).join(', ')},
        (SELECT number FROM node_revision WHERE iri = @iri AND digest = @revision AND instance = coalesce(@instance, '')
         ORDER BY until IS NULL DESC, number DESC LIMIT 1))`,
    );
    this.#end = db.prepare(
      `UPDATE invocation SET ${ended.map((column) => `${column} = @${column}`).join(', ')} WHERE id = @id`,
    );
    this.#addServer = db.prepare('INSERT OR IGNORE INTO server(pid, identity) VALUES (?, ?)');
    this.#server = db
      .prepare<[number, string], number>('SELECT number FROM server WHERE pid = ? AND identity = ?')
      .pluck();
    this.#hasRevision = db
      .prepare<[string, string], number>('SELECT count(*) FROM revision WHERE iri = ? AND digest = ?')
      .pluck();
    this.#addRevision = db.prepare('INSERT OR IGNORE INTO revision(iri, digest, node) VALUES (?, ?, ?)');
    this.#setLeader = db.prepare('UPDATE invocation SET leader = ?, leader_identity = ? WHERE id = ?');
  }

  put(record: CallRecord, server: ServerIdentity): void {
    const { id, end } = record;
    if (end !== undefined && this.#end.run({ id, ...endedColumns(end) }).changes > 0) {
      this.#journal.add('call', id);
      return;
    }
    // It ends as it begins; or it began in a file that was lost since, and is put into the new one whole.
    this.#putRevision(record);
    this.#insert.run({ ...begunColumns(record), ...endedColumns(end), server: this.#numberOf(server) });
  }

  setLeader(id: string, { pid, identity }: ServerIdentity): void {
    this.#setLeader.run(pid, identity, id);
  }

  /** The servers with a call that has not ended. */
  serversWithCalls(): KnownServer[] {
    return this.#db
      .prepare<[], KnownServer>(
        'SELECT number, pid, identity FROM server WHERE number IN (SELECT server FROM invocation WHERE outcome IS NULL)',
      )
      .all();
  }

  /** Marks what a server that has gone has not ended. Returns those calls. */
  interrupt({ number }: KnownServer, at: Date): InterruptedCall[] {
    const rows = this.#db
      .prepare<
        [string, string, number],
        { id: string; name: string; leader: number | null; leader_identity: string | null }
      >(
        `UPDATE invocation SET outcome = 'interrupted', reason = ?, finished = ? WHERE server = ? AND outcome IS NULL
         RETURNING id, name, leader, leader_identity`,
      )
      .all(interruptedReason, at.toISOString(), number);
    for (const { id } of rows) this.#journal.add('call', id);
    return rows.map(({ id, name, leader, leader_identity }) => ({
      id,
      name,
      ...(leader === null || leader_identity === null ? {} : { leader: { pid: leader, identity: leader_identity } }),
    }));
  }

  /** Drops some of the oldest records that are more, or older, than are kept; what still runs stays. Returns how many. */
  drop({ records, days }: Retention, now: Date): number {
    const newest = this.#db.prepare<[], number>('SELECT max(seq) FROM invocation').pluck().get() ?? 0;
    const since = new Date(now.getTime() - days * dayMs).toISOString();
    const young = this.#db
      .prepare<[string], number>('SELECT seq FROM invocation WHERE started >= ? ORDER BY seq LIMIT 1')
      .pluck()
      .get(since);
    const last = Math.max(newest - records, (young ?? newest + 1) - 1);
    const rows = this.#db
      .prepare<[number, number], { id: string; started: string }>(
        `DELETE FROM invocation WHERE seq IN
         (SELECT seq FROM invocation WHERE seq <= ? AND outcome IS NOT NULL ORDER BY seq LIMIT ?) RETURNING id, started`,
      )
      .all(last, droppedAtOnce);
    for (const { id } of rows) this.#journal.add('call', id);
    if (rows.length > 0) {
      this.#noteDropped(
        rows.map(({ started }) => started),
        now,
      );
    }
    return rows.length;
  }

  #noteDropped(started: readonly string[], now: Date): void {
    const newest = [...started].sort().at(-1) ?? '';
    this.#db
      .prepare(
        `INSERT INTO dropped(one, count, newest, at) VALUES (1, @count, @newest, @at)
         ON CONFLICT(one) DO UPDATE SET count = count + @count, newest = max(newest, @newest), at = @at`,
      )
      .run({ count: started.length, newest, at: now.toISOString() });
  }

  #numberOf({ pid, identity }: ServerIdentity): number {
    if (this.#serverNumber === undefined) {
      this.#addServer.run(pid, identity);
      this.#serverNumber = this.#server.get(pid, identity);
    }
    if (this.#serverNumber === undefined) throw new Error('the server that was just added is not there');
    return this.#serverNumber;
  }

  #putRevision({ tool }: CallRecord): void {
    if (tool?.revision === undefined) return;
    const { iri, revision } = tool;
    if (this.#hasRevision.get(iri, revision.digest) === 1) return;
    this.#addRevision.run(iri, revision.digest, canonicalize(revision.node) ?? '');
  }
}

function begunColumns(record: CallRecord): Record<string, Value> {
  const { tool, generation, by, inputs, argv } = record;
  return {
    id: record.id,
    name: record.name,
    iri: tool?.iri ?? null,
    tool: tool?.id ?? null,
    document: tool?.document ?? null,
    instance: tool?.instance ?? null,
    definition: tool?.definition ?? null,
    revision: tool?.revision?.digest ?? null,
    generation_key: generation.key,
    generation: generation.number,
    generation_digest: generation.digest,
    skill: record.skill ?? null,
    claimed_skill: record.claimedSkill ?? null,
    actor: by.actor ?? null,
    role: by.role ?? null,
    actor_version: by.version ?? null,
    identity: by.identity,
    inputs: inputs?.text ?? null,
    inputs_bytes: inputs?.bytes ?? null,
    inputs_sha256: inputs?.sha256 ?? null,
    confirmed: record.confirmed === undefined ? null : Number(record.confirmed),
    arm: record.arm ?? null,
    argv: argv === undefined ? null : JSON.stringify(argv.words),
    argv_words: argv?.count ?? null,
    argv_sha256: argv?.sha256 ?? null,
    started: record.started.toISOString(),
  };
}

function endedColumns(end: CallRecord['end']): Record<string, Value> {
  return {
    outcome: end?.outcome ?? null,
    reason: end?.reason ?? '',
    code: end?.code ?? null,
    exit_code: end?.exitCode ?? null,
    signal: end?.signal ?? null,
    output_bytes: end?.output?.bytes ?? null,
    output_sha256: end?.output?.sha256 ?? null,
    finished: end?.finished.toISOString() ?? null,
    survivors: end?.survivors === undefined ? null : JSON.stringify(end.survivors),
    ended_survivors: end?.endedSurvivors === undefined ? null : JSON.stringify(end.endedSurvivors),
  };
}

import type Database from 'better-sqlite3';
import type { Caller, Invocation } from '../../schemas/invocation.js';
import type { ServerIdentity } from './invocation-table.js';
import { readRecords } from './record-reading.js';
import { firstCallsVersion } from './record-schema.js';

/** What is asked of the records. */
export interface RecordQuery {
  /** The id, IRI or MCP name of a Tool. Default: all. */
  readonly tool?: string;
  /** At most so many records, the newest. */
  readonly limit: number;
}

/** What retention has dropped so far. */
export interface DroppedRecords {
  readonly count: number;
  /** When the newest of them had come in, and when some were dropped last (ISO 8601). */
  readonly newest: string;
  readonly at: string;
}

export interface RecordedCalls {
  /** Newest first. */
  readonly records: readonly Invocation[];
  /** By the id of each call that has no end, the server that makes it, or has made it and is gone. */
  readonly running: ReadonlyMap<string, ServerIdentity>;
  /** Absent when nothing was dropped. */
  readonly dropped?: DroppedRecords;
}

/**
 * Reads records of calls without changing anything; servers may write them meanwhile. Undefined when the folder has no records yet.
 * Throws a StoreError when the file is damaged, or a newer toolgraph wrote it.
 */
export function readCalls(folder: string, { tool, limit }: RecordQuery): RecordedCalls | undefined {
  return readRecords(folder, firstCallsVersion, (db) => readFrom(db, tool, limit));
}

/** A row of the table `invocation`. */
export interface InvocationRow {
  readonly id: string;
  readonly name: string;
  readonly iri: string | null;
  readonly tool: string | null;
  readonly document: string | null;
  readonly instance: string | null;
  readonly definition: string | null;
  readonly revision: string | null;
  readonly generation_key: string;
  readonly generation: number;
  readonly generation_digest: string;
  readonly skill: string | null;
  readonly claimed_skill: string | null;
  readonly actor: string | null;
  readonly role: string | null;
  readonly actor_version: string | null;
  readonly identity: Caller['identity'];
  readonly inputs: string | null;
  readonly inputs_bytes: number | null;
  readonly inputs_sha256: string | null;
  readonly confirmed: number | null;
  readonly arm: string | null;
  readonly argv: string | null;
  readonly argv_words: number | null;
  readonly argv_sha256: string | null;
  readonly outcome: Invocation['outcome'];
  readonly reason: string;
  readonly code: string | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly output_bytes: number | null;
  readonly output_sha256: string | null;
  /** Not in a file that no server has migrated yet. */
  readonly survivors?: string | null;
  readonly ended_survivors?: string | null;
  readonly started: string;
  readonly finished: string | null;
}

interface Row extends InvocationRow {
  readonly server_pid: number;
  readonly server_identity: string;
}

function readFrom(db: Database.Database, tool: string | undefined, limit: number): RecordedCalls {
  const where = tool === undefined ? '' : 'WHERE tool = @tool OR iri = @tool OR name = @tool';
  const rows = db
    .prepare<[{ tool: string | null; limit: number }], Row>(
      `SELECT invocation.*, server.pid AS server_pid, server.identity AS server_identity
       FROM invocation JOIN server ON server.number = invocation.server ${where} ORDER BY seq DESC LIMIT @limit`,
    )
    .all({ tool: tool ?? null, limit });
  const dropped = db.prepare<[], DroppedRecords>('SELECT count, newest, at FROM dropped').get();
  const running = rows.filter(({ outcome }) => outcome === null);
  return {
    records: rows.map(invocationOf),
    running: new Map(running.map((row) => [row.id, { pid: row.server_pid, identity: row.server_identity }])),
    ...(dropped === undefined ? {} : { dropped }),
  };
}

/** The record that a row is. */
export function invocationOf(row: InvocationRow): Invocation {
  return {
    ...present({
      id: row.id,
      name: row.name,
      tool: row.tool,
      iri: row.iri,
      instance: row.instance,
      document: row.document,
    }),
    ...present({ revision: row.revision, definition: row.definition }),
    generation: { key: row.generation_key, number: row.generation, digest: row.generation_digest },
    ...present({ skill: row.skill, claimedSkill: row.claimed_skill }),
    by: present({ actor: row.actor, role: row.role, version: row.actor_version, identity: row.identity }),
    ...inputsOf(row),
    ...(row.confirmed === null ? {} : { confirmed: row.confirmed === 1 }),
    ...present({ arm: row.arm }),
    ...argvOf(row),
    outcome: row.outcome,
    ...(row.reason === '' ? {} : { reason: row.reason }),
    ...present({ code: row.code, exitCode: row.exit_code, signal: row.signal }),
    ...(row.output_bytes === null || row.output_sha256 === null
      ? {}
      : { output: { bytes: row.output_bytes, sha256: row.output_sha256 } }),
    ...(row.survivors == null ? {} : { survivors: JSON.parse(row.survivors) }),
    ...(row.ended_survivors == null ? {} : { endedSurvivors: JSON.parse(row.ended_survivors) }),
    started: row.started,
    ...present({ finished: row.finished }),
  };
}

function inputsOf({
  inputs,
  inputs_bytes: bytes,
  inputs_sha256: sha256,
}: InvocationRow): Pick<Invocation, 'inputs' | 'inputsCut'> {
  if (inputs === null || bytes === null || sha256 === null) return {};
  if (bytes > Buffer.byteLength(inputs)) return { inputsCut: { head: inputs, bytes, sha256 } };
  return { inputs: JSON.parse(inputs) };
}

function argvOf({ argv, argv_words: words, argv_sha256: sha256 }: InvocationRow): Pick<Invocation, 'argv' | 'argvCut'> {
  if (argv === null || words === null || sha256 === null) return {};
  const kept: string[] = JSON.parse(argv);
  return { argv: kept, ...(kept.length < words ? { argvCut: { words, sha256 } } : {}) };
}

type Present<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: Exclude<T[K], null>;
};

/** The same members without those that are null. */
function present<T extends object>(members: T): Present<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as Present<T>;
}

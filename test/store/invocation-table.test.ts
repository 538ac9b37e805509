import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallRecord } from '../../src/invocation/call-record.js';
import { readCalls } from '../../src/store/record-reader.js';
import { recordMigrations } from '../../src/store/record-schema.js';
import { openRecordStore, type RecordStore } from '../../src/store/record-store.js';

const server = { pid: 7, identity: 'boot 1' };
const day = 86_400_000;
const now = new Date('2026-06-01T00:00:00.000Z');
let folder: string;
let store: RecordStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgraph-invocations-'));
  store = openRecordStore(folder);
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

function call(started = now): CallRecord {
  return {
    id: randomUUID(),
    name: 't',
    generation: { key: 'k', number: 1, digest: 'd' },
    by: { identity: 'none' },
    started,
  };
}

function ran(started = now): CallRecord {
  return { ...call(started), end: { outcome: 'ran', reason: '', finished: started } };
}

const ids = () => readCalls(folder, { limit: 1000 })?.records.map(({ id }) => id) ?? [];

describe('the records of calls', () => {
  it('have one row a call, with the end in it, and no gap between rows', () => {
    const calls = Array.from({ length: 5 }, () => call());
    for (const one of calls) {
      store.putCall(one, server);
      store.putCall({ ...one, end: { outcome: 'ran', reason: '', exitCode: 0, finished: now } }, server);
    }
    const db = new Database(join(folder, 'records.db'), { readonly: true });
    expect(db.prepare('SELECT seq, outcome, exit_code FROM invocation').all()).toEqual(
      calls.map((_, i) => ({ seq: i + 1, outcome: 'ran', exit_code: 0 })),
    );
    db.close();
  });

  it('are whole when only their end is written, as after a loss of the file', () => {
    const one = ran();
    store.putCall(one, server);
    expect(ids()).toEqual([one.id]);
  });

  it.each([
    ['a reason when it ran', { outcome: 'ran', reason: 'why' }],
    ['no reason when it did not', { outcome: 'failed', reason: '' }],
  ] as const)('cannot have %s', (_, end) => {
    expect(() => store.putCall({ ...call(), end: { ...end, finished: now } }, server)).toThrow(/SQLITE_CONSTRAINT/);
    expect(ids()).toEqual([]);
  });

  it('keep each revision of a node once, whole', () => {
    const node = { id: 't' };
    const revision = { digest: 'a'.repeat(64), node };
    for (let n = 0; n < 3; n++) store.putCall({ ...ran(), tool: { iri: 'urn:t', revision } }, server);
    store.close();
    store = openRecordStore(folder);
    store.putCall({ ...ran(), tool: { iri: 'urn:t', revision } }, server);
    const db = new Database(join(folder, 'records.db'), { readonly: true });
    expect(db.prepare('SELECT * FROM revision').all()).toEqual([
      { iri: 'urn:t', digest: revision.digest, node: '{"id":"t"}' },
    ]);
    db.close();
  });

  it('of one server are marked as interrupted without those of another, with the process that was noted', () => {
    const other = openRecordStore(folder);
    const [mine, theirs, done] = [call(), call(), ran()];
    store.putCall(mine, server);
    store.setLeader(mine.id, { pid: 99, identity: 'boot 5' });
    store.putCall(done, server);
    other.putCall(theirs, { pid: 8, identity: 'boot 2' });
    const servers = store.serversWithCalls();
    expect(servers.map(({ pid, identity }) => ({ pid, identity }))).toEqual([server, { pid: 8, identity: 'boot 2' }]);
    const [first] = servers;
    expect(first && store.interrupt(first, now)).toEqual([
      { id: mine.id, name: 't', leader: { pid: 99, identity: 'boot 5' } },
    ]);
    expect(store.serversWithCalls()).toHaveLength(1);
    const read = readCalls(folder, { limit: 10 });
    expect(read?.records.map(({ outcome }) => outcome)).toEqual([null, 'ran', 'interrupted']);
    expect(read?.running).toEqual(new Map([[theirs.id, { pid: 8, identity: 'boot 2' }]]));
    // A server that was thought to be gone, and ends its call after all, is right.
    store.putCall({ ...mine, end: { outcome: 'ran', reason: '', finished: now } }, server);
    expect(readCalls(folder, { limit: 10 })?.records.at(-1)).toMatchObject({ outcome: 'ran' });
    other.close();
  });
});

describe('what is dropped', () => {
  const all = { records: 1000, days: 365 };

  it('is the oldest beyond the number, never a call that runs, and is counted', () => {
    const running = call(new Date(now.getTime() - day));
    store.putCall(running, server);
    const rest = Array.from({ length: 9 }, (_, n) => ran(new Date(now.getTime() - day + n)));
    for (const one of rest) store.putCall(one, server);
    expect(store.dropCalls({ ...all, records: 10 }, now)).toBe(0);
    expect(readCalls(folder, { limit: 1 })).not.toHaveProperty('dropped');
    expect(store.dropCalls({ ...all, records: 4 }, now)).toBe(5);
    expect(ids()).toEqual([
      ...rest
        .slice(5)
        .map(({ id }) => id)
        .reverse(),
      running.id,
    ]);
    expect(store.dropCalls({ ...all, records: 3 }, now)).toBe(1);
    expect(readCalls(folder, { limit: 1 })?.dropped).toEqual({
      count: 6,
      newest: rest[5]?.started.toISOString(),
      at: now.toISOString(),
    });
  });

  it('is what is older than the days, a part at a time', () => {
    const old = new Date(now.getTime() - 11 * day);
    const young = ran(new Date(now.getTime() - 9 * day));
    for (let n = 0; n < 700; n++) store.putCall(ran(old), server);
    store.putCall(young, server);
    expect(store.dropCalls({ ...all, days: 10 }, now)).toBe(500);
    expect(store.dropCalls({ ...all, days: 10 }, now)).toBe(200);
    expect(store.dropCalls({ ...all, days: 10 }, now)).toBe(0);
    expect(ids()).toEqual([young.id]);
    expect(store.dropCalls({ ...all, days: 1 }, now)).toBe(1);
  });
});

it('readCalls finds nothing in a file that has no calls yet, of an older toolgraph too', () => {
  expect(readCalls(join(folder, 'nowhere'), { limit: 1 })).toBeUndefined();
  const older = mkdtempSync(join(tmpdir(), 'toolgraph-older-'));
  const db = new Database(join(older, 'records.db'));
  db.exec(`${recordMigrations[0]}; PRAGMA user_version = 1`);
  db.close();
  expect(readCalls(older, { limit: 1 })).toBeUndefined();
  rmSync(older, { recursive: true });
});

it('readCalls reads a file of the first version with calls, before a server migrates it', () => {
  const older = mkdtempSync(join(tmpdir(), 'toolgraph-older-'));
  const db = new Database(join(older, 'records.db'));
  db.exec(`${recordMigrations.slice(0, 2).join(';')}; PRAGMA user_version = 2`);
  db.exec(`INSERT INTO server VALUES (1, 7, 'x')`);
  db.exec(`INSERT INTO invocation(id, server, name, generation_key, generation, generation_digest, identity, started)
    VALUES ('a', 1, 'probe', 'k', 1, 'd', 'none', '2026-01-01T00:00:00.000Z')`);
  db.close();
  expect(readCalls(older, { limit: 1 })?.records).toMatchObject([{ id: 'a', name: 'probe' }]);
  openRecordStore(older);
  expect(readCalls(older, { limit: 1 })?.records).toMatchObject([{ id: 'a', name: 'probe' }]);
  rmSync(older, { recursive: true });
});

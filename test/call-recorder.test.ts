import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StoredCalls } from '../src/call-recorder.js';
import type { CallRecord } from '../src/invocation/call-record.js';
import { readCalls } from '../src/store/record-reader.js';
import { openRecordStore, type RecordStore } from '../src/store/record-store.js';

let folder: string;
let store: RecordStore;
let notices: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgraph-recorder-'));
  store = openRecordStore(folder);
  notices = [];
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const recorder = (records = 1000) =>
  new StoredCalls(store, { retention: () => ({ records, days: 1 }), onNotice: (words) => notices.push(words) });

function call(id: string, ended = false): CallRecord {
  const generation = { key: 'k', number: 1, digest: 'd' };
  const started = new Date();
  const begun: CallRecord = { id, name: 't', generation, by: { identity: 'none' }, started };
  return ended ? { ...begun, end: { outcome: 'ran', reason: '', finished: started } } : begun;
}

function lock(): Database.Database {
  const db = new Database(join(folder, 'records.db'));
  db.exec('BEGIN IMMEDIATE');
  return db;
}

const outcomes = () => readCalls(folder, { limit: 100 })?.records.map(({ id, outcome }) => [id, outcome]);

it('while another process has the lock, only the records wait, all of them, and none is lost', async () => {
  const attempted: string[] = [];
  const put = store.putCall.bind(store);
  store.putCall = (record, server) => {
    attempted.push(record.id);
    put(record, server);
  };
  const calls = recorder();
  const db = lock();
  const writes = Array.from({ length: 50 }, (_, n) => calls.put(call(`c${n}`, true)));
  await vi.waitFor(() => expect(attempted.length).toBeGreaterThan(5), { timeout: 4_000 });
  // One tries for all: each attempt keeps everything else waiting.
  expect(new Set(attempted)).toEqual(new Set(['c0']));
  expect(outcomes()).toEqual([]);
  db.exec('COMMIT');
  db.close();
  await Promise.all(writes);
  expect(outcomes()).toHaveLength(50);
  expect(notices).toEqual([]);
});

it('what could not be written is told once, and the end is written with the next record, or at the close', async () => {
  const calls = recorder();
  await calls.put(call('a'));
  await calls.put(call('b'));
  const db = lock();
  const failed = await Promise.allSettled([calls.put(call('a', true)), calls.put(call('b', true))]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(notices).toEqual([expect.stringMatching(/^a call could not be recorded: \S+records\.db: another process/)]);
  db.exec('COMMIT');
  db.close();
  expect(outcomes()).toEqual([
    ['b', null],
    ['a', null],
  ]);
  await calls.close();
  expect(outcomes()).toEqual([
    ['b', 'ran'],
    ['a', 'ran'],
  ]);
});

it('a sweep marks what servers that are gone have left, not what this one runs, and drops what is too much', async () => {
  const calls = recorder(2);
  const gone = openRecordStore(folder);
  for (const id of ['old1', 'old2', 'old3']) gone.putCall(call(id), { pid: process.pid, identity: 'another boot' });
  gone.close();
  await calls.put(call('mine'));
  await calls.sweep();
  expect(outcomes()).toEqual([
    ['mine', null],
    ['old3', 'interrupted'],
  ]);
  expect(notices).toEqual([
    '3 calls, of t and others, had no end when an earlier server of this instance ended; recorded as interrupted (toolgraph log)',
  ]);
  await calls.sweep();
  expect(notices).toHaveLength(1);
});

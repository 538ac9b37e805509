import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DatabaseFile, freeName, openDatabase, removeDatabase, setAside } from '../../src/store/database-file.js';
import { graphPragmas } from '../../src/store/graph-schema.js';

let file: DatabaseFile;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'toolgraph-database-'));
  file = { folder, name: 'graph.db', busyTimeoutMs: 1000, synchronous: 'NORMAL', pragmas: graphPragmas };
});

afterEach(() => rmSync(file.folder, { recursive: true }));

function pragmas(db: Database.Database): unknown[] {
  const names = ['journal_mode', 'synchronous', 'wal_autocheckpoint', 'cache_size', 'temp_store', 'busy_timeout'];
  return names.map((name) => db.pragma(name, { simple: true }));
}

describe('openDatabase', () => {
  it('sets WAL, synchronous and no automatic checkpoint, on a fresh file and on an existing one', () => {
    for (const [synchronous, number] of [
      ['NORMAL', 1],
      ['FULL', 2],
      ['NORMAL', 1],
    ] as const) {
      const db = openDatabase({ ...file, synchronous });
      expect(pragmas(db)).toEqual(['wal', number, 0, -65536, 2, 1000]);
      db.exec('CREATE TABLE IF NOT EXISTS x(y)');
      db.close();
    }
  });
});

describe('the files of a database', () => {
  it('are renamed together, to a name that is free', () => {
    for (const name of ['graph.db', 'graph.db-wal', 'graph.db.corrupt-1-wal', 'other']) {
      writeFileSync(join(file.folder, name), name);
    }
    expect(setAside(file.folder, 'graph.db', 'corrupt')).toBe('graph.db.corrupt-2');
    expect(freeName(file.folder, 'graph.db.corrupt')).toBe('graph.db.corrupt-3');
    expect(removeDatabase(file.folder, 'graph.db')).toEqual([]);
    expect(removeDatabase(file.folder, 'graph.db.corrupt-2')).toEqual(['graph.db.corrupt-2', 'graph.db.corrupt-2-wal']);
  });
});

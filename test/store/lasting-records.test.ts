import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LastingRecords } from '../../src/store/lasting-records.js';
import { openRecordStore } from '../../src/store/record-store.js';

const at = new Date(0);
let parent: string;
let folder: string;
let records: LastingRecords;
let notices: string[];

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'toolgraph-lasting-'));
  folder = join(parent, 'state');
  notices = [];
  records = new LastingRecords(
    () => {
      mkdirSync(folder, { recursive: true });
      return openRecordStore(folder);
    },
    (words) => notices.push(words),
  );
});
afterEach(() => {
  records.close();
  rmSync(parent, { recursive: true });
});

const next = (digest: string, key = 'k') => records.nextGeneration(key, digest, at);

describe('LastingRecords', () => {
  it('goes on counting from what this process was given when the folder is removed', () => {
    expect([next('a'), next('b'), next('c')]).toEqual([1, 2, 3]);
    rmSync(folder, { recursive: true });
    expect(next('c')).toBe(3);
    expect(next('d')).toBe(4);
    expect(next('x', 'other')).toBe(1);
    expect(notices).toHaveLength(1);
  });

  it('sets a damaged file aside, says so once, and goes on counting', () => {
    expect([next('a'), next('b')]).toEqual([1, 2]);
    const other = new Database(join(folder, 'records.db'));
    other.exec("UPDATE generation SET digest = 'z' WHERE number = 2");
    other.pragma('wal_checkpoint(TRUNCATE)');
    other.close();
    writeFileSync(join(folder, 'records.db'), 'no database '.repeat(1000));
    expect(next('c')).toBe(3);
    expect(readdirSync(folder)).toContain('records.db.corrupt-1');
    expect(notices).toHaveLength(1);
    expect(next('c')).toBe(3);
  });

  it('takes the sequence of another process that has begun the file anew, and gives no number again', () => {
    expect([next('a'), next('b')]).toEqual([1, 2]);
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    const other = openRecordStore(folder);
    expect(other.nextGeneration('k', 'c', at)).toBe(1);
    expect(next('c')).toBe(1);
    expect(next('d')).toBe(2);
    other.close();
  });
});

import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordMigrations } from '../../src/store/record-schema.js';
import { openRecordStore, type RecordStore } from '../../src/store/record-store.js';
import { StoreError } from '../../src/store/store-error.js';

const at = new Date('2026-01-02T03:04:05.678Z');
let folder: string;
let open: RecordStore[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgraph-records-'));
  open = [];
});

afterEach(() => {
  for (const store of open) store.close();
  rmSync(folder, { recursive: true });
});

function openStore(options?: Parameters<typeof openRecordStore>[1]): RecordStore {
  const store = openRecordStore(folder, options);
  open.push(store);
  return store;
}

function closeAll(): void {
  for (const store of open.splice(0)) store.close();
}

function raw<T>(name: string, act: (db: Database.Database) => T): T {
  const db = new Database(join(folder, name));
  try {
    return act(db);
  } finally {
    db.close();
  }
}

function code(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof StoreError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'nothing was thrown';
}

describe('nextGeneration', () => {
  it('counts from 1 for each key, and adds a row only when the digest differs from the last', () => {
    const store = openStore();
    expect(store.nextGeneration('k', 'a', at)).toBe(1);
    expect(store.nextGeneration('k', 'a', at)).toBe(1);
    expect(store.nextGeneration('k', 'b', at)).toBe(2);
    expect(store.nextGeneration('k', 'a', at)).toBe(3);
    expect(store.nextGeneration('other', 'a', at)).toBe(1);
    closeAll();
    expect(openStore().nextGeneration('k', 'a', at)).toBe(3);
    expect(raw('records.db', (db) => db.prepare('SELECT * FROM generation').all())).toEqual([
      { key: 'k', number: 1, digest: 'a', at: '2026-01-02T03:04:05.678Z' },
      { key: 'k', number: 2, digest: 'b', at: '2026-01-02T03:04:05.678Z' },
      { key: 'k', number: 3, digest: 'a', at: '2026-01-02T03:04:05.678Z' },
      { key: 'other', number: 1, digest: 'a', at: '2026-01-02T03:04:05.678Z' },
    ]);
  });

  it('gives one sequence to several openers', () => {
    const [a, b] = [openStore(), openStore()];
    expect([a.nextGeneration('k', 'x', at), b.nextGeneration('k', 'x', at), b.nextGeneration('k', 'y', at)]).toEqual([
      1, 1, 2,
    ]);
    expect(a.nextGeneration('k', 'x', at)).toBe(3);
  });
});

describe('opening records.db', () => {
  const migrations = [...recordMigrations, 'CREATE TABLE later(x TEXT) STRICT'];
  const known = recordMigrations.length;

  it('backs up an older file, migrates it at once, and says so', () => {
    openStore({ migrations: recordMigrations }).nextGeneration('k', 'a', at);
    closeAll();
    const store = openStore({ migrations });
    expect(store.notice).toContain(
      `records.db was migrated from version ${known} to ${known + 1}; records.db.version-${known}-1 holds it as it was`,
    );
    expect(store.nextGeneration('k', 'a', at)).toBe(1);
    expect(raw('records.db', (db) => db.pragma('user_version', { simple: true }))).toBe(known + 1);
    expect(
      raw(`records.db.version-${known}-1`, (db) => db.prepare('SELECT key, number FROM generation').all()),
    ).toEqual([{ key: 'k', number: 1 }]);
    closeAll();
    expect(openStore({ migrations }).notice).toBeUndefined();
  });

  it('leaves an older file as it is when a migration fails', () => {
    openStore().nextGeneration('k', 'a', at);
    closeAll();
    const failing = [...migrations, 'INSERT INTO later VALUES (1, 2, 3)'];
    const before = raw('records.db', (db) => db.prepare('SELECT * FROM generation').all());
    expect(code(() => openRecordStore(folder, { migrations: failing }))).toMatch(/^failed /);
    expect(raw('records.db', (db) => db.prepare('SELECT * FROM generation').all())).toEqual(before);
    expect(raw('records.db', (db) => db.pragma('user_version', { simple: true }))).toBe(known);
  });

  it('refuses a newer file with words, and leaves it untouched', () => {
    openStore({ migrations }).nextGeneration('k', 'a', at);
    closeAll();
    const message = code(() => openRecordStore(folder));
    expect(message).toMatch(/^newer \S+\/records\.db: /);
    expect(message).toContain(`a newer toolgraph wrote it (version ${known + 1}, this one knows ${known}); update`);
    expect(openStore({ migrations }).nextGeneration('k', 'b', at)).toBe(2);
  });

  it('refuses to write when a newer toolgraph migrated the file meanwhile', () => {
    const old = openStore();
    old.nextGeneration('k', 'a', at);
    openStore({ migrations });
    expect(code(() => old.nextGeneration('k', 'b', at))).toMatch(/^newer /);
  });

  it.each([
    ['is no database', () => writeFileSync(join(folder, 'records.db'), 'x'.repeat(5000))],
    ['lacks our table', () => raw('records.db', (db) => db.exec(`PRAGMA user_version = ${known}; CREATE TABLE x(y)`))],
    [
      'is older and lacks our table',
      () => raw('records.db', (db) => db.exec('PRAGMA user_version = 2; CREATE TABLE x(y)')),
    ],
  ])('sets a file aside that %s, and never deletes it', (_, spoil) => {
    spoil();
    const store = openStore();
    expect(store.notice).toMatch(
      /records\.db is damaged; it was renamed to records\.db\.corrupt-1, and a new one begun/,
    );
    expect(store.nextGeneration('k', 'a', at)).toBe(1);
    closeAll();
    spoilAgain();
    expect(openStore().notice).toMatch(/records\.db\.corrupt-2/);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['records.db.corrupt-1', 'records.db.corrupt-2']));
  });

  it('sets a file with a damaged page aside, when it is opened and when it is in use', () => {
    const damaged = openStore();
    fill();
    damageLastPage();
    expect(code(() => damaged.nextGeneration('k', 'new', at))).toMatch(/^corrupt .*start toolgraph again/);
    expect(readdirSync(folder)).toContain('records.db.corrupt-1');
    expect(openStore().notice).toBeUndefined();
    closeAll();
    fill();
    damageLastPage();
    const store = openStore();
    expect(store.notice).toMatch(/it was renamed to records\.db\.corrupt-2/);
    expect(store.nextGeneration('k', 'new', at)).toBe(1);
  });
});

/** Enough rows for several pages, written straight to the file. */
function fill(): void {
  raw('records.db', (db) => {
    const insert = db.prepare("INSERT INTO generation VALUES ('k', ?, 'digest', 'at')");
    db.transaction(() => {
      for (let i = 1; i <= 2000; i++) insert.run(i);
    }).immediate();
    db.pragma('wal_checkpoint(TRUNCATE)');
  });
}

/** The last leaf, which an insert reads. */
function damageLastPage(): void {
  const file = openSync(join(folder, 'records.db'), 'r+');
  writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, statSync(join(folder, 'records.db')).size - 4096);
  closeSync(file);
}

function spoilAgain(): void {
  writeFileSync(join(folder, 'records.db'), 'y'.repeat(5000));
}

import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DatabaseFile, openDatabase } from '../../src/store/database-file.js';
import { GuardedDatabase } from '../../src/store/guarded-database.js';
import { thrown } from './store-folder.js';

let file: DatabaseFile;
let db: Database.Database;
let guard: GuardedDatabase;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'toolgraph-guarded-'));
  file = { folder, name: 'x.db', busyTimeoutMs: 600, synchronous: 'NORMAL', pragmas: [] };
  db = openDatabase(file);
  db.exec('CREATE TABLE x(y)');
  guard = new GuardedDatabase(db, file, () => expect.unreachable('it is not damaged'));
});
afterEach(() => {
  guard.close();
  rmSync(file.folder, { recursive: true });
});

const insert = () => guard.immediate(() => db.prepare('INSERT INTO x VALUES (1)').run());
const patience = () => db.pragma('busy_timeout', { simple: true });

describe('GuardedDatabase', () => {
  it('waits less for a lock for which it has waited in vain, until it gets it', () => {
    const other = new Database(join(file.folder, file.name));
    other.exec('BEGIN IMMEDIATE');
    expect(patience()).toBe(600);
    expect(thrown(insert).code).toBe('busy');
    expect(patience()).toBe(250);
    expect(thrown(insert).code).toBe('busy');
    other.exec('COMMIT');
    other.close();
    insert();
    expect(patience()).toBe(600);
  });

  it('is lost when its file was removed, moved or replaced, or when it is closed', () => {
    expect(guard.isLost).toBe(false);
    mkdirSync(join(file.folder, 'aside'));
    renameSync(join(file.folder, file.name), join(file.folder, 'aside', file.name));
    expect(guard.isLost).toBe(true);
    openDatabase(file).close();
    expect(guard.isLost).toBe(true);
    rmSync(join(file.folder, file.name));
    renameSync(join(file.folder, 'aside', file.name), join(file.folder, file.name));
    expect(guard.isLost).toBe(false);
    guard.close();
    expect(guard.isLost).toBe(true);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { inWords, StoreError } from '../../src/store/store-error.js';

/** What better-sqlite3 finds its binary with. */
const loaderOfBinaries = createRequire(createRequire(import.meta.url).resolve('better-sqlite3'))('bindings') as (
  options: object,
) => unknown;

describe('inWords', () => {
  it('says that the disk is full, and what to do', () => {
    const db = new Database(':memory:');
    db.exec('CREATE TABLE x(y)');
    db.pragma('max_page_count = 3');
    const fill = () => db.prepare('INSERT INTO x VALUES (zeroblob(100000))').run();
    expect(() => inWords('.toolgraph/graph.db', fill)).toThrow(
      new StoreError('full', '.toolgraph/graph.db: the disk is full; free some space (SQLITE_FULL)'),
    );
    db.close();
  });

  it('keeps the error of SQLite as the cause, with its code', () => {
    const db = new Database(':memory:');
    try {
      inWords('.toolgraph/graph.db', () => db.prepare('SELECT * FROM nothing'));
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(StoreError);
      expect((error as StoreError).code).toBe('failed');
      expect((error as StoreError).cause).toBeInstanceOf(Database.SqliteError);
    }
    db.close();
  });

  it.each<[string, (folder: string) => unknown]>([
    ['absent', (folder) => loaderOfBinaries({ bindings: 'better_sqlite3.node', module_root: folder })],
    [
      'of another machine',
      (folder) => {
        const nativeBinding = join(folder, 'other.node');
        writeFileSync(nativeBinding, 'not a binary of this machine');
        return new Database(':memory:', { nativeBinding });
      },
    ],
  ])('says how to build better-sqlite3 when its binary is %s, without a path of the host', (_, load) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolgraph-unbuilt-'));
    try {
      inWords('.toolgraph/graph.db', () => load(folder));
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(StoreError);
      const { code, message } = error as StoreError;
      expect(code).toBe('unbuilt');
      expect(message).toMatch(/^better-sqlite3, .* not built for Node\.js v.*; run `npm rebuild better-sqlite3`.*$/);
      expect(message).not.toContain(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('lets any other error pass', () => {
    const mine = new RangeError('mine');
    expect(() =>
      inWords('f', () => {
        throw mine;
      }),
    ).toThrow(mine);
  });
});

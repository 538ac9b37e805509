import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { inWords, StoreError } from '../../src/store/store-error.js';

describe('inWords', () => {
  it('says that the disk is full, and what to do', () => {
    const db = new Database(':memory:');
    db.exec('CREATE TABLE x(y)');
    db.pragma('max_page_count = 3');
    const fill = () => db.prepare('INSERT INTO x VALUES (zeroblob(100000))').run();
    expect(() => inWords('.toolgraph/graph.db', fill)).toThrow(
      new StoreError(
        'full',
        '.toolgraph/graph.db: the disk is full; free some space, then start toolgraph again (SQLITE_FULL)',
      ),
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

  it('lets any other error pass', () => {
    const mine = new RangeError('mine');
    expect(() =>
      inWords('f', () => {
        throw mine;
      }),
    ).toThrow(mine);
  });
});

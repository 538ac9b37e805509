import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { putTool, StoreFolder } from './store-folder.js';

const folder = new StoreFolder();
const all = ['quad_osp', 'quad_pos', 'quad_spo'];

function orders(): unknown[] {
  const db = new Database(join(folder.path, 'graph.db'), { readonly: true });
  const names = db
    .prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'quad\\_%' ESCAPE '\\' ORDER BY name")
    .pluck()
    .all();
  db.close();
  return names;
}

describe('Filling an empty store', () => {
  it('makes the orders of the quads when all are in', async () => {
    const store = folder.open();
    expect(orders()).toEqual(all);
    const during = await store.filling(async () => {
      await putTool(store);
      return orders();
    });
    expect(during).toEqual([]);
    expect(orders()).toEqual(all);
    expect(store.match().length).toBeGreaterThan(20);
  });

  it('makes them too when the work fails', async () => {
    const store = folder.open();
    const failing = store.filling(async () => {
      await putTool(store);
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect(orders()).toEqual(all);
  });

  it('that holds documents keeps them while it works', async () => {
    const store = folder.open();
    await putTool(store);
    expect(await store.filling(async () => orders())).toEqual(all);
  });

  it('goes on with all of them when another process opens the store, or opens what a killed one left', async () => {
    const store = folder.open();
    await store.filling(async () => {
      await putTool(store);
      const other = folder.open();
      expect(orders()).toEqual(all);
      expect(other.notice).toBeUndefined();
      expect(other.documents().size).toBe(1);
      await putTool(store, 'b');
    });
    expect(orders()).toEqual(all);
    expect(folder.open().documents().size).toBe(2);
  });
});

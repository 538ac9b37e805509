import { closeSync, openSync, readdirSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { resetGraph } from '../../src/store/graph-opening.js';
import { type DocumentWrite, type GraphStore, openGraphStore } from '../../src/store/graph-store.js';
import { openRecordStore } from '../../src/store/record-store.js';
import { putTool, StoreFolder, thrown } from './store-folder.js';
import { smallTool, write } from './tool-quads.js';

const path = 'graph/a.json';
const folder = new StoreFolder();

describe('opening graph.db', () => {
  it.each([
    ['older', 0],
    ['newer', 99],
  ])('drops and rebuilds a file of an %s schema, and says so', async (_, version) => {
    await putTool(folder.open());
    folder.closeAll();
    const db = new Database(join(folder.path, 'graph.db'));
    db.pragma(`user_version = ${version}`);
    db.close();
    const store = folder.open();
    expect(store.notice).toMatch(/graph\.db was dropped and is rebuilt: its schema has version \d+/);
    expect(store.documents().size).toBe(0);
    await putTool(store);
    expect(folder.open().notice).toBeUndefined();
  });

  it('drops a file that is no database, or that has tables which are not ours', async () => {
    writeFileSync(join(folder.path, 'graph.db'), 'not a database, and longer than the header of one'.repeat(100));
    expect(folder.open().notice).toMatch(/graph\.db was dropped and is rebuilt: it is damaged/);
    await putTool(folder.open());
    folder.closeAll();
    const db = new Database(join(folder.path, 'graph.db'));
    db.exec('CREATE TRIGGER evil AFTER INSERT ON doc BEGIN DELETE FROM quad; END');
    db.close();
    const store = folder.open();
    expect(store.notice).toMatch(/its tables are not those of toolgraph/);
    await putTool(store);
    expect(store.match().length).toBeGreaterThan(20);
  });

  it('drops a file with damaged pages', async () => {
    await putMany();
    damagePages();
    const store = folder.open();
    expect(store.notice).toMatch(/graph\.db was dropped and is rebuilt: it is damaged/);
    expect(store.documents().size).toBe(0);
  });

  it('drops a file found damaged while it is in use, so that the next opening rebuilds', async () => {
    const store = folder.open();
    const items = await putMany();
    damagePages();
    const error = thrown(() => store.documents());
    expect(error.code).toBe('corrupt');
    expect(error.message).toMatch(/\/graph\.db: the file is damaged; .*again/);
    expect(thrown(() => store.documents()).message).toMatch(/closed/);
    const next = folder.open();
    expect(next.notice).toBeUndefined();
    expect(next.putDocuments(items).written).toHaveLength(200);
  });

  it.each([
    ['a row that is no JSON', "UPDATE doc SET payload = '{'", (store: GraphStore) => store.document(path)],
    ['a term that is gone', 'DELETE FROM term', (store: GraphStore) => store.match()],
  ])('drops a file with %s', async (_, statement, read) => {
    await putTool(folder.open());
    const db = new Database(join(folder.path, 'graph.db'));
    db.exec(statement);
    db.close();
    const store = folder.open();
    expect(thrown(() => read(store))).toMatchObject({ code: 'corrupt', message: expect.stringContaining('again') });
    expect(folder.open().documents().size).toBe(0);
  });

  it('leaves a file alone that another process has made in place of the damaged one', async () => {
    const holder = folder.open();
    await putMany();
    damagePages();
    await putTool(folder.open());
    expect(thrown(() => holder.documents()).code).toBe('corrupt');
    expect([...folder.open().documents().keys()]).toEqual([path]);
  });

  it('opens after the files were removed behind its back, and lets the holder go on', async () => {
    const holder = folder.open();
    await putTool(holder);
    expect(resetGraph(folder.path).sort()).toEqual(['graph.db', 'graph.db-shm', 'graph.db-wal']);
    const fresh = folder.open();
    expect(fresh.documents().size).toBe(0);
    await putTool(fresh, 'b');
    await putTool(holder, 'c');
    expect([...holder.documents().keys()]).toEqual([path, 'graph/c.json']);
    holder.close();
    expect([...fresh.documents().keys()]).toEqual(['graph/b.json']);
    expect([...folder.open().documents().keys()]).toEqual(['graph/b.json']);
  });

  it('says in words that the folder cannot be used', () => {
    writeFileSync(join(folder.path, 'file'), '');
    const error = thrown(() => openGraphStore(join(folder.path, 'file'), '1'));
    expect(error.message).toMatch(/^file\/graph\.db: it cannot be opened for writing/);
    expect(error.message).not.toContain(tmpdir());
  });
});

describe('a lock that another process holds', () => {
  it('is waited for, and named when it stays too long', async () => {
    const store = folder.open('1', { busyTimeoutMs: 100 });
    const other = new Database(join(folder.path, 'graph.db'));
    other.exec('BEGIN IMMEDIATE');
    const item = await write(path, smallTool('a'), undefined);
    const error = thrown(() => store.putDocuments([item]));
    expect(error.code).toBe('busy');
    expect(error.message).toMatch(/\/graph\.db: another process has held its lock for too long; .*try again/);
    other.exec('ROLLBACK');
    other.close();
    expect(store.putDocuments([item]).written).toEqual([path]);
  });
});

describe('resetGraph', () => {
  it('removes the derived store and never the records', async () => {
    const records = openRecordStore(folder.path);
    records.nextGeneration('key', 'digest', new Date(0));
    records.close();
    await putTool(folder.open());
    folder.closeAll();
    expect(resetGraph(folder.path)).toEqual(['graph.db']);
    expect(resetGraph(folder.path)).toEqual([]);
    expect(readdirSync(folder.path).sort()).toEqual(['open.lock', 'records.db']);
  });
});

/** Stores 200 documents, all of them in the file itself. */
async function putMany(): Promise<DocumentWrite[]> {
  const items = await Promise.all(
    Array.from({ length: 200 }, (_, i) => write(`graph/t${i}.json`, smallTool(`t${i}`), undefined)),
  );
  const store = openGraphStore(folder.path, '1.0.0');
  store.putDocuments(items);
  store.checkpoint();
  store.close();
  return items;
}

function damagePages(): void {
  const file = openSync(join(folder.path, 'graph.db'), 'r+');
  const { size } = statSync(join(folder.path, 'graph.db'));
  for (let at = 12_288; at < size; at += 4096) writeSync(file, Buffer.alloc(2048, 0xa5), 0, 2048, at);
  closeSync(file);
}

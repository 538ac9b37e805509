import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { DocumentWrite, GraphStore } from '../../src/store/graph-store.js';
import type { StoreError } from '../../src/store/store-error.js';
import { encodeTerm } from '../../src/store/term-text.js';
import { putTool, StoreFolder } from './store-folder.js';
import { smallTool, write } from './tool-quads.js';

const folder = new StoreFolder();
const all = ['quad_osp', 'quad_pos', 'quad_spo'];
const file = () => join(folder.path, 'graph.db');

function orders(): unknown[] {
  const db = new Database(file(), { readonly: true });
  const names = db
    .prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'quad\\_%' ESCAPE '\\' ORDER BY name")
    .pluck()
    .all();
  db.close();
  return names;
}

function tools(ids: readonly string[]): Promise<DocumentWrite[]> {
  return Promise.all(ids.map((id) => write(`graph/${id}.json`, smallTool(id), undefined)));
}

/** Fills the store with the documents, in batches of two. */
async function fill(store: GraphStore, documents: readonly DocumentWrite[]): Promise<string[]> {
  const results = await store.filling(async (sink) => {
    const flushed = [];
    for (const [i, document] of documents.entries()) {
      sink.add(document);
      if (i % 2 === 1) flushed.push(sink.flush());
    }
    return Promise.all([...flushed, sink.flush()]);
  });
  return results.flatMap(({ written }) => written);
}

/** What a store holds, in one order. */
function content(store: GraphStore): unknown {
  const quads = store.match().map((quad) => [quad.subject, quad.predicate, quad.object, quad.graph].map(encodeTerm));
  return { documents: [...store.documents()], quads: quads.map((terms) => JSON.stringify(terms)).sort() };
}

async function failure(work: Promise<unknown>): Promise<Pick<StoreError, 'name' | 'code' | 'message'>> {
  const { name, code, message } = await work.then(
    () => expect.unreachable('it did not fail'),
    (error: StoreError) => error,
  );
  return { name, code, message };
}

describe('Filling an empty store', () => {
  it('stores in a thread what is stored without one', async () => {
    const documents = [
      ...(await tools(['a', 'b', 'c', 'd', 'e'])),
      ...(await tools(['foreign'])).map((item): DocumentWrite => {
        const { quads } = item.document;
        const derived = quads.map((quad) => ({ ...quad, graph: { ...quad.graph, value: 'urn:derived' } as never }));
        return { ...item, document: { ...item.document, derived } };
      }),
      ...(await tools(['prose'])).map(
        (item): DocumentWrite => ({ ...item, document: { ...item.document, quads: [] } }),
      ),
    ];
    const filled = folder.open();
    const written = await fill(filled, documents);
    expect(written).toEqual(documents.map(({ document }) => document.path));
    const found = content(filled);
    folder.closeAll();
    rmSync(file());
    const plain = folder.open();
    plain.putDocuments(documents);
    expect(found).toEqual(content(plain));
  });

  it('makes the orders of the quads when all are in, and says when that is done', async () => {
    const store = folder.open();
    expect(orders()).toEqual(all);
    const [document] = await tools(['a']);
    await store.filling(async (sink) => {
      if (document !== undefined) sink.add(document);
      await sink.flush();
      expect(orders()).toEqual([]);
    });
    await store.settled();
    expect(orders()).toEqual(all);
  });

  it('makes them too when the work failed', async () => {
    const store = folder.open();
    const failing = store.filling(async () => {
      await putTool(store);
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    await store.settled();
    expect(orders()).toEqual(all);
  });

  it('that holds documents keeps them while it works', async () => {
    const store = folder.open();
    await putTool(store);
    expect(await store.filling(async () => orders())).toEqual(all);
    expect(await fill(store, await tools(['b']))).toEqual(['graph/b.json']);
    expect(store.documents().size).toBe(2);
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
    await store.settled();
    expect(orders()).toEqual(all);
    expect(folder.open().documents().size).toBe(2);
  });

  it('leaves a document alone that another process wrote meanwhile, unless it is the same', async () => {
    const store = folder.open();
    const other = folder.open();
    const result = await store.filling(async (sink) => {
      await putTool(other, 'same');
      await putTool(other, 'raced', 'Another');
      for (const document of await tools(['same', 'raced', 'new'])) sink.add(document);
      return sink.flush();
    });
    expect(result).toMatchObject({ written: ['graph/same.json', 'graph/new.json'], raced: ['graph/raced.json'] });
    expect(store.document('graph/raced.json')?.lifted.tools[0]?.tool.description).toBe('Another');
  });
});

describe('A store that is being filled', () => {
  it('tells in the usual words that another process holds it, and can be filled again', async () => {
    const store = folder.open('1.0.0', { busyTimeoutMs: 50 });
    const documents = await tools(['a', 'b', 'c']);
    const failed = store.filling(async (sink) => {
      const holder = new Database(file());
      holder.exec('BEGIN IMMEDIATE');
      for (const document of documents) sink.add(document);
      await sink.flush().finally(() => holder.close());
    });
    expect(await failure(failed)).toEqual({
      name: 'StoreError',
      code: 'busy',
      message: expect.stringMatching(/^toolgraph-store-\S+\/graph\.db: another process has held its lock for too long/),
    });
    expect(store.isLost).toBe(false);
    expect(store.documents().size).toBe(0);
    expect(await fill(store, documents)).toHaveLength(3);
    await store.settled();
    expect(orders()).toEqual(all);
  });

  it('is lost when it turns out to be damaged, and its file is gone', async () => {
    const store = folder.open();
    store.checkpoint();
    const failed = store.filling(async (sink) => {
      const damaged = openSync(file(), 'r+');
      writeSync(damaged, Buffer.alloc(statSync(file()).size - 4096, 0xff), 0, undefined, 4096);
      closeSync(damaged);
      for (const document of await tools(['a'])) sink.add(document);
      await sink.flush();
    });
    expect(await failure(failed)).toMatchObject({ name: 'StoreError', code: 'corrupt' });
    expect(store.isLost).toBe(true);
    expect(statSync(file(), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('is not written into another file that was put in its place', async () => {
    const store = folder.open();
    const failed = store.filling(async (sink) => {
      for (const part of ['', '-wal', '-shm']) rmSync(file() + part);
      await putTool(folder.open(), 'theirs');
      for (const document of await tools(['a'])) sink.add(document);
      await sink.flush();
    });
    expect((await failure(failed)).message).toContain('removed or replaced while it was in use');
    expect(store.isLost).toBe(true);
    expect([...folder.open().documents().keys()]).toEqual(['graph/theirs.json']);
  });

  it('ends with the work undone when it is closed', async () => {
    const store = folder.open();
    const failed = store.filling(async (sink) => {
      for (const document of await tools(['a'])) sink.add(document);
      const flushed = sink.flush();
      store.close();
      await flushed;
    });
    expect((await failure(failed)).message).toContain('it is closed');
    const again = folder.open();
    expect(again.notice).toBeUndefined();
    expect(orders()).toEqual(all);
    // Its transaction may have been done.
    expect(again.documents().size).toBeLessThan(2);
  });
});

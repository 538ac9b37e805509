import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Quad } from '@rdfjs/types';
import Database from 'better-sqlite3';
import { DataFactory } from 'n3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PatternVerdict } from '../../src/patterns/verdict.js';
import { type DocumentWrite, type GraphStore, openGraphStore, resetGraph } from '../../src/store/graph-store.js';
import { lift } from '../../src/store/lift.js';
import { documentIri, toolIri } from '../../src/store/node-iri.js';
import { openRecordStore } from '../../src/store/record-store.js';
import { StoreError } from '../../src/store/store-error.js';
import { encodeTerm } from '../../src/store/terms.js';
import { propertyIri } from '../../src/store/vocabulary.js';
import { base, quadsOf, smallTool, toolNode, write, writeOf } from './tool-quads.js';

const { namedNode, literal } = DataFactory;
const path = 'graph/a.json';
let folder: string;
let open: GraphStore[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgraph-store-'));
  open = [];
});

afterEach(() => {
  for (const store of open) store.close();
  rmSync(folder, { recursive: true });
});

function openStore(version = '1.0.0', options?: { busyTimeoutMs: number }): GraphStore {
  const store = openGraphStore(folder, version, options);
  open.push(store);
  return store;
}

function thrown(act: () => unknown): StoreError {
  try {
    act();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

async function putTool(store: GraphStore, id = 'a', description?: string, expected?: string): Promise<DocumentWrite> {
  const item = await write(`graph/${id}.json`, smallTool(id, description), expected);
  expect(store.putDocuments([item]).written).toEqual([`graph/${id}.json`]);
  return item;
}

describe('putDocuments', () => {
  it('writes one quad in and one out when one description changes', async () => {
    const store = openStore();
    const first = await putTool(store);
    const second = await write(path, smallTool('a', 'Something else'), first.signature);
    expect(store.putDocuments([second])).toEqual({ written: [path], raced: [], changes: { inserted: 1, deleted: 1 } });
    expect(store.document(path)?.lifted.tools[0]?.tool.description).toBe('Something else');
    const texts = store.match(namedNode(toolIri(base, 'a')), namedNode(propertyIri('description')));
    expect(texts.map(({ object }) => object.value)).toEqual(['Something else']);
  });

  it('touches only the quads of one port when that port changes', async () => {
    const store = openStore();
    const first = await putTool(store);
    const tool = smallTool('a');
    const inputs = (tool.io.inputs ?? []).map((input) =>
      input.name === 'only' ? { ...input, required: true } : input,
    );
    const second = await write(path, { ...tool, io: { ...tool.io, inputs } }, first.signature);
    expect(store.putDocuments([second]).changes).toEqual({ inserted: 1, deleted: 0 });
  });

  it('writes nothing but the signature when nothing else changed', async () => {
    const store = openStore();
    const first = await putTool(store);
    const before = rowChanges();
    const again = { ...first, signature: 'touched', expected: first.signature };
    expect(store.putDocuments([again])).toEqual({ written: [path], raced: [], changes: { inserted: 0, deleted: 0 } });
    expect(store.document(path)).toMatchObject({ signature: 'touched', sha256: first.document.sha256 });
    expect(rowChanges()).toEqual({ ...before, doc: before.doc.replace(first.signature, 'touched') });
  });

  it('leaves a document alone that another process wrote meanwhile, and stores the rest', async () => {
    const [mine, theirs] = [openStore(), openStore()];
    const first = await putTool(mine);
    await putTool(theirs, 'a', 'Theirs', first.signature);
    const late = await write(path, smallTool('a', 'Mine'), first.signature);
    const other = await write('graph/b.json', smallTool('b'), undefined);
    expect(mine.putDocuments([late, other])).toMatchObject({ written: ['graph/b.json'], raced: [path] });
    expect(mine.document(path)?.lifted.tools[0]?.tool.description).toBe('Theirs');
    const noRow = await write(path, smallTool('a', 'Mine'), undefined);
    expect(mine.putDocuments([noRow]).raced).toEqual([path]);
    const gone = await write('graph/c.json', smallTool('c'), 'a signature that no row has');
    expect(mine.putDocuments([gone]).raced).toEqual(['graph/c.json']);
  });

  it('counts a document as written that another process has written with the same bytes', async () => {
    const [mine, theirs] = [openStore(), openStore()];
    const item = await putTool(theirs);
    expect(mine.putDocuments([{ ...item, signature: 'mine' }])).toEqual({
      written: [path],
      raced: [],
      changes: { inserted: 0, deleted: 0 },
    });
    expect(mine.document(path)?.signature).toBe(item.signature);
  });

  it('stores a document without quads, as prose is', () => {
    const store = openStore();
    const prose = writeOf('README.md', [], 'prose', undefined, 'sig');
    expect(
      store.putDocuments([prose, { ...prose, document: { ...prose.document, path: 'b.md' } }]).written,
    ).toHaveLength(2);
    expect(store.document('b.md')).toMatchObject({ path: 'b.md', lifted: { tools: [] } });
    expect(store.removeDocuments([{ path: 'b.md', expected: 'sig' }]).written).toEqual(['b.md']);
  });

  it('removes the quads of the old graph when a document moves to another one', async () => {
    const store = openStore();
    const first = await putTool(store);
    const moved = await quadsOf(toolNode(smallTool('a')), 'elsewhere.json');
    store.putDocuments([writeOf(path, moved, 'x', first.signature, 'sig2')]);
    expect(store.graph(documentIri(base, path))).toEqual([]);
    expect(store.match()).toHaveLength(new Set(moved.map((one) => JSON.stringify(one))).size);
  });

  it('stores all of a batch or nothing, and goes on working after a failure', async () => {
    const store = openStore();
    const good = await write(path, smallTool('a'), undefined);
    const bad = await write('graph/b.json', smallTool('b'), undefined);
    const broken = {
      ...bad,
      document: { ...bad.document, quads: [{ ...bad.document.quads[0], object: DataFactory.variable('x') }] },
    };
    expect(() => store.putDocuments([good, broken as never])).toThrow(TypeError);
    expect(store.documents().size).toBe(0);
    expect(store.match()).toEqual([]);
    store.putDocuments([bad, good]);
    expect(store.graph(documentIri(base, path)).map(text).sort()).toEqual(good.document.quads.map(text).sort());
  });
});

describe('a stored document', () => {
  it('comes back as it was put, and its quads too', async () => {
    const item = await putTool(openStore());
    const store = openStore();
    const stored = store.document(path);
    expect(stored).toStrictEqual({
      path,
      signature: item.signature,
      sha256: item.document.sha256,
      kind: 'nodes',
      lifted: item.lifted,
      diagnostics: [],
      broken: [],
      pointers: item.document.pointers,
      current: true,
    });
    expect([...store.documents()]).toStrictEqual([[path, stored]]);
    expect(store.graph(documentIri(base, path)).map(text).sort()).toEqual(item.document.quads.map(text).sort());
  });

  it('has in its row what lifting its graph gives again', async () => {
    const store = openStore();
    await putTool(store);
    const broken = (await quadsOf(toolNode(smallTool('b')), 'graph/b.json')).filter(
      ({ predicate }) => predicate.value !== propertyIri('title'),
    );
    store.putDocuments([writeOf('graph/b.json', broken, 'b', undefined, 'sig')]);
    expect(store.documents().size).toBe(2);
    expect(store.document('graph/b.json')?.lifted.broken).toEqual([toolIri(base, 'b')]);
    for (const { path: document, lifted, pointers } of store.documents().values()) {
      const again = lift(store.graph(documentIri(base, document)), base, document, pointers);
      expect(again).toStrictEqual(lifted);
      expect(JSON.stringify(again)).toBe(JSON.stringify(lifted));
    }
  });

  it('is not current for another version of the program', async () => {
    await putTool(openStore('1.0.0'));
    const newer = openStore('1.0.1');
    expect(newer.document(path)?.current).toBe(false);
    const item = await write(path, smallTool('a'), newer.document(path)?.signature);
    expect(newer.putDocuments([item]).changes).toEqual({ inserted: 0, deleted: 0 });
    expect(newer.document(path)?.current).toBe(true);
  });

  it('is touched and removed only while its signature is the expected one', async () => {
    const store = openStore();
    const { signature } = await putTool(store);
    expect(store.touchDocument(path, 'new', 'other')).toBe(false);
    expect(store.touchDocument(path, 'new', signature)).toBe(true);
    expect(store.touchDocument('graph/none.json', 'new', signature)).toBe(false);
    expect(store.removeDocuments([{ path, expected: signature }])).toMatchObject({ written: [], raced: [path] });
    const { changes, written } = store.removeDocuments([
      { path, expected: 'new' },
      { path: 'graph/none.json', expected: 'x' },
    ]);
    expect(written).toEqual([path, 'graph/none.json']);
    expect(changes.inserted).toBe(0);
    expect(changes.deleted).toBeGreaterThan(20);
    expect(store.documents().size).toBe(0);
    expect(store.match()).toEqual([]);
    expect(terms()).toBeGreaterThan(20);
  });
});

describe('match', () => {
  it('sees what another process wrote, terms included', async () => {
    const [mine, theirs] = [openStore(), openStore()];
    await putTool(mine, 'a');
    await putTool(theirs, 'b', 'A text that only the other knows, long enough to be keyed by its hash');
    const found = mine.match(
      null,
      null,
      literal('A text that only the other knows, long enough to be keyed by its hash'),
    );
    expect(found.map(({ subject }) => subject.value)).toEqual([toolIri(base, 'b')]);
  });
});

describe('verdicts', () => {
  it('are kept by pattern source, for one version of the program', () => {
    const store = openStore('1');
    const verdict: PatternVerdict = { time: 'safe', argv: { kind: 'unsafe', counterexample: '\u0000' } };
    store.putVerdicts(
      new Map<string, PatternVerdict>([
        ['^a$', verdict],
        ['__proto__', { time: 'undecided', argv: { kind: 'empty' } }],
      ]),
    );
    expect([...openStore('1').verdicts(['^a$', 'unknown', '__proto__']).keys()]).toEqual(['^a$', '__proto__']);
    expect(store.verdicts(['^a$']).get('^a$')).toEqual(verdict);
    expect(openStore('2').verdicts(['^a$']).size).toBe(0);
  });
});

describe('opening graph.db', () => {
  it.each([
    ['older', 0],
    ['newer', 99],
  ])('drops and rebuilds a file of an %s schema, and says so', async (_, version) => {
    await putTool(openStore());
    open.pop()?.close();
    const db = new Database(join(folder, 'graph.db'));
    db.pragma(`user_version = ${version}`);
    db.close();
    const store = openStore();
    expect(store.notice).toMatch(/graph\.db was dropped and is rebuilt: its schema has version \d+/);
    expect(store.documents().size).toBe(0);
    await putTool(store);
    expect(openStore().notice).toBeUndefined();
  });

  it('drops a file that is no database, or that has tables which are not ours', async () => {
    writeFileSync(join(folder, 'graph.db'), 'not a database, and longer than the header of one'.repeat(100));
    expect(openStore().notice).toMatch(/graph\.db was dropped and is rebuilt: it is damaged/);
    await putTool(openStore());
    for (const store of open.splice(0)) store.close();
    const db = new Database(join(folder, 'graph.db'));
    db.exec('CREATE TRIGGER evil AFTER INSERT ON doc BEGIN DELETE FROM quad; END');
    db.close();
    const store = openStore();
    expect(store.notice).toMatch(/its tables are not those of toolgraph/);
    await putTool(store);
    expect(store.match().length).toBeGreaterThan(20);
  });

  it('drops a file with damaged pages', async () => {
    await putMany();
    damagePages();
    const store = openStore();
    expect(store.notice).toMatch(/graph\.db was dropped and is rebuilt: it is damaged/);
    expect(store.documents().size).toBe(0);
  });

  it('drops a file found damaged while it is in use, so that the next opening rebuilds', async () => {
    const store = openStore();
    const items = await putMany();
    damagePages();
    const error = thrown(() => store.documents());
    expect(error.code).toBe('corrupt');
    expect(error.message).toMatch(/\/graph\.db: the file is damaged; .*again/);
    expect(thrown(() => store.documents()).message).toMatch(/closed/);
    const next = openStore();
    expect(next.notice).toBeUndefined();
    expect(next.putDocuments(items).written).toHaveLength(200);
  });

  it.each([
    ['a row that is no JSON', "UPDATE doc SET payload = '{'", (store: GraphStore) => store.document(path)],
    ['a term that is gone', 'DELETE FROM term', (store: GraphStore) => store.match()],
  ])('drops a file with %s', async (_, statement, read) => {
    await putTool(openStore());
    const db = new Database(join(folder, 'graph.db'));
    db.exec(statement);
    db.close();
    const store = openStore();
    expect(thrown(() => read(store))).toMatchObject({ code: 'corrupt', message: expect.stringContaining('again') });
    expect(openStore().documents().size).toBe(0);
  });

  it('leaves a file alone that another process has made in place of the damaged one', async () => {
    const holder = openStore();
    await putMany();
    damagePages();
    await putTool(openStore());
    expect(thrown(() => holder.documents()).code).toBe('corrupt');
    expect([...openStore().documents().keys()]).toEqual([path]);
  });

  it('opens after the files were removed behind its back, and lets the holder go on', async () => {
    const holder = openStore();
    await putTool(holder);
    expect(resetGraph(folder).sort()).toEqual(['graph.db', 'graph.db-shm', 'graph.db-wal']);
    const fresh = openStore();
    expect(fresh.documents().size).toBe(0);
    await putTool(fresh, 'b');
    await putTool(holder, 'c');
    expect([...holder.documents().keys()]).toEqual([path, 'graph/c.json']);
    holder.close();
    expect([...fresh.documents().keys()]).toEqual(['graph/b.json']);
    expect([...openStore().documents().keys()]).toEqual(['graph/b.json']);
  });

  it('says in words that the folder cannot be used', () => {
    writeFileSync(join(folder, 'file'), '');
    const error = thrown(() => openGraphStore(join(folder, 'file'), '1'));
    expect(error.message).toMatch(/^file\/graph\.db: it cannot be opened for writing/);
    expect(error.message).not.toContain(tmpdir());
  });
});

describe('a lock that another process holds', () => {
  it('is waited for, and named when it stays too long', async () => {
    const store = openStore('1', { busyTimeoutMs: 100 });
    const other = new Database(join(folder, 'graph.db'));
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
    const records = openRecordStore(folder);
    records.nextGeneration('key', 'digest', new Date(0));
    records.close();
    await putTool(openStore());
    open.pop()?.close();
    expect(resetGraph(folder)).toEqual(['graph.db']);
    expect(resetGraph(folder)).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['open.lock', 'records.db']);
  });
});

function text({ subject, predicate, object, graph }: Quad): string {
  return JSON.stringify([subject, predicate, object, graph].map(encodeTerm));
}

/** Stores 200 documents, all of them in the file itself. */
async function putMany(): Promise<DocumentWrite[]> {
  const items = await Promise.all(
    Array.from({ length: 200 }, (_, i) => write(`graph/t${i}.json`, smallTool(`t${i}`), undefined)),
  );
  const store = openGraphStore(folder, '1.0.0');
  store.putDocuments(items);
  store.checkpoint();
  store.close();
  return items;
}

function damagePages(): void {
  const file = openSync(join(folder, 'graph.db'), 'r+');
  const { size } = statSync(join(folder, 'graph.db'));
  for (let at = 12_288; at < size; at += 4096) writeSync(file, Buffer.alloc(2048, 0xa5), 0, 2048, at);
  closeSync(file);
}

function withDatabase<T>(act: (db: Database.Database) => T): T {
  const db = new Database(join(folder, 'graph.db'), { readonly: true });
  try {
    return act(db);
  } finally {
    db.close();
  }
}

function terms(): number {
  return withDatabase((db) => Number(db.prepare('SELECT count(*) FROM term').pluck().get()));
}

function rowChanges(): { doc: string; quad: string; term: string } {
  return withDatabase((db) => {
    const all = (table: string) => JSON.stringify(db.prepare(`SELECT * FROM ${table}`).all());
    return { doc: all('doc'), quad: all('quad'), term: all('term') };
  });
}

import { join } from 'node:path';
import type { Quad } from '@rdfjs/types';
import Database from 'better-sqlite3';
import { DataFactory } from 'n3';
import { describe, expect, it } from 'vitest';
import type { PatternVerdict } from '../../src/patterns/verdict.js';
import type { DocumentWrite } from '../../src/store/graph-store.js';
import { lift } from '../../src/store/lift.js';
import { derivedIri, documentIri, toolIri } from '../../src/store/node-iri.js';
import { encodeTerm } from '../../src/store/term-text.js';
import { propertyIri } from '../../src/store/vocabulary.js';
import { putTool, StoreFolder } from './store-folder.js';
import { base, quadsOf, smallTool, toolNode, write, writeOf } from './tool-quads.js';

const { namedNode, literal } = DataFactory;
const path = 'graph/a.json';
const folder = new StoreFolder();

describe('putDocuments', () => {
  it('writes one quad in and one out when one description changes', async () => {
    const store = folder.open();
    const first = await putTool(store);
    const second = await write(path, smallTool('a', 'Something else'), first.signature);
    expect(store.putDocuments([second])).toEqual({ written: [path], raced: [], changes: { inserted: 1, deleted: 1 } });
    expect(store.document(path)?.lifted.tools[0]?.tool.description).toBe('Something else');
    const texts = store.match(namedNode(toolIri(base, 'a')), namedNode(propertyIri('description')));
    expect(texts.map(({ object }) => object.value)).toEqual(['Something else']);
  });

  it('touches only the quads of one port when that port changes', async () => {
    const store = folder.open();
    const first = await putTool(store);
    const tool = smallTool('a');
    const inputs = (tool.io.inputs ?? []).map((input) =>
      input.name === 'only' ? { ...input, required: true } : input,
    );
    const second = await write(path, { ...tool, io: { ...tool.io, inputs } }, first.signature);
    expect(store.putDocuments([second]).changes).toEqual({ inserted: 1, deleted: 0 });
  });

  it('writes nothing but the signature when nothing else changed', async () => {
    const store = folder.open();
    const first = await putTool(store);
    const before = rowChanges();
    const again = { ...first, signature: 'touched', expected: first.signature };
    expect(store.putDocuments([again])).toEqual({ written: [path], raced: [], changes: { inserted: 0, deleted: 0 } });
    expect(store.document(path)).toMatchObject({ signature: 'touched', sha256: first.document.sha256 });
    expect(rowChanges()).toEqual({ ...before, doc: before.doc.replace(first.signature, 'touched') });
  });

  it('leaves a document alone that another process wrote meanwhile, and stores the rest', async () => {
    const [mine, theirs] = [folder.open(), folder.open()];
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
    const [mine, theirs] = [folder.open(), folder.open()];
    const item = await putTool(theirs);
    expect(mine.putDocuments([{ ...item, signature: 'mine' }])).toEqual({
      written: [path],
      raced: [],
      changes: { inserted: 0, deleted: 0 },
    });
    expect(mine.document(path)?.signature).toBe(item.signature);
  });

  it('stores a document without quads, as prose is', () => {
    const store = folder.open();
    const prose = writeOf('README.md', [], 'prose', undefined, 'sig');
    expect(
      store.putDocuments([prose, { ...prose, document: { ...prose.document, path: 'b.md' } }]).written,
    ).toHaveLength(2);
    expect(store.document('b.md')).toMatchObject({ path: 'b.md', lifted: { tools: [] } });
    expect(store.removeDocuments([{ path: 'b.md', expected: 'sig' }]).written).toEqual(['b.md']);
  });

  it('removes the quads of the old graph when a document moves to another one', async () => {
    const store = folder.open();
    const first = await putTool(store);
    const moved = await quadsOf(toolNode(smallTool('a')), 'elsewhere.json');
    store.putDocuments([writeOf(path, moved, 'x', first.signature, 'sig2')]);
    expect(store.graph(documentIri(base, path))).toEqual([]);
    expect(store.match()).toHaveLength(new Set(moved.map((one) => JSON.stringify(one))).size);
  });

  it('stores all of a batch or nothing, and goes on working after a failure', async () => {
    const store = folder.open();
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
    const item = await putTool(folder.open());
    const store = folder.open();
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
    const store = folder.open();
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
    await putTool(folder.open('1.0.0'));
    const newer = folder.open('1.0.1');
    expect(newer.document(path)?.current).toBe(false);
    const item = await write(path, smallTool('a'), newer.document(path)?.signature);
    expect(newer.putDocuments([item]).changes).toEqual({ inserted: 0, deleted: 0 });
    expect(newer.document(path)?.current).toBe(true);
  });

  it('is touched and removed only while its signature is the expected one', async () => {
    const store = folder.open();
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

describe('the derived graph of a document', () => {
  const derived = derivedIri(base, path);
  const stated = (text: string) =>
    DataFactory.quad(
      namedNode(toolIri(base, 'foreign')),
      namedNode(propertyIri('title')),
      literal(text),
      namedNode(derived),
    );

  it('is replaced by difference, beside the graph of the document itself', async () => {
    const store = folder.open();
    const first = await putTool(store);
    const withDerived = (texts: readonly string[], expected: string): DocumentWrite => ({
      ...first,
      document: { ...first.document, derived: texts.map(stated) },
      signature: texts.join(),
      expected,
    });
    const changes = (texts: readonly string[], expected: string) =>
      store.putDocuments([withDerived(texts, expected)]).changes;
    expect(changes(['x', 'y'], first.signature)).toEqual({ inserted: 2, deleted: 0 });
    expect(changes(['y', 'z'], 'x,y')).toEqual({ inserted: 1, deleted: 1 });
    expect(
      store
        .graph(derived)
        .map(({ object }) => object.value)
        .sort(),
    ).toEqual(['y', 'z']);
    expect(store.graph(documentIri(base, path)).map(text).sort()).toEqual(first.document.quads.map(text).sort());
    expect(changes([], 'y,z')).toEqual({ inserted: 0, deleted: 2 });
    expect(store.graph(derived)).toEqual([]);
  });

  it('is removed with the document', async () => {
    const store = folder.open();
    const item = await write(path, smallTool('a'), undefined);
    store.putDocuments([{ ...item, document: { ...item.document, derived: [stated('x')] } }]);
    const before = store.match().length;
    expect(store.removeDocuments([{ path, expected: item.signature }]).changes).toEqual({
      inserted: 0,
      deleted: before,
    });
    expect(store.match()).toEqual([]);
  });

  it('makes what it describes a node of the document', async () => {
    const quads = (await quadsOf(toolNode(smallTool('a')), path)).map(({ subject, predicate, object }) =>
      DataFactory.quad(
        namedNode(subject.value),
        namedNode(predicate.value),
        object as Quad['object'],
        namedNode(derived),
      ),
    );
    expect(lift(quads, base, path, new Map()).tools).toMatchObject([{ document: path, tool: { id: 'a' } }]);
  });
});

describe('documentQuads', () => {
  it('gives both graphs while the row is of the same bytes and the same version, and else nothing', async () => {
    const store = folder.open();
    const item = await write(path, smallTool('a'), undefined);
    const derived = item.document.quads
      .slice(0, 3)
      .map(({ subject, predicate, object }) =>
        DataFactory.quad(
          namedNode(subject.value),
          namedNode(predicate.value),
          object as Quad['object'],
          namedNode(derivedIri(base, path)),
        ),
      );
    const { sha256, quads } = item.document;
    store.putDocuments([{ ...item, document: { ...item.document, derived } }]);
    expect(store.documentQuads(path, sha256)?.map(text).sort()).toEqual([...quads, ...derived].map(text).sort());
    expect(store.documentQuads(path, 'other bytes')).toBeUndefined();
    expect(store.documentQuads('graph/none.json', sha256)).toBeUndefined();
    expect(folder.open('another version').documentQuads(path, sha256)).toBeUndefined();
    const prose = writeOf('README.md', [], 'prose', undefined, 'sig');
    store.putDocuments([prose]);
    expect(store.documentQuads('README.md', prose.document.sha256)).toEqual([]);
  });

  it('gives nothing of a document that another process has written meanwhile', async () => {
    const [mine, theirs] = [folder.open(), folder.open()];
    const first = await putTool(mine);
    await putTool(theirs, 'a', 'Theirs', first.signature);
    expect(mine.documentQuads(path, first.document.sha256)).toBeUndefined();
  });
});

describe('match', () => {
  it('sees what another process wrote, terms included', async () => {
    const [mine, theirs] = [folder.open(), folder.open()];
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
    const store = folder.open('1');
    const verdict: PatternVerdict = { time: 'linear', argv: { kind: 'unsafe', counterexample: '\u0000' } };
    store.putVerdicts(
      new Map<string, PatternVerdict>([
        ['^a$', verdict],
        ['__proto__', { time: 'undecided', argv: { kind: 'empty' } }],
      ]),
    );
    expect([...folder.open('1').verdicts(['^a$', 'unknown', '__proto__']).keys()]).toEqual(['^a$', '__proto__']);
    expect(store.verdicts(['^a$']).get('^a$')).toEqual(verdict);
    expect(folder.open('2').verdicts(['^a$']).size).toBe(0);
  });
});

function text({ subject, predicate, object, graph }: Quad): string {
  return JSON.stringify([subject, predicate, object, graph].map(encodeTerm));
}

function withDatabase<T>(act: (db: Database.Database) => T): T {
  const db = new Database(join(folder.path, 'graph.db'), { readonly: true });
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

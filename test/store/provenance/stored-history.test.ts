import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordMigrations, recordsVersion } from '../../../src/store/record-schema.js';
import { openRecordStore, type RecordStore } from '../../../src/store/record-store.js';
import { history, instanceHistory, iri, parts, type TestInstance, tool } from './told-history.js';

let folder: string;
let store: RecordStore;
let minute: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgraph-history-'));
  store = openRecordStore(folder);
  minute = 0;
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const at = (n: number) => new Date(Date.UTC(2026, 0, 2, 3, n));
const next = () => at(minute++);
const clock = (n: number) => at(n).toISOString();

function rows<T = Record<string, unknown>>(sql: string): T[] {
  const db = new Database(join(folder, 'records.db'), { readonly: true });
  try {
    return db.prepare<[], T>(sql).all();
  } finally {
    db.close();
  }
}

const changes = () => rows<{ n: number }>('SELECT total(seq) AS n FROM sqlite_sequence')[0]?.n;
const documents = () => rows('SELECT number, path, prior, since, until, ending FROM document ORDER BY number');
const revisions = () =>
  rows(`SELECT n.number, n.id, r.node ->> 'description' AS text, n.document, n.prior, n.since, n.until, n.ending
    FROM node_revision AS n JOIN revision AS r ON r.iri = n.iri AND r.digest = n.digest ORDER BY n.number`);
const put = (instance: TestInstance, changed?: readonly string[]) =>
  store.nextGeneration('k', `digest ${minute}`, next(), {
    history: history([instanceHistory(instance, changed === undefined ? {} : { changed })]),
  });

describe('the history of documents and nodes', () => {
  it('keeps each version from when until when, and the whole node of each revision', () => {
    put({ 'a.json': { tools: { x: 'one' } }, 'b.json': { tools: { y: 'one' } } });
    put({ 'a.json': { tools: { x: 'two' } } }, ['a.json']);
    put({ 'b.json': { tools: { y: 'one' } } }, ['a.json']);
    expect(documents()).toEqual([
      { number: 1, path: 'a.json', prior: null, since: clock(0), until: clock(1), ending: 'replaced' },
      { number: 2, path: 'b.json', prior: null, since: clock(0), until: null, ending: null },
      { number: 3, path: 'a.json', prior: 1, since: clock(1), until: clock(2), ending: 'deleted' },
    ]);
    expect(revisions()).toEqual([
      {
        number: 1,
        id: 'x',
        text: 'one',
        document: 1,
        prior: null,
        since: clock(0),
        until: clock(1),
        ending: 'replaced',
      },
      { number: 2, id: 'y', text: 'one', document: 2, prior: null, since: clock(0), until: null, ending: null },
      { number: 3, id: 'x', text: 'two', document: 3, prior: 1, since: clock(1), until: clock(2), ending: 'deleted' },
    ]);
    expect(rows('SELECT node FROM revision ORDER BY node')[0]).toEqual({
      node: '{"description":"one","id":"x","satisfies":["a-skill"]}',
    });
  });

  it('writes nothing for what is as it was, whoever tells it, and no revision where only the document is other', () => {
    const instance = { 'a.json': { tools: { x: 'one' } } };
    put(instance);
    const before = changes();
    store.nextGeneration('k', 'digest 0', next(), { history: history([instanceHistory(instance)]) });
    const other = openRecordStore(folder);
    other.nextGeneration('k', 'digest 0', next(), {
      history: history([instanceHistory(instance, { changed: ['a.json'] })]),
    });
    other.close();
    expect(changes()).toBe(before);
    put({ 'a.json': { tools: { x: 'one' }, format: 'other' } }, ['a.json']);
    expect(documents()).toHaveLength(2);
    expect(revisions()).toHaveLength(1);
  });

  it('asks for no node where a digest says that all is as it was, until something is other', () => {
    const instance = { 'a.json': { tools: { x: 'one' } } };
    put(instance);
    store.keepDocumentsDigest('', 'D');
    const asked: string[] = [];
    const all = () => {
      asked.push('all');
      return instanceHistory(instance).all();
    };
    const resume = () =>
      store.nextGeneration('k', 'r', next(), { history: history([{ ...instanceHistory({}), all, digest: 'D' }]) });
    resume();
    expect(asked).toEqual([]);
    put({ 'a.json': { tools: { x: 'two' } } }, ['a.json']);
    resume();
    expect(asked).toEqual(['all']);
    expect(revisions().map(({ text }) => text)).toEqual(['one', 'two', 'one']);
  });

  it('looks at everything when the program or the base is another one, and when the file was begun anew', () => {
    put({ 'a.json': { tools: { x: 'one' } } });
    const told = instanceHistory({ 'a.json': { tools: { x: 'one', y: 'new' } } }, { changed: [], program: 'q' });
    store.nextGeneration('k', 'other', next(), { history: history([{ ...told }]) });
    expect(revisions().map(({ id }) => id)).toEqual(['x', 'y']);
    const fresh = mkdtempSync(join(tmpdir(), 'toolgraph-history-'));
    const other = openRecordStore(fresh);
    other.nextGeneration('k', 'other', next(), { history: history([told], parts({ x: '1' })) });
    other.close();
    const db = new Database(join(fresh, 'records.db'), { readonly: true });
    expect(db.prepare('SELECT (SELECT count(*) FROM node_revision), (SELECT count(*) FROM part)').raw().get()).toEqual([
      2, 1,
    ]);
    db.close();
    rmSync(fresh, { recursive: true });
  });

  it('keeps the revision of a node that cannot be determined, and of a document that cannot be looked at', () => {
    put({ 'a.json': { tools: { x: 'one', y: 'one' } }, 'b.json': { tools: { z: 'one' } } });
    put({ 'a.json': { tools: {}, broken: [iri('x')] }, 'b.json': { tools: {}, broken: 'all' } }, ['a.json', 'b.json']);
    expect(revisions().map(({ id, ending }) => [id, ending])).toEqual([
      ['x', null],
      ['y', 'deleted'],
      ['z', null],
    ]);
    const rest = { 'a.json': { tools: { x: 'two' } } };
    store.nextGeneration('k', 'u', next(), { history: history([instanceHistory(rest, { unseen: ['b.json'] })]) });
    expect(documents().map(({ path, ending }) => [path, ending])).toEqual([
      ['a.json', 'replaced'],
      ['b.json', 'replaced'],
      ['a.json', 'replaced'],
      ['b.json', null],
      ['a.json', null],
    ]);
    expect(revisions().at(-1)).toMatchObject({ id: 'x', text: 'two', prior: 1 });
  });

  it('follows a node to another document, and names the documents that state more of it', () => {
    put({ 'a.json': { tools: { x: 'one' } } });
    put({ 'a.json': { tools: {} }, 'b.json': { tools: { x: 'one' }, alsoIn: ['a.json'] } }, ['b.json', 'a.json']);
    expect(revisions().map(({ document, prior, ending }) => [document, prior, ending])).toEqual([
      [1, null, 'deleted'],
      [2, 1, null],
    ]);
    expect(rows('SELECT * FROM revision_document')).toEqual([{ revision: 2, document: 3 }]);
  });

  it('does not take what another process has replaced meanwhile for what is there', () => {
    const other = openRecordStore(folder);
    put({ 'a.json': { tools: { x: 'one' } } });
    const tell = (records: RecordStore, text: string, changedAt: number) =>
      records.nextGeneration('k', text, next(), {
        history: history([instanceHistory({ 'a.json': { tools: { x: text }, changedAt } }, { changed: ['a.json'] })]),
      });
    tell(other, 'three', 30);
    tell(store, 'two', 20);
    expect(revisions().map(({ text, ending }) => [text, ending])).toEqual([
      ['one', 'replaced'],
      ['three', null],
      ['two', 'replaced'],
    ]);
    tell(store, 'three', 30);
    expect(revisions()).toHaveLength(3);
    // A clock that was put back: what this process itself has written is older, whatever the times say.
    tell(store, 'four', 5);
    expect(revisions().at(-1)).toMatchObject({ text: 'four', ending: null });
    other.close();
  });

  it('takes much in portions, to the same rows, also when only some of them are written', () => {
    const documents = (of: string): TestInstance =>
      Object.fromEntries(
        Array.from({ length: 700 }, (_, n) => {
          const document = { tools: { [`t${n}`]: of } };
          return [`${n}.json`, n % 100 === 0 ? { ...document, alsoIn: ['699.json', '5.json'] } : document];
        }),
      );
    const content = () => [
      rows('SELECT path, sha256, until IS NULL AS holds FROM document ORDER BY path, number'),
      rows(
        'SELECT path, iri, digest, until IS NULL AS holds, prior IS NULL AS first FROM node_revision ORDER BY path, number',
      ),
      rows(`SELECT n.path AS home, d.path, d.sha256 FROM revision_document AS o JOIN node_revision AS n ON n.number = o.revision
        JOIN document AS d ON d.number = o.document ORDER BY 1, 2, n.number`),
    ];
    const portions = (of: string) => store.historyPortions(instanceHistory(documents(of)));
    expect(store.historyPortions(instanceHistory({ a: { tools: { x: 'one' } } }))).toEqual([]);
    for (const portion of portions('one')) store.putHistoryPortion(portion, next());
    put(documents('one'));
    for (const portion of portions('two').slice(0, 2)) store.putHistoryPortion(portion, next());
    store.close();
    store = openRecordStore(folder);
    put(documents('two'));
    const inPortions = content();
    store.close();
    rmSync(folder, { recursive: true });
    folder = mkdtempSync(join(tmpdir(), 'toolgraph-history-'));
    store = openRecordStore(folder);
    put(documents('one'));
    put(documents('two'));
    expect(inPortions).toEqual(content());
    expect(inPortions[2]).toHaveLength(28);
  });

  it('closes what an instance held that is not among those that are served', () => {
    const included = instanceHistory({ 'a.json': { tools: { y: 'one' } } }, { instance: 'lib' });
    const own = instanceHistory({ 'a.json': { tools: { x: 'one' } } });
    const told = (instances: readonly (typeof own)[], onlyInstances: readonly string[]) =>
      store.nextGeneration('k', `${minute}`, next(), { history: { ...history(instances), onlyInstances } });
    told([own, included], ['', 'lib']);
    told([{ ...own, changed: new Map() }], ['']);
    expect(revisions().map(({ id, ending }) => [id, ending])).toEqual([
      ['x', null],
      ['y', 'deleted'],
    ]);
    told([{ ...included, changed: new Map() }], ['', 'lib']);
    expect(
      revisions()
        .map(({ id, ending }) => [id, ending])
        .at(-1),
    ).toEqual(['y', null]);
  });
});

describe('the history of generations', () => {
  const declared = () => rows('SELECT name, definition, since, until FROM part ORDER BY number');
  const generation = (digest: string, now: Record<string, string>, before?: [number, Record<string, string>]) =>
    store.nextGeneration('k', digest, next(), {
      history: history([], parts(now), before && { base: before[0], parts: parts(before[1]) }),
    });

  it('keeps each part from the first generation that has it until the first that has not', () => {
    generation('1', { x: 'a', y: 'b' });
    generation('2', { x: 'c', y: 'b' }, [1, { x: 'a', y: 'b' }]);
    generation('2', { x: 'c', y: 'b' }, [2, { x: 'c', y: 'b' }]);
    expect(declared()).toEqual([
      { name: 'x', definition: 'a', since: 1, until: 2 },
      { name: 'y', definition: 'b', since: 1, until: null },
      { name: 'x', definition: 'c', since: 2, until: null },
    ]);
  });

  it('compares with what is there when another process has numbered one in between', () => {
    generation('1', { x: 'a', y: 'b' });
    const other = openRecordStore(folder);
    other.nextGeneration('k', '2', next(), { history: history([], parts({ x: 'c', y: 'b' })) });
    other.close();
    generation('3', { x: 'a', z: 'd' }, [1, { x: 'a', y: 'b' }]);
    expect(declared()).toEqual([
      { name: 'x', definition: 'a', since: 1, until: 2 },
      { name: 'y', definition: 'b', since: 1, until: 3 },
      { name: 'x', definition: 'c', since: 2, until: 3 },
      { name: 'x', definition: 'a', since: 3, until: null },
      { name: 'z', definition: 'd', since: 3, until: null },
    ]);
  });

  it('names the revision of which a declaration was made', () => {
    store.nextGeneration('k', '1', next(), {
      history: history([instanceHistory({ 'a.json': { tools: { x: 'one' } } })], parts({ x: 'a' })),
    });
    expect(rows('SELECT revision FROM part')).toEqual([{ revision: 1 }]);
  });
});

/** What all of it is after any edits, whoever tells of them and whether all or only the changes are told. */
it('the rows that hold are what there is, after any edits', () => {
  const text = fc.constantFrom('one', 'two', 'three');
  const document = fc.record({
    tools: fc.dictionary(fc.constantFrom('x', 'y'), text),
    format: fc.constantFrom('', 'f'),
  });
  const edit = fc.record({
    path: fc.constantFrom('a', 'b', 'c'),
    to: fc.option(document, { nil: undefined }),
    by: fc.constantFrom(0, 1),
    isWhole: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 15 }), (edits) => {
      const own = mkdtempSync(join(folder, 'p-'));
      const stores = [openRecordStore(own), openRecordStore(own)];
      const told = stores.map(() => new Set<string>());
      let instance: TestInstance = {};
      let n = 0;
      for (const { path, to, by, isWhole } of edits) {
        const { [path]: _, ...rest } = instance;
        instance = to === undefined ? rest : { ...rest, [path]: { ...to, changedAt: ++n } };
        for (const paths of told) paths.add(path);
        const changed = isWhole ? {} : { changed: [...(told[by] ?? [])] };
        stores[by]?.nextGeneration('k', String(n), at(n), { history: history([instanceHistory(instance, changed)]) });
        told[by]?.clear();
      }
      stores[0]?.nextGeneration('k', 'last', at(n), { history: history([instanceHistory(instance)]) });
      for (const one of stores) one.close();
      const db = new Database(join(own, 'records.db'), { readonly: true });
      const held = db
        .prepare<[], [string, string, string]>(
          `SELECT n.path, n.iri, r.node FROM node_revision AS n JOIN revision AS r ON r.iri = n.iri AND r.digest = n.digest
           WHERE n.until IS NULL ORDER BY 1, 2`,
        )
        .raw()
        .all();
      const paths = db.prepare('SELECT path FROM document WHERE until IS NULL ORDER BY path').pluck().all();
      // Each version of a path follows the one before it, and holds until then.
      const broken = db
        .prepare(
          'SELECT count(*) FROM document AS d JOIN document AS p ON p.number = d.prior WHERE p.path != d.path OR p.until IS NULL',
        )
        .pluck()
        .get();
      db.close();
      rmSync(own, { recursive: true });
      const expected = Object.entries(instance).flatMap(([path, { tools }]) =>
        Object.entries(tools).map(([id, description]) => [path, iri(id), tool(id, description)]),
      );
      expect(held.map(([path, subject, node]) => [path, subject, JSON.parse(node)])).toEqual(
        expected.sort((a, b) => (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1)),
      );
      expect(paths).toEqual(Object.keys(instance).sort());
      expect(broken).toBe(0);
    }),
    { numRuns: 40 },
  );
});

describe('what retention drops', () => {
  const keepAll = { revisions: 1_000, days: 1_000 };
  const revise = (count: number) => {
    for (let n = 0; n < count; n++) put({ 'a.json': { tools: { x: `text ${n}` } } }, n === 0 ? undefined : ['a.json']);
  };

  it('is the oldest beyond the number, with the documents and the content that nothing names any more, and is counted', () => {
    revise(5);
    expect(store.dropHistory(keepAll, at(10))).toBe(0);
    expect(store.dropHistory({ ...keepAll, revisions: 2 }, at(10))).toBe(4);
    expect(revisions().map(({ text }) => text)).toEqual(['text 2', 'text 3', 'text 4']);
    expect(documents().map(({ number }) => number)).toEqual([3, 4, 5]);
    expect(rows('SELECT count(*) AS n FROM revision')).toEqual([{ n: 3 }]);
    expect(rows('SELECT * FROM history_dropped ORDER BY kind')).toEqual([
      { kind: 'document', count: 2, newest: clock(2), at: at(10).toISOString() },
      { kind: 'revision', count: 2, newest: clock(2), at: at(10).toISOString() },
    ]);
    expect(store.dropHistory({ ...keepAll, revisions: 2 }, at(10))).toBe(0);
  });

  it('is never what holds, nor what a call or a part of a generation names', () => {
    const node = tool('x', 'text 0');
    put({ 'a.json': { tools: { x: 'text 0' } } });
    const digest = rows<{ digest: string }>('SELECT digest FROM node_revision')[0]?.digest ?? '';
    const call = {
      ...{ id: 'c', name: 'x', tool: { iri: iri('x'), revision: { digest, node } } },
      generation: { key: 'k', number: 1, digest: 'd' },
      by: { identity: 'none' as const },
      started: at(0),
      end: { outcome: 'ran' as const, reason: '', finished: at(0) },
    };
    store.putCall(call, { pid: 1, identity: 'i' });
    revise(3);
    const later = new Date(at(10).getTime() + 100 * 86_400_000);
    store.dropHistory({ revisions: 1_000, days: 1 }, later);
    expect(revisions().map(({ number }) => number)).toEqual([1, 3]);
    expect(rows('SELECT node_revision FROM invocation')).toEqual([{ node_revision: 1 }]);
    // The call goes, and with it what it alone named.
    expect(store.dropCalls({ records: 1_000, days: 1 }, later)).toBe(1);
    store.dropHistory({ revisions: 1_000, days: 1 }, later);
    expect(revisions().map(({ number }) => number)).toEqual([3]);
    expect(rows('SELECT count(*) AS n FROM revision')).toEqual([{ n: 1 }]);
  });

  it('is a generation when nothing names it and it is not the last', () => {
    for (let n = 0; n < 3; n++) {
      store.nextGeneration('k', `${n}`, at(n), { history: history([], parts({ x: n < 2 ? 'a' : 'b', y: `${n}` })) });
    }
    const later = new Date(at(10).getTime() + 100 * 86_400_000);
    store.dropHistory({ revisions: 1_000, days: 1 }, later);
    expect(rows('SELECT number FROM generation')).toEqual([{ number: 3 }]);
    expect(rows("SELECT name FROM journal WHERE kind = 'generation' ORDER BY seq DESC LIMIT 1")).toEqual([
      { name: '1/2' },
    ]);
  });
});

it('a file of version 2 is migrated with its calls, whose nodes are then in JCS form', () => {
  store.close();
  rmSync(join(folder, 'records.db'));
  const db = new Database(join(folder, 'records.db'));
  for (const statement of recordMigrations.slice(0, 2)) db.exec(statement);
  db.exec(`INSERT INTO generation VALUES ('k', 7, 'd', '${clock(0)}');
    INSERT INTO revision VALUES ('${iri('x')}', 'r', '{"id":"x","description":"old"}');
    INSERT INTO server(pid, identity) VALUES (1, 'i');
    INSERT INTO invocation(id, server, name, iri, revision, generation_key, generation, generation_digest, identity, outcome, started, finished)
      VALUES ('c', 1, 'x', '${iri('x')}', 'r', 'k', 7, 'd', 'none', 'ran', '${clock(0)}', '${clock(0)}');
    PRAGMA user_version = 2`);
  db.close();
  store = openRecordStore(folder);
  expect(store.notice).toContain(`migrated from version 2 to ${recordsVersion}`);
  expect(rows('SELECT node FROM revision')).toEqual([{ node: '{"description":"old","id":"x"}' }]);
  expect(rows('SELECT id, node_revision FROM invocation')).toEqual([{ id: 'c', node_revision: null }]);
  // The generation that was numbered before is known from now on.
  expect(store.nextGeneration('k', 'd', next(), { history: history([], parts({ x: 'a' })) })).toBe(7);
  expect(rows('SELECT name, since FROM part')).toEqual([{ name: 'x', since: 7 }]);
});

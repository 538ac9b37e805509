import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createService, type Service } from '../src/service.js';
import type { QueryResult } from '../src/store/query/graph-query.js';
import { QueryError } from '../src/store/query/query-error.js';
import { Iri, LiteralTerm } from '../src/store/rdf-terms.js';
import { rdf } from '../src/store/vocabulary.js';
import { Instance, nodePath, toolNode, typeIri } from './e2e/instance.js';
import { nextGeneration } from './next-generation.js';

async function makeInstance(nodes: readonly Record<string, unknown>[]): Promise<Instance> {
  const instance = await Instance.make(nodes);
  onTestFinished(() => instance.dispose());
  return instance;
}

async function open(instance: Instance): Promise<Service> {
  const service = createService({ root: instance.root });
  onTestFinished(() => service.close());
  await service.ready;
  return service;
}

const titles = 'SELECT ?title { ?tool a tg:Tool ; dcterms:title ?title } ORDER BY ?title';

function column(result: QueryResult, name: string): (string | undefined)[] {
  return result.kind === 'bindings' ? result.rows.map((row) => row.get(name)?.value) : [];
}

const failure = (code: string) => expect.objectContaining({ name: 'QueryError', code });

describe('A query of a service', () => {
  it('is answered on its current generation, and says which one that is', async () => {
    const instance = await makeInstance([toolNode('a', { title: 'First' })]);
    const service = await open(instance);
    const result = await service.query(titles);
    expect(column(result, 'title')).toEqual(['First']);
    expect(result.generation).toEqual({ number: service.current?.number, digest: service.current?.digest });
  });

  it('finds which generation the service serves', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const service = await open(instance);
    const served = async () => {
      const result = await service.query(
        'SELECT ?digest ?number ?key { GRAPH ?service { ?service tg:servesDigest ?digest ; tg:servesNumber ?number ; tg:servesKey ?key } }',
      );
      return ['digest', 'number', 'key'].map((name) => column(result, name));
    };
    const current = () => [[service.current?.digest], [String(service.current?.number)], [service.current?.key]];
    expect(await served()).toEqual(current());
    const changed = nextGeneration(service);
    await instance.write(nodePath('b'), toolNode('b'));
    await changed;
    expect(await served()).toEqual(current());
    await instance.config({ base: 'urn:other:' });
    const graphs = () => service.query('SELECT DISTINCT ?g { GRAPH ?g { ?s tg:servesKey ?key } }');
    await vi.waitFor(async () => expect(column(await graphs(), 'g')).toEqual(['urn:other:service']), 20_000);
    expect(await served()).toEqual(current());
  });

  it('follows every change of the documents: an edit, a new one, one that is removed', async () => {
    const instance = await makeInstance([toolNode('a', { title: 'First' }), toolNode('b', { title: 'Second' })]);
    const service = await open(instance);
    expect(column(await service.query(titles), 'title')).toEqual(['First', 'Second']);
    for (const [change, expected] of [
      [() => instance.replace(nodePath('a'), toolNode('a', { title: 'Zeroth' })), ['Second', 'Zeroth']],
      [() => instance.replace(nodePath('c'), toolNode('c', { title: 'Third' })), ['Second', 'Third', 'Zeroth']],
      [() => instance.remove(nodePath('b')), ['Third', 'Zeroth']],
    ] as const) {
      const changed = nextGeneration(service);
      await change();
      const generation = await changed;
      const result = await service.query(titles);
      expect(column(result, 'title')).toEqual(expected);
      expect(result.generation.digest).toBe(generation.digest);
    }
  });

  it('is never answered on other documents than those of the generation that it names', async () => {
    const instance = await makeInstance([toolNode('a', { title: 'Title 0', description: 'Title 0.' })]);
    const service = await open(instance);
    const titleOf = new Map<string, string | undefined>();
    const note = () => {
      const { current } = service;
      if (current !== undefined) titleOf.set(current.digest, [...current.entries.values()][0]?.declaration.title);
    };
    note();
    onTestFinished(service.subscribe(note));
    const asked: QueryResult[] = [];
    for (let n = 1; n <= 8; n += 1) {
      await instance.replace(nodePath('a'), toolNode('a', { title: `Title ${n}`, description: `Title ${n}.` }));
      for (let i = 0; i < 4; i += 1) asked.push(await service.query(titles));
    }
    await vi.waitFor(async () => expect(column(await service.query(titles), 'title')).toEqual(['Title 8']), 20_000);
    for (const result of asked) expect(column(result, 'title')).toEqual([titleOf.get(result.generation.digest)]);
  });

  it('waits while a generation of changed documents is made', async () => {
    const instance = await makeInstance([toolNode('a', { title: 'Title 0', description: 'Title 0.' })]);
    const service = await open(instance);
    const make = async (n: number) => {
      // The thread that judges a new pattern takes its time.
      await instance.writeTypes({
        Word: { type: 'string', pattern: `^(?:[a-z]{${n},9}-?){1,4}$`, description: 'A word' },
      });
      const io = { inputs: [{ name: 'word', schema: typeIri('Word'), arg: { positional: 0 } }], outputs: [] };
      await instance.replace(nodePath('a'), toolNode('a', { title: `Title ${n}`, description: `Title ${n}.`, io }));
    };
    const titleOf = new Map<string, (string | undefined)[]>();
    const note = () => {
      const { current } = service;
      if (current !== undefined)
        titleOf.set(
          current.digest,
          [...current.entries.values()].map(({ declaration }) => declaration.title),
        );
    };
    note();
    onTestFinished(service.subscribe(note));
    for (const n of [1, 2, 3]) {
      await make(n);
      let titled: (string | undefined)[] = [];
      while (titled[0] !== `Title ${n}`) {
        const result = await service.query(titles);
        titled = column(result, 'title');
        expect(titleOf.get(result.generation.digest)).toEqual(titled);
      }
    }
  });

  it('sees what another process has written, when its own service has', async () => {
    const instance = await makeInstance([toolNode('a', { title: 'First' })]);
    const [one, other] = [await open(instance), await open(instance)];
    await Promise.all([one.query(titles), other.query(titles)]);
    const changed = [nextGeneration(one), nextGeneration(other)];
    await instance.replace(nodePath('a'), toolNode('a', { title: 'Second' }));
    await Promise.all(changed);
    for (const service of [one, other]) expect(column(await service.query(titles), 'title')).toEqual(['Second']);
  });

  it('goes on when the store is removed under it', async () => {
    const instance = await makeInstance([toolNode('a', { title: 'First' })]);
    const service = await open(instance);
    await service.query(titles);
    const state = instance.path('.toolgraph');
    for (const name of await readdir(state)) if (name.startsWith('graph.db')) await rm(join(state, name));
    expect(column(await service.query(titles), 'title')).toEqual(['First']);
    const changed = nextGeneration(service);
    await instance.replace(nodePath('a'), toolNode('a', { title: 'Second' }));
    await changed;
    expect(column(await service.query(titles), 'title')).toEqual(['Second']);
  });

  it('sees the documents of included instances, and no more of one that is included no longer', async () => {
    const [instance, other] = [
      await makeInstance([toolNode('a', { title: 'First' })]),
      await makeInstance([toolNode('b', { title: 'Other' })]),
    ];
    await instance.config({ include: [other.root] });
    const service = await open(instance);
    expect(column(await service.query(titles), 'title')).toEqual(['First', 'Other']);
    const changed = nextGeneration(service);
    await instance.config({});
    await changed;
    expect(column(await service.query(titles), 'title')).toEqual(['First']);
  });

  it('tells where an IRI or a tag of a language is none that the engine takes', async () => {
    const service = await open(await makeInstance([toolNode('a')]));
    for (const [sparql, column, message] of [
      ['ASK { ?s a <Tool> }', 12, '<Tool> is a relative IRI; write it in full'],
      ['PREFIX a: <a/> ASK { ?s a a:Tool }', 11, '<a/> is a relative IRI'],
      ['ASK { ?s ?p <http://[a/> }', 13, "<http://[a/> is no IRI: Invalid character '[' in host"],
      ['ASK { ?s ?p "x"@muchtoolong }', 13, '"muchtoolong" is no language tag'],
      ['ASK FROM <a> { }', 10, '<a> is a relative IRI'],
    ] as const) {
      const expected = { code: 'syntax', position: { line: 1, column }, message: expect.stringContaining(message) };
      await expect(service.query(sparql)).rejects.toMatchObject(expected);
    }
    expect(await service.query('BASE <urn:x:> ASK { ?s a <Tool> }')).toMatchObject({ value: false });
    for (const term of [new Iri('http://[a/'), new LiteralTerm('x', new Iri(rdf.langString), 'muchtoolong')]) {
      const query = service.query('ASK { ?s ?p ?o }', { bindings: new Map([['o', term]]) });
      await expect(query).rejects.toMatchObject({ code: 'binding', message: expect.stringMatching(/^\?o: .* is no /) });
    }
  });

  it('ends at its time, and the next is answered all the same', async () => {
    const service = await open(await makeInstance([toolNode('a', { title: 'First' })]));
    const endless = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }';
    await expect(service.query(endless, { limits: { timeMs: 50 } })).rejects.toEqual(failure('time'));
    expect(column(await service.query(titles), 'title')).toEqual(['First']);
  });

  it('ends when its signal comes, while it runs and while it waits', async () => {
    const service = await open(await makeInstance([toolNode('a', { title: 'First' })]));
    const endless = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }';
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = service.query(endless, { signal: running.signal });
    const second = service.query(titles, { signal: waiting.signal });
    const third = service.query(titles);
    waiting.abort();
    await expect(second).rejects.toEqual(failure('cancelled'));
    running.abort();
    await expect(first).rejects.toEqual(failure('cancelled'));
    expect(column(await third, 'title')).toEqual(['First']);
    await expect(service.query(titles, { signal: running.signal })).rejects.toEqual(failure('cancelled'));
  });

  it('is refused when as many wait as may', async () => {
    const instance = await makeInstance([toolNode('a', { title: 'First' })]);
    await instance.config({ limits: { waitingQueries: 1 } });
    const service = await open(instance);
    const asked = [service.query(titles), service.query(titles), service.query(titles)];
    const settled = await Promise.allSettled(asked);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    await expect(asked[2]).rejects.toEqual(failure('busy'));
  });

  it('is refused beyond the rows of the config, and of the caller where they are fewer', async () => {
    const instance = await makeInstance([toolNode('a')]);
    await instance.config({ limits: { queryRows: 5 } });
    const service = await open(instance);
    for (const sparql of ['SELECT * { ?s ?p ?o }', 'CONSTRUCT WHERE { ?s ?p ?o }']) {
      await expect(service.query(sparql, { limits: { rows: 1_000 } })).rejects.toEqual(failure('rows'));
    }
    await expect(service.query('SELECT * { VALUES ?x { 1 2 } }', { limits: { rows: 1 } })).rejects.toEqual(
      failure('rows'),
    );
    expect(await service.query('SELECT * { VALUES ?x { 1 2 3 4 5 } }')).toMatchObject({ rows: { length: 5 } });
  });

  it('is refused when it needs more memory than the config gives, and the next is answered', async () => {
    const instance = await makeInstance([toolNode('a', { title: 'First' })]);
    await instance.config({ limits: { queryMegabytes: 64 } });
    const service = await open(instance);
    const separator = 'x'.repeat(1000);
    const large = `SELECT (GROUP_CONCAT(STR(?a); SEPARATOR="${separator}") AS ?all) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }`;
    const answer = service.query(large).then(
      () => 'answered',
      (error: QueryError) => error.code,
    );
    expect(await answer).toBe('memory');
    expect(column(await service.query(titles), 'title')).toEqual(['First']);
  });

  it('is refused after the service is closed', async () => {
    const service = await open(await makeInstance([toolNode('a')]));
    await service.close();
    await expect(service.query(titles)).rejects.toBeInstanceOf(QueryError);
  });
});

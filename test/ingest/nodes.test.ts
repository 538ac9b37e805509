import { describe, expect, it } from 'vitest';
import { contextIri, rdf, TG } from '../../src/store/vocabulary.js';
import { base, ingest, messages, places, tool, triples } from './ingest-source.js';

const path = 'graph/a.json';
const iri = `${base}tool/readme-sync`;
const typed = (changes: Record<string, unknown> = {}) => ({ '@type': 'Tool', ...tool(changes) });

describe('The type of a node', () => {
  it.each([
    ['in a folder of the kind tools', 'nodes/a.json', { folderKind: 'tools' as const }],
    ['under graph/tools', 'graph/tools/deep/a.json', {}],
  ])('may be left out of a Tool %s', async (_, place, settings) => {
    const document = await ingest(place, tool(), settings);
    expect(document.diagnostics).toEqual([]);
    expect(triples(document)).toContain('tool/readme-sync type Tool');
  });

  it('may be left out of a skill in a folder of the kind skills', async () => {
    const document = await ingest('s/a.json', { name: 'docs', title: 'Docs' }, { folderKind: 'skills' });
    expect(triples(document)).toEqual(['skill/docs name "docs"', 'skill/docs title "Docs"', 'skill/docs type Skill']);
  });

  it('is asked for elsewhere, with what to add', async () => {
    const document = await ingest(path, tool());
    expect(places(document)).toEqual([['invalid-node', 1, 1]]);
    expect(messages(document)[0]).toContain('add "@type": "Tool", or put the file into graph/tools/ or a folder');
    expect(document.broken).toEqual([iri]);
    expect(messages(await ingest(path, { a: 1 }))[0]).toContain(
      '"@type": "Tool", "Skill" or "View", or put the file into graph/tools/, graph/skills/ or graph/views/',
    );
  });

  it('that is unknown is told, with the one that was meant', async () => {
    const document = await ingest(path, { ...tool(), '@type': 'tool' });
    expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', pointer: '/@type', line: 39, column: 12 }]);
    expect(messages(document)[0]).toContain('did you mean "Tool"?');
  });

  it('may be one of several, and may be written as an IRI', async () => {
    for (const type of [['Tool', 'https://schema.org/SoftwareApplication'], `${TG}Tool`]) {
      const document = await ingest(path, { ...tool(), '@type': type });
      expect(document.diagnostics).toEqual([]);
      expect(triples(document)).toContain('tool/readme-sync type Tool');
    }
  });

  it('of the document itself makes data of it, kept as it is mapped', async () => {
    const own = { '@context': [contextIri, { note: 'urn:note' }], note: 'mine' };
    const about = { '@id': `${base}about`, '@type': 'Document', title: 'All' };
    const document = await ingest(path, { ...own, ...about });
    expect(document.diagnostics).toEqual([]);
    expect(triples(document)).toEqual(['about title "All"', 'about type Document', 'about urn:note "mine"']);
    const unmapped = await ingest(path, { ...about, note: 'mine' });
    expect(places(unmapped)).toEqual([['invalid-node', 5, 3]]);
    expect(messages(unmapped)[0]).toContain('maps the key "note"');
  });
});

describe('G3: the IRI of a node', () => {
  it.each([
    ['../other', 'found the relative "../other"'],
    ['http://evil/', 'lies outside this instance'],
    [`${base}tool/other`, `expected <${iri}>, or leave @id out`],
    [5, 'found 5'],
  ])('cannot be %j', async (id, words) => {
    const document = await ingest(path, { '@id': id, ...typed() });
    expect(places(document)).toEqual([['invalid-node', 2, 10]]);
    expect(messages(document)[0]).toContain(words);
    expect(document).toMatchObject({ quads: [], broken: [iri] });
  });

  it('may be stated when it is the right one, or lies under a prefix that the config allows', async () => {
    expect((await ingest(path, { '@id': iri, ...typed() })).quads).toEqual((await ingest(path, typed())).quads);
    const foreign = 'https://example.org/ns#tool/x';
    const allowIris = ['https://example.org/ns#'];
    const document = await ingest(path, { '@id': foreign, ...typed() }, { allowIris });
    expect(document.diagnostics).toEqual([]);
    expect([...document.pointers]).toEqual([[foreign, '']]);
  });

  it('of another node inside a Tool must lie in the instance: one document does not speak for another', async () => {
    const context = { '@context': [contextIri, { owner: 'urn:owner', nick: 'urn:nick' }] };
    const of = (id: string) => ({ ...context, ...typed(), owner: { '@id': id, nick: 'n' } });
    const document = await ingest(path, of('http://evil/x'));
    expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', pointer: '/owner/@id', line: 48, column: 12 }]);
    expect(messages(document)[0]).toContain('allowIris');
    expect(document).toMatchObject({ quads: [], broken: [iri] });
    expect((await ingest(path, of('http://evil/x'), { allowIris: ['http://evil/'] })).diagnostics).toEqual([]);
    expect((await ingest(path, of(`${base}data/x`))).diagnostics).toEqual([]);
  });

  it('may be named without being described', async () => {
    const context = { '@context': [contextIri, { owner: 'urn:owner' }] };
    const document = await ingest(path, { ...context, ...typed(), owner: { '@id': 'http://elsewhere/x' } });
    expect(document.diagnostics).toEqual([]);
    expect(triples(document)).toContain('tool/readme-sync urn:owner http://elsewhere/x');
  });

  it('must be an IRI by its characters', async () => {
    const context = { '@context': [contextIri, { owner: 'urn:owner' }] };
    const document = await ingest(path, { ...context, ...typed(), owner: { '@id': 'urn:a<b' } });
    expect(document.diagnostics).toMatchObject([
      { pointer: '/owner/@id', message: expect.stringContaining('is no IRI') },
    ]);
  });

  it('of a Tool nested in data is bound to its id', async () => {
    const context = { '@context': [contextIri, { part: 'urn:part' }] };
    const nested = { '@id': `${base}tool/other`, '@type': 'Tool', id: 'third' };
    const document = await ingest(path, { ...context, ...typed(), part: nested });
    expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', pointer: '/part/@id' }]);
    expect(messages(document)[0]).toContain('make the two agree');
  });
});

describe('A document of many nodes', () => {
  const graph = (...nodes: object[]) => ({ '@graph': nodes });

  it('is the same graph as @graph, as an array, and by itself', async () => {
    const alone = await ingest(path, typed());
    for (const form of [graph(typed()), [typed()], { '@context': contextIri, '@graph': typed() }]) {
      const document = await ingest(path, form);
      expect(document.diagnostics).toEqual([]);
      expect(document.quads).toEqual(alone.quads);
    }
  });

  it('keeps the good nodes beside a broken one, and knows their places', async () => {
    const skill = { '@type': 'Skill', name: 'docs' };
    const document = await ingest(path, graph(typed(), typed({ id: 'broken', title: 5 }), skill));
    expect(document.diagnostics).toMatchObject([
      { code: 'invalid-node', pointer: '/@graph/1/title', line: 46, column: 16, subject: `${base}tool/broken` },
    ]);
    expect(document.broken).toEqual([`${base}tool/broken`]);
    expect([...document.pointers]).toEqual([
      [iri, '/@graph/0'],
      [`${base}skill/docs`, '/@graph/2'],
    ]);
    expect(triples(document)).toEqual(expect.arrayContaining(['tool/readme-sync type Tool', 'skill/docs type Skill']));
  });

  it('keeps the good nodes beside one that cannot be expanded, blank nodes they share included', async () => {
    const context = [contextIri, { near: { '@id': 'urn:near', '@type': '@id' } }];
    const document = await ingest(path, {
      '@context': context,
      '@graph': [
        { ...typed(), near: '_:x' },
        { '@id': `${base}bad`, '@type': 'Document', unmapped: 1 },
        { '@id': '_:x', '@type': 'Document', title: 'Shared' },
      ],
    });
    expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', pointer: '/@graph/1/unmapped' }]);
    expect(document.broken).toEqual([`${base}bad`]);
    expect(triples(document)).toEqual(
      expect.arrayContaining([
        'tool/readme-sync urn:near tool/readme-sync/near/0',
        'tool/readme-sync/near/0 title "Shared"',
      ]),
    );
  });

  it('keeps last-good of all when it is not known which node is broken', async () => {
    const document = await ingest(path, graph(typed(), { '@type': 'Tool', title: 'No id' }));
    expect(document.broken).toBe('all');
    expect(triples(document)).toContain('tool/readme-sync type Tool');
  });

  it('that states one Tool twice serves neither', async () => {
    const document = await ingest(path, graph(typed(), typed({ title: 'Again' }), typed({ id: 'other' })));
    expect(places(document)).toEqual([['duplicate-id', 43, 5]]);
    expect(messages(document)[0]).toContain('described at /@graph/0 already');
    expect(document.broken).toEqual([iri]);
    expect([...document.pointers.keys()]).toEqual([`${base}tool/other`]);
  });

  it('may have no other key beside @graph', async () => {
    const document = await ingest(path, { '@graph': [typed()], title: 'x' });
    expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', pointer: '/title' }]);
    expect(document.broken).toBe('all');
  });

  it.each([[{}], [[]], [{ '@graph': [] }], [{ $schema: 'x' }], ['"text"'], ['5'], ['null']])(
    'with no node, as %j, is a problem',
    async (content) => {
      const document = await ingest(path, content);
      expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', line: 1, column: 1 }]);
      expect(document).toMatchObject({ quads: [], broken: 'all' });
    },
  );

  it('has a bound on the values of one property, which JSON-LD compares with each other', async () => {
    const values = Array.from({ length: 9000 }, (_, i) => `value ${i}`);
    const context = [contextIri, { many: 'urn:many', list: { '@id': 'urn:list', '@container': '@list' } }];
    const set = await ingest(path, { '@context': context, ...typed(), many: values });
    expect(messages(set)).toEqual([expect.stringContaining('9000 of <urn:many> at one node')]);
    const spread = values.map((value) => ({ '@id': `${base}x`, '@type': 'Document', many: value }));
    expect(messages(await ingest(path, { '@context': context, '@graph': spread }))[0]).toContain('9000 of <');
    const list = await ingest(path, { '@context': context, ...typed(), list: values });
    expect(list.diagnostics).toEqual([]);
    expect(list.quads.length).toBeGreaterThan(18_000);
  });

  it('has a limit', async () => {
    const document = await ingest(path, graph(...Array.from({ length: 11 }, () => typed())), { limits: { nodes: 10 } });
    expect(messages(document)).toEqual([expect.stringContaining('at most 10 are read from one document, so split')]);
  });
});

describe('The quads of a Tool', () => {
  it('are all in the graph of the document, without a blank node', async () => {
    const { quads } = await ingest('graph/tools/a b.json', tool());
    expect(new Set(quads.map(({ graph }) => graph.value))).toEqual(new Set([`${base}document/graph/tools/a%20b.json`]));
    const terms = quads.flatMap(({ subject, predicate, object, graph }) => [subject, predicate, object, graph]);
    expect(new Set(terms.map(({ termType }) => termType))).toEqual(new Set(['NamedNode', 'Literal']));
    expect(quads.every((quad) => quad.equals(quad) && quad.object.equals(quad.object))).toBe(true);
  });

  it('hold JSON literals in JCS, numbers and other scripts included', async () => {
    const downstream = { z: 1e-7, a: { é: '\u2028 😀', '"': 1e21, n: -0 }, list: [0.1, 100, true, null] };
    const { quads, diagnostics } = await ingest('graph/tools/a.json', tool({ downstream }));
    expect(diagnostics).toEqual([]);
    const literal = quads.find(({ predicate }) => predicate.value === `${TG}downstream`)?.object;
    expect(literal).toMatchObject({ datatype: { value: rdf.JSON }, language: '' });
    expect(literal?.value).toBe('{"a":{"\\"":1e+21,"n":0,"é":"\u2028 😀"},"list":[0.1,100,true,null],"z":1e-7}');
  });

  it('do not turn a small number of a data key into 0 silently', async () => {
    const text = JSON.stringify({ '@context': [contextIri, { ratio: 'urn:ratio' }], ...typed(), ratio: 0 });
    const document = await ingest(path, text.replace('"ratio":0', '"ratio":1e-7'));
    expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', pointer: '/ratio', line: 1 }]);
    expect(messages(document)[0]).toContain('write it as a string');
  });

  it('are the same for the older spellings', async () => {
    const { description, ...rest } = tool();
    const old = { ...rest, summary: description, type: 'write' };
    const older = await ingest('graph/tools/a.json', old);
    expect(older.diagnostics).toEqual([]);
    expect(triples(older)).toEqual(triples(await ingest('graph/tools/a.json', tool({ effect: 'write' }))));
  });
});

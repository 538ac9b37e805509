import { describe, expect, it } from 'vitest';
import { contextIri } from '../../src/store/vocabulary.js';
import { base, ingest, messages, places, tool, triples } from './ingest-source.js';

const remote = 'http://169.254.169.254/latest/meta-data';
const path = 'graph/tools/a.json';
const withContext = (context: unknown, changes: Record<string, unknown> = {}) => ({
  '@context': context,
  ...tool(changes),
});

describe('G1: a context that is not available offline', () => {
  it.each([
    ['as a link-local address', remote, 2, 15],
    ['in an array', [contextIri, remote], 4, 5],
    ['as @import', [contextIri, { '@import': remote }], 5, 18],
    ['inside a term definition', [contextIri, { x: { '@id': 'urn:x', '@context': remote } }], 7, 21],
  ])('is a problem that names the URL, %s', async (_, context, line, column) => {
    const document = await ingest(path, withContext(context));
    expect(places(document)).toEqual([['unknown-context', line, column]]);
    expect(messages(document)).toEqual([expect.stringContaining(remote)]);
    expect(messages(document)[0]).toMatch(/use https:\/\/w3id\.org|write its terms here/);
    expect(document).toMatchObject({ quads: [], broken: [`${base}tool/readme-sync`] });
  });

  it('is a problem deep inside data too', async () => {
    const document = await ingest(
      path,
      withContext([contextIri, { x: 'urn:x' }], { x: [{ '@context': remote, y: 1 }] }),
    );
    expect(document.diagnostics).toMatchObject([{ code: 'unknown-context', pointer: '/x/0/@context' }]);
    expect(messages(document)[0]).toContain(remote);
  });

  it('is a problem in a context document, and in what uses it', async () => {
    const content = { '@context': { '@import': remote } };
    const own = await ingest('graph/own.jsonld', content);
    expect(own).toMatchObject({ kind: 'context', quads: [], broken: [] });
    expect(places(own)).toEqual([['unknown-context', 3, 16]]);
    const contexts = new Map([['graph/own.jsonld', content]]);
    const user = await ingest(path, withContext([contextIri, '../own.jsonld']), { contexts });
    expect(places(user)).toEqual([['unknown-context', 4, 5]]);
  });
});

describe('G3: the base is fixed', () => {
  it('@base in a context is refused', async () => {
    const document = await ingest(path, withContext([contextIri, { '@base': 'http://evil/' }]));
    expect(places(document)).toEqual([['invalid-node', 5, 16]]);
    expect(messages(document)[0]).toContain('remove @base');
    expect(document.quads).toEqual([]);
  });

  const own = (context: object, id: string) => ({
    '@context': { title: 'http://purl.org/dc/terms/title', ...context },
    '@graph': [{ '@id': id, title: 'X' }],
  });

  it('@base is honoured in a folder of the kind export, when it is absolute and stands in the document', async () => {
    const settings = { folderKind: 'export' as const };
    const based = own({ '@base': 'https://harness.example/graph' }, '#tool/x');
    const document = await ingest('harness/a.jsonld', based, settings);
    expect(document.diagnostics).toEqual([]);
    expect(document.quads.map(({ subject }) => subject.value)).toEqual(['https://harness.example/graph#tool/x']);
    expect([...document.pointers]).toEqual([['https://harness.example/graph#tool/x', '/@graph/0']]);
    expect(messages(await ingest('harness/a.jsonld', based))).toEqual([
      expect.stringContaining('remove @base, or give'),
    ]);

    const relative = await ingest('harness/a.jsonld', own({ '@base': 'other/' }, 'x'), settings);
    expect(relative.diagnostics).toMatchObject([{ code: 'invalid-node', pointer: '/@context/@base' }]);
    const contexts = new Map([['harness/c.jsonld', { '@context': { '@base': 'http://evil/' } }]]);
    const file = { ...own({}, 'x'), '@context': 'c.jsonld' };
    expect(messages(await ingest('harness/a.jsonld', file, { ...settings, contexts }))).toContainEqual(
      expect.stringMatching(/^in harness\/c\.jsonld: @base "http:\/\/evil\/" is refused/),
    );
  });

  it('@base in an export is also that of Tools in plain form, which may not take the IRI of another of the instance', async () => {
    const context = [contextIri, { '@base': 'https://harness.example/graph' }];
    const based = { '@context': context, '@id': '#tool/x', '@type': 'Tool', ...tool() };
    const document = await ingest('harness/a.jsonld', based, { folderKind: 'export' });
    expect(document.diagnostics).toEqual([]);
    expect(triples(document)).toContain('tool/x identifier "readme-sync"');
    const other = { ...based, '@id': `${base}tool/other` };
    expect(messages(await ingest('harness/a.jsonld', other, { folderKind: 'export' }))[0]).toContain(
      'make the two agree',
    );
  });

  it('an export may describe any IRI, and names no context that is not there', async () => {
    const document = await ingest('harness/a.jsonld', own({}, 'https://any.example/x'), { folderKind: 'export' });
    expect(document.diagnostics).toEqual([]);
    const settings = { folderKind: 'export' as const };
    const named = await ingest(
      'harness/a.jsonld',
      { ...own({}, 'https://any.example/x'), '@context': remote },
      settings,
    );
    expect(places(named)).toEqual([['unknown-context', 2, 15]]);
    const dropped = await ingest('harness/a.jsonld', { ...own({}, 'https://any.example/x'), when: 1 }, settings);
    expect(dropped.diagnostics).toMatchObject([{ code: 'invalid-node', pointer: '/when' }]);
    expect(messages(dropped)[0]).toContain('@vocab');
  });

  it.each(['@vocab', '@language', '@direction'])(
    '%s beside our context is refused, because it changes our keys',
    async (keyword) => {
      const document = await ingest(
        path,
        withContext([contextIri, { [keyword]: keyword === '@direction' ? 'ltr' : 'en' }]),
      );
      expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', pointer: '/@context', line: 2, column: 15 }]);
      expect(messages(document)[0]).toContain(`${keyword} in @context is refused`);
    },
  );
});

describe('The context of a document', () => {
  it('is the bundled one where none is given: the quads are the same', async () => {
    const absent = await ingest(path, tool());
    for (const context of [contextIri, [contextIri], [contextIri, {}]]) {
      const given = await ingest(path, withContext(context));
      expect(given.diagnostics).toEqual([]);
      expect(given.quads).toEqual(absent.quads);
    }
  });

  it('maps keys of its own, which stay in the graph at whichever depth', async () => {
    const inline = { owner: 'https://example.org/owner', ex: 'https://example.org/' };
    const io = { inputs: [{ name: 'a', schema: 'urn:s', owner: 'port owner', 'ex:note': 'n' }] };
    const document = await ingest(path, withContext([contextIri, inline], { owner: 'me', io }));
    expect(document.diagnostics).toEqual([]);
    expect(triples(document)).toEqual(
      expect.arrayContaining([
        'tool/readme-sync owner "me"',
        'tool/readme-sync/input/a owner "port owner"',
        'tool/readme-sync/input/a note "n"',
      ]),
    );
  });

  it('does not map keys inside a JSON literal, where JSON-LD does not look', async () => {
    const document = await ingest(path, withContext([contextIri, { owner: 'urn:o' }], { requires: { owner: 'me' } }));
    expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', pointer: '/requires/owner' }]);
  });

  it('cannot redefine a term of ours', async () => {
    const document = await ingest(path, withContext([contextIri, { title: 'https://evil.example/title' }]));
    expect(places(document)).toEqual([['invalid-node', 5, 7]]);
    expect(messages(document)[0]).toMatch(/redefines "title".*use another term/);
  });

  it('cannot be undone by null', async () => {
    const document = await ingest(path, withContext([contextIri, null]));
    expect(document.diagnostics).toMatchObject([{ code: 'invalid-node' }]);
    expect(document.quads).toEqual([]);
  });

  it('can be a document of the instance, named by its path from the folder of the one that uses it', async () => {
    const contexts = new Map([['graph/terms/own.jsonld', { '@context': [contextIri, { owner: 'urn:owner' }] }]]);
    const document = await ingest(path, withContext('../terms/own.jsonld', { owner: 'me' }), { contexts });
    expect(document.diagnostics).toEqual([]);
    expect(triples(document)).toContain('tool/readme-sync urn:owner "me"');
  });

  it.each([
    ['is not there', 'missing.jsonld', 'names no context document'],
    ['lies outside the instance', '../../../etc/passwd', 'outside the instance'],
    ['is absolute', '/etc/passwd', 'outside the instance'],
    ['includes itself', 'a.jsonld', 'includes itself'],
  ])('is a problem where the file %s', async (_, name, words) => {
    const contexts = new Map<string, unknown>([
      ['graph/tools/a.jsonld', { '@context': 'b.jsonld' }],
      ['graph/tools/b.jsonld', { '@context': './a.jsonld' }],
    ]);
    const document = await ingest(path, withContext([contextIri, name]), { contexts });
    expect(places(document)).toEqual([['unknown-context', 4, 5]]);
    expect(messages(document)[0]).toContain(words);
  });

  it('opens a bounded number of context documents, however often they name each other', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `graph/tools/c${i}.jsonld`);
    const contexts = new Map<string, unknown>(
      names.map((name, i) => [name, { '@context': [`c${i + 1}.jsonld`, `c${i + 1}.jsonld`] }]),
    );
    contexts.set('graph/tools/c40.jsonld', { '@context': {} });
    const document = await ingest(path, withContext([contextIri, 'c0.jsonld']), { contexts });
    expect(messages(document)[0]).toContain('more than 100 context documents');
  });

  it('of a @graph is told once when it is wrong, and breaks each node', async () => {
    const nodes = ['a', 'b', 'c'].map((id) => ({ '@type': 'Tool', ...tool({ id }) }));
    const document = await ingest('graph/a.json', { '@context': remote, '@graph': nodes });
    expect(places(document)).toEqual([['unknown-context', 2, 15]]);
    expect(document.broken).toEqual(['a', 'b', 'c'].map((id) => `${base}tool/${id}`));
  });

  it('of a @graph and of a node in it add up', async () => {
    const node = (id: string, context: object) => ({ ...context, '@type': 'Tool', ...tool({ id }), owner: 'me' });
    const document = await ingest('graph/a.json', {
      '@context': [contextIri, { owner: 'urn:owner' }],
      '@graph': [node('a', {}), { ...node('b', { '@context': { nick: 'urn:nick' } }), nick: 'n' }],
    });
    expect(document.diagnostics).toEqual([]);
    expect(triples(document)).toEqual(
      expect.arrayContaining(['tool/a urn:owner "me"', 'tool/b urn:owner "me"', 'tool/b urn:nick "n"']),
    );
  });

  it.each([[5], [[contextIri, 'x', 5]], [true]])('of another type, as %j, is a problem', async (context) => {
    const { diagnostics } = await ingest(path, withContext(context));
    expect(diagnostics.map(({ code }) => code)).toContain('invalid-node');
  });
});

describe('A document in a context of its own', () => {
  it('is expanded as it is', async () => {
    const document = await ingest('graph/x.jsonld', {
      '@context': { dct: 'http://purl.org/dc/terms/', label: 'dct:title', tg: 'https://w3id.org/toolgraph/ns#' },
      '@id': `${base}tool/x`,
      '@type': 'tg:Tool',
      label: 'X',
      'dct:identifier': 'x',
    });
    expect(document.diagnostics).toEqual([]);
    expect(triples(document)).toEqual(['tool/x identifier "x"', 'tool/x title "X"', 'tool/x type Tool']);
    expect([...document.pointers]).toEqual([[`${base}tool/x`, '']]);
  });

  it('G2: a key that it does not map is a problem, with its place', async () => {
    const document = await ingest('graph/x.jsonld', {
      '@context': { label: 'http://purl.org/dc/terms/title' },
      '@id': `${base}tool/x`,
      label: 'X',
      lable: 'Y',
    });
    expect(places(document)).toEqual([['invalid-node', 7, 3]]);
    expect(messages(document)[0]).toMatch(/"lable".*map it/);
  });

  it('G3: cannot give a Tool of the instance the IRI of another', async () => {
    const document = await ingest('graph/x.jsonld', {
      '@context': { '@vocab': 'https://w3id.org/toolgraph/ns#', id: 'http://purl.org/dc/terms/identifier' },
      '@id': `${base}tool/x`,
      '@type': 'Tool',
      id: 'y',
    });
    expect(places(document)).toEqual([['invalid-node', 6, 10]]);
    expect(messages(document)[0]).toContain(`<${base}tool/y>`);
  });
});

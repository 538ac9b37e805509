import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base, ingest, messages, places, triples } from './ingest-source.js';

const prefixes = `@prefix tg: <https://w3id.org/toolgraph/ns#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix schema: <https://schema.org/> .
@prefix tool: <${base}tool/> .
@prefix skill: <${base}skill/> .
`;

/** A Tool in Turtle; `more` are further statements about it. */
const toolText = (id: string, more = ''): string => `tool:${id} a tg:Tool ; dct:title "T" ;
  tg:invoke '{"shell":"true"}'^^rdf:JSON ;
  tg:inputs ( [ schema:name "x" ; tg:schema <urn:t:X> ; tg:arg [ tg:flag "-x" ] ] ) ;
  tg:satisfies skill:s ${more === '' ? '' : `; ${more}`} .
`;
const read = (text: string, settings: Parameters<typeof ingest>[2] = {}) =>
  ingest('graph/a.ttl', prefixes + text, settings);
const subjects = (document: Awaited<ReturnType<typeof ingest>>) =>
  [...new Set(document.quads.map(({ subject }) => subject.value.replace(base, '')))].sort();

describe('A document in an RDF format', () => {
  it('gives its triples in the graph of the document, without nodes that have no IRI', async () => {
    const document = await read(toolText('a'));
    expect(document).toMatchObject({ kind: 'nodes', diagnostics: [], broken: [] });
    expect(document.pointers).toEqual(new Map());
    expect(subjects(document)).toEqual(['tool/a', 'tool/a/input/x', 'tool/a/input/x/arg', 'tool/a/input/x/cell']);
    expect(new Set(document.quads.map(({ graph }) => graph.value))).toEqual(new Set([`${base}document/graph/a.ttl`]));
  });

  it('has a triple once that is in two of its graphs', async () => {
    const twice = `<urn:g> { tool:a tg:arg _:x . _:x tg:flag "-x" }\n<urn:h> { tool:a tg:arg _:x . _:x tg:flag "-x" }`;
    const document = await ingest('graph/a.trig', prefixes + twice);
    const once = await ingest('graph/a.trig', `${prefixes}{ tool:a tg:arg [ tg:flag "-x" ] }`);
    expect(triples(document)).toEqual(triples(once));
    expect(document.quads).toHaveLength(2);
  });

  it('has its JSON literals in JCS and its language tags in lower case', async () => {
    const document = await read(
      `tool:a tg:invoke '{ "b": 1.50e1, "a": "\\\\u00e9" }'^^rdf:JSON ; dct:title "x"@en-GB .`,
    );
    expect(triples(document)).toContain('tool/a invoke "{\\"a\\":\\"é\\",\\"b\\":15}"');
    expect(document.quads.map(({ object }) => object)).toContainEqual(expect.objectContaining({ language: 'en-gb' }));
  });

  it('has short names for nodes without IRI along a chain of thousands', async () => {
    const chain = Array.from({ length: 5000 }, (_, i) => `_:n${i} <urn:p> _:n${i + 1} .`).join('\n');
    const document = await read(`tool:a <urn:p> _:n0 .\n${chain}`);
    const names = document.quads.map(({ subject }) => subject.value);
    expect(new Set(names).size).toBe(5001);
    expect(Math.max(...names.map((name) => name.length))).toBeLessThan(1200);
  });

  it('may describe types under any IRI', async () => {
    const type = `<https://example.org/t#/$defs/A> a tg:Type ; tg:jsonSchema '{"type":"string"}'^^rdf:JSON .`;
    expect(await read(type)).toMatchObject({ diagnostics: [], broken: [], quads: { length: 2 } });
  });

  it('describes the Tools of a harness in our vocabulary too', async () => {
    const text = `@prefix h: <https://example.org/cat-harness/ns#> .
<https://example.org/g#tool/x> a h:Tool ; <http://www.w3.org/2000/01/rdf-schema#label> "x", "The X" ;
  dct:description "Does x." ; h:invoke '{"shell":"x"}'^^rdf:JSON ; h:io '{}'^^rdf:JSON ;
  h:satisfies <https://example.org/g#skill/s> .`;
    const document = await read(text, { folderKind: 'export' });
    expect(document.diagnostics).toEqual([]);
    expect(document.derived?.map(({ object }) => object.value)).toContain('https://w3id.org/toolgraph/ns#Tool');
    const broken = await read(text.replace('"shell"', '"shel"'), { folderKind: 'export' });
    expect(broken.broken).toEqual(['https://example.org/g#tool/x']);
    expect(messages(broken)[0]).toContain('did you mean "shell"?');
  });
});

describe('A document in an RDF format that cannot be read', () => {
  const types = ['ttl', 'trig', 'nt', 'nq'];

  it.each(types)('has the line of its syntax error: .%s', async (type) => {
    const document = await ingest(`graph/a.${type}`, `<${base}tool/a> <urn:p> "x" .\n# comment\n<urn:x> oops .\n`);
    expect(places(document)).toEqual([['unreadable', 3, 9]]);
    expect(document).toMatchObject({ quads: [], broken: 'all' });
  });

  it.each(types)('G8: one BOM and CRLF are fine, and UTF-16 is a clear error: .%s', async (type) => {
    const text = `# first\n<${base}x> <urn:p> "x" .\n`;
    const document = await ingest(`graph/a.${type}`, `\ufeff${text.replaceAll('\n', '\r\n')}`);
    expect(document.diagnostics).toEqual([]);
    expect(document.quads).toEqual((await ingest(`graph/a.${type}`, text)).quads);
    const wide = await ingest(`graph/a.${type}`, Buffer.from(`\ufeff${text}`, 'utf16le'));
    expect(messages(wide)).toEqual([expect.stringContaining('UTF-16')]);
    expect(wide).toMatchObject({ kind: 'nodes', quads: [], broken: 'all' });
  });

  it.each(['', '# nothing\n', '@prefix x: <urn:> .\n', '{}'])('holds no triple: %j', async (text) => {
    const document = await ingest('graph/a.trig', text);
    expect(document).toMatchObject({ diagnostics: [{ code: 'invalid-node' }], quads: [], broken: 'all' });
    expect(messages(document)[0]).toContain('no triple');
  });

  it('is larger, or holds more nodes, than the limits', async () => {
    const large = await read(toolText('a'), { limits: { bytes: 100 } });
    expect(messages(large)).toEqual([expect.stringContaining('at most 100 are read')]);
    const many = await read(['a', 'b', 'c'].map((id) => toolText(id)).join(''), { limits: { nodes: 2 } });
    expect(messages(many)).toEqual([expect.stringContaining('3 nodes of a class; at most 2')]);
    const flat = Array.from({ length: 101 }, (_, i) => `<${base}x${i}> <urn:p> 1 .`).join('\n');
    expect(messages(await read(flat, { limits: { nodes: 2 } }))).toEqual([expect.stringContaining('at most 100')]);
    expect((await read(flat, { limits: { nodes: 3 } })).diagnostics).toEqual([]);
  });
});

describe('A subject with which something is wrong', () => {
  it.each([
    [
      'tg:invok 1',
      'unknown property <https://w3id.org/toolgraph/ns#invok>; did you mean <https://w3id.org/toolgraph/ns#invoke>?',
    ],
    [
      'tg:title "x"',
      'unknown property <https://w3id.org/toolgraph/ns#title>; did you mean <http://purl.org/dc/terms/title>?',
    ],
    ['tg:remedies [ ]', 'did you mean <https://w3id.org/toolgraph/ns#remedy>?'],
    ['tg:zzzzzzzz 1', 'use a term of the vocabulary, or of a namespace of your own'],
    [
      'a tg:Tol',
      'unknown class <https://w3id.org/toolgraph/ns#Tol>; did you mean <https://w3id.org/toolgraph/ns#Tool>?',
    ],
    ['a <urn:x\u00a0y>', 'is no IRI'],
    ['<urn:x\u00a0y> 1', 'is no IRI'],
    [`tg:when '{"a":1,}'^^rdf:JSON`, 'the JSON literal of <https://w3id.org/toolgraph/ns#when>'],
    [`tg:when '{"a":{"__proto__":1}}'^^rdf:JSON`, '/a/__proto__: the key "__proto__" is reserved'],
    [`tg:when '{"a":1,"\\\\u0061":2}'^^rdf:JSON`, 'an object has one key twice'],
    [`tg:when '{"a":"\\\\ud800"}'^^rdf:JSON`, 'half a surrogate pair'],
    [`tg:when '${'['.repeat(65)}${']'.repeat(65)}'^^rdf:JSON`, 'nested deeper than 64 levels'],
    [`tg:when '[1e400]'^^rdf:JSON`, 'the number is too large'],
  ])('G2, G6: is named, and the others are kept: %s', async (more, message) => {
    const document = await read(toolText('bad', more) + toolText('good'));
    expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', subject: `${base}tool/bad` }]);
    expect(messages(document)[0]).toContain(message);
    expect(messages(document)[0]).not.toMatch(/[\r\n]/);
    expect(document.broken).toEqual([`${base}tool/bad`]);
    expect(document.quads).toEqual((await read(toolText('good'))).quads);
  });

  it('keeps a node without IRI that another subject leads to as well', async () => {
    const document = await read(
      'tool:bad tg:x _:n . skill:s tg:arg _:n . _:n tg:flag "-x" ; tg:arg [ tg:flag "-y" ] .',
    );
    expect(document.broken).toEqual([`${base}tool/bad`]);
    expect(subjects(document)).toHaveLength(3);
    expect(triples(document).filter((triple) => triple.includes('flag'))).toHaveLength(2);
  });

  it('that has no IRI makes it unknown which node is meant, and is called by its place', async () => {
    const document = await read(toolText('a', 'tg:remedy [ tg:hots "x" ]') + toolText('b'));
    expect(document.diagnostics).toMatchObject([{ subject: `${base}tool/a/remedy/0` }]);
    expect(document).toMatchObject({ quads: [], broken: 'all' });
  });

  it('leaves nothing when its IRI is none and another subject refers to it', async () => {
    const named = `<${base}skill/x\u00a0y>`;
    const document = await read(`${named} <urn:p> 1 .\n${toolText('a', `tg:satisfies ${named}`)}`);
    expect(messages(document)).toEqual([expect.stringContaining('is no IRI')]);
    expect(document).toMatchObject({ quads: [], broken: 'all' });
  });

  // With a look at all quads for each fault, or a round over all nodes for each of a chain, these take minutes.
  it.each([
    ['about a subject outside the instance', (i: number) => `<a:${i}> <a:p> "" .`, 101],
    ['with an object that is no IRI', (i: number) => `<${base}a> <a:p> <a:\u0085${i}> .`, 101],
    ['that continues a chain of blank nodes', (i: number) => `_:b${i} <a:p> _:b${i + 1} .`, 0],
  ])('is told in a time that grows with the document: 60,000 statements, each %s', async (_, line, findings) => {
    const text = Array.from({ length: 60_000 }, (_item, i) => line(i)).join('\n');
    expect((await read(`${text}\n`)).diagnostics).toHaveLength(findings);
  });
});

describe('G3: the base of a document', () => {
  it.each([
    ['@base <http://evil/> .\n<tool/a> a <https://w3id.org/toolgraph/ns#Tool> .', 'http://evil/tool/a'],
    ['BASE <http://evil/>\n<../other> <urn:p> 1 .', 'http://evil/other'],
    ['<http://evil/> <urn:p> 1 .', 'http://evil/'],
  ])('cannot take over ids: %j', async (text, iri) => {
    const document = await ingest('graph/a.ttl', text);
    expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', subject: iri }]);
    expect(messages(document)[0]).toContain('lies outside this instance');
    expect(document).toMatchObject({ quads: [], broken: [iri] });
    expect((await ingest('graph/a.ttl', text, { allowIris: ['http://evil/'] })).diagnostics).toEqual([]);
  });

  it('is none: a relative IRI is refused, with its place', async () => {
    const document = await read('<tool/a> a tg:Tool .');
    expect(places(document)).toEqual([['unreadable', 7, 1]]);
    expect(messages(document)).toEqual(['the IRI <tool/a> is relative; write an absolute IRI']);
  });

  it('does not make a Tool what has the IRI of another', async () => {
    const document = await read(toolText('a', 'dct:identifier "b"'));
    expect(messages(document)[0]).toContain('make the two agree');
    expect(document.broken).toEqual([`${base}tool/a`]);
  });
});

describe('Any text in an RDF format', () => {
  const token = fc.constantFrom(
    ...[
      'tool:a',
      'tg:inputs',
      'tg:invok',
      'a',
      'tg:Tool',
      '<urn:x>',
      '<x>',
      `<${base}x>`,
      '_:b',
      '_:c',
      '[',
      ']',
      '(',
      ')',
      '{',
      '}',
    ],
    ...[
      ';',
      ',',
      '.',
      '"x"',
      "'{}'^^rdf:JSON",
      "'{'^^rdf:JSON",
      '"x"@en',
      '1',
      'true',
      '<<',
      '@base <urn:y> .',
      'GRAPH',
      '~',
      '^^',
      '\n',
    ],
  );

  it('gives quads or a finding in one line, and no node without IRI', async () => {
    const text = fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join(' '));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('ttl', 'trig', 'nt', 'nq'),
        fc.boolean(),
        text,
        async (type, prefixed, content) => {
          const document = await ingest(`graph/a.${type}`, (prefixed ? prefixes : '') + content);
          expect(document.quads.length + document.diagnostics.length).toBeGreaterThan(0);
          for (const { code, message } of document.diagnostics) {
            expect(code, message).not.toBe('internal-error');
            expect(message).not.toMatch(/[\r\n]/);
          }
          if (document.broken.length > 0) expect(document.diagnostics).not.toEqual([]);
          for (const { subject, object } of document.quads) {
            expect([subject.termType, object.termType]).not.toContain('BlankNode');
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

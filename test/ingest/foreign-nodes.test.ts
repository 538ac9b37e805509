import type { Quad } from '@rdfjs/types';
import fc from 'fast-check';
import { canonize } from 'rdf-canonize';
import { describe, expect, it } from 'vitest';
import type { IngestedDocument } from '../../src/ingest/document.js';
import { Findings } from '../../src/ingest/findings.js';
import { describeForeign } from '../../src/ingest/foreign-nodes.js';
import type { PlainQuad, PlainTerm } from '../../src/ingest/quad.js';
import { classes, contextIri, propertyIri, rdf } from '../../src/store/vocabulary.js';
import { toolDocument } from '../store/tool-arbitrary.js';
import { exportBase, exportIri, harness, harnessContext, harnessExport, harnessTool } from './harness-export.js';
import { base, ingest, messages, tool } from './ingest-source.js';

const path = 'harness/graph.jsonld';
const iri = `${exportBase}tool/readme-sync`;
const asExport = { folderKind: 'export' as const };
const read = (content: object, settings: { base?: string } = { base: exportBase }) =>
  ingest(path, content, { ...asExport, ...settings });

/** The quads without their graph, canonicalised (RDFC-1.0). */
async function canonical(quads: readonly Quad[] = []): Promise<string> {
  const graph = { termType: 'DefaultGraph', value: '' };
  const dataset = quads.map(({ subject, predicate, object }) => ({ subject, predicate, object, graph }));
  return canonize(dataset, { algorithm: 'RDFC-1.0', format: 'application/n-quads' });
}

async function plainForm(node: object): Promise<string> {
  const document = await ingest('graph/tools/a.json', node, { base: exportBase });
  expect(document.diagnostics).toEqual([]);
  return canonical(document.quads);
}

function derivedObjects(document: IngestedDocument, key: string): string[] {
  const found = (document.derived ?? []).filter(({ predicate }) => predicate.value === propertyIri(key));
  return found.map(({ object }) => object.value).sort();
}

const full = tool({
  version: '1.2.0',
  tier: 'deprecated',
  deprecated: { reason: 'old', replacedBy: 'other' },
  effect: 'write',
  idempotent: true,
  openWorld: false,
  requiresConfirmation: true,
  install: { none: true },
  requires: { os: ['linux'], network: false },
  when: { exists: ['package.json'] },
  limits: { timeoutMs: 1000 },
  alternativeTo: ['other'],
  remedies: [
    { host: 'a.example', tool: 'other' },
    { host: 'b.example', none: 'no' },
  ],
  maintains: [{ source: 'src/x', artefact: 'docs/x.html' }],
  renders: ['kind'],
  subprocesses: ['one', 'two'],
});

describe("A Tool of a harness's export", () => {
  it.each([
    ['with every key', full],
    ['with the keys that it needs', tool()],
    ['with its title equal to its id', tool({ title: 'readme-sync' })],
  ])('is described in our vocabulary as the plain form is, %s', async (_, plain) => {
    const document = await read(harnessExport(harnessTool(plain)));
    expect(messages(document)).toEqual([]);
    expect(document.broken).toEqual([]);
    expect(await canonical(document.derived)).toBe(await plainForm(plain));
    expect(new Set(document.derived?.map(({ graph }) => graph.value))).toEqual(
      new Set([`${exportBase}derived/harness/graph.jsonld`]),
    );
  });

  it('is described as the plain form is, for any Tool', async () => {
    await fc.assert(
      fc.asyncProperty(toolDocument, async (plain) => {
        const document = await read(harnessExport(harnessTool({ ...plain })));
        expect(messages(document)).toEqual([]);
        expect(await canonical(document.derived)).toBe(await plainForm(plain));
      }),
      { numRuns: 40 },
    );
  });

  it('leaves the quads of the document as they are written, in its own graph', async () => {
    const node = { ...harnessTool(tool()), 'ns:mood': 'calm' };
    const { quads } = await read(harnessExport(node));
    expect(quads.map(({ predicate }) => predicate.value)).toContain(`${harness}mood`);
    expect(quads.map(({ object }) => object.value)).not.toContain(classes.Tool);
    expect(new Set(quads.map(({ graph }) => graph.value))).toEqual(
      new Set([`${exportBase}document/harness/graph.jsonld`]),
    );
  });

  it.each([
    ['https://other.example/cat-harness/ns#', true],
    ['https://other.example/x/cat-harness/2.0/ns#', true],
    ['urn:cat-harness/ns#', true],
    ['https://other.example/cat-harness/1/2/ns#', false],
    ['https://other.example/my-cat-harness/ns#', false],
    ['https://other.example/ns#', false],
  ])('is known by its class in the namespace %s: %s', async (namespace, known) => {
    const document = await read({
      ...harnessExport(harnessTool(tool())),
      '@context': { ...harnessContext, ns: namespace },
    });
    expect(document.diagnostics).toEqual([]);
    expect(document.derived !== undefined).toBe(known);
    if (known) expect(await canonical(document.derived)).toBe(await plainForm(tool()));
  });

  it('has names that it gives as text or in a JSON literal in the place that its own IRI has', async () => {
    const plain = { ...full, satisfies: ['docs-generation'] };
    const node = { ...harnessTool(plain), satisfies: undefined, 'ns:satisfies': 'docs-generation' };
    const document = await read(harnessExport(node), { base });
    expect(messages(document)).toEqual([]);
    expect(derivedObjects(document, 'satisfies')).toEqual([`${exportBase}skill/docs-generation`]);
    expect(derivedObjects(document, 'tool')).toEqual([`${exportBase}tool/other`]);
  });

  it.each([
    ['schema:description', 'https://schema.org/description'],
    ['rdfs:comment', 'http://www.w3.org/2000/01/rdf-schema#comment'],
    ['its own', `${harness}description`],
    ['summary', `${harness}summary`],
  ])('may have its description as %s, and its title as dcterms:title', async (_, property) => {
    const { description, label, ...node } = harnessTool(tool());
    const title = { 'http://purl.org/dc/terms/title': tool().title };
    const document = await read(harnessExport({ ...node, ...title, label: 'readme-sync', [property]: description }));
    expect(messages(document)).toEqual([]);
    expect(await canonical(document.derived)).toBe(await plainForm(tool()));
  });

  it('may have a tier that is an IRI, and sets as JSON literals', async () => {
    const plain = tool({ tier: 'experimental', renders: ['a', 'b'] });
    const { 'ns:tier': _, 'ns:renders': renders, ...node } = harnessTool(plain);
    const more = { 'ns:tier': { '@id': 'ns:experimental' }, 'ns:renders': { '@type': '@json', '@value': renders } };
    const document = await read(harnessExport({ ...node, ...more }));
    expect(messages(document)).toEqual([]);
    expect(await canonical(document.derived)).toBe(await plainForm(plain));
  });

  it('need not have an id of our pattern: P1 makes a legal name of it', async () => {
    for (const id of ['A.b', 'ä b', 'x'.repeat(200), '9']) {
      const document = await read(harnessExport(harnessTool(tool({ id }))), { base });
      expect(messages(document)).toEqual([]);
      expect(derivedObjects(document, 'id')).toEqual([id]);
    }
  });

  it('that the same document types in our vocabulary too is described once, there', async () => {
    const own = { '@context': contextIri, '@id': iri, '@type': 'Tool', ...tool() };
    const foreign = { '@context': harnessContext, ...harnessTool(tool()) };
    const document = await read([own, foreign]);
    expect(messages(document)).toEqual([]);
    expect(document.derived).toBeUndefined();
  });

  it('is a skill where its class is Skill', async () => {
    const skill = (label: unknown) => ({ '@id': `${exportIri}#skill/docs`, '@type': 'Skill', label, description: 'D' });
    for (const [label, title] of [
      [['docs', 'Docs'], { title: 'Docs' }],
      ['docs', {}],
    ] as const) {
      const document = await read(harnessExport(skill(label)));
      expect(messages(document)).toEqual([]);
      const plain = await ingest(
        'graph/skills/a.json',
        { name: 'docs', description: 'D', ...title },
        { base: exportBase },
      );
      expect(await canonical(document.derived)).toBe(await canonical(plain.quads));
    }
  });
});

describe("What is wrong with a harness's Tool", () => {
  const literal = (text: string) => ({ '@type': rdf.JSON, '@value': text });
  const changed = (changes: Record<string, unknown>) =>
    harnessExport(harnessTool(tool({ id: 'fine' })), { ...harnessTool(tool()), ...changes });

  it.each([
    ['an unknown key', { io: { inputs: [{ name: 'a', schema: 'urn:s', requird: true }] } }, 'did you mean "required"?'],
    ['no invoke', { invoke: undefined }, 'invoke: required, but missing: expected an object'],
    ['two titles', { label: ['readme-sync', 'One', 'Two'] }, 'title: two different values, "One" and "Two"; keep one'],
    ['no label', { label: undefined }, 'title: required, but missing: expected a string'],
    ['an unknown tier', { 'ns:tier': 'beta' }, 'tier: expected one of "stable"'],
    ['a node as a value', { 'ns:tier': { 'ns:x': 1 } }, 'tier: expected a literal, an IRI or a JSON literal'],
    ['another id', { 'ns:id': 'other' }, 'id: expected "readme-sync", which the IRI says, found "other"'],
    ['a relative name', { 'ns:satisfies': 'a/b' }, 'expected the name of a skill or an absolute IRI, found "a/b"'],
    ['text for JSON', { io: 'text' }, 'io: expected an object, found "text"'],
    ['JSON that ends early', { 'ns:io': literal('{"inputs": [') }, 'io: the JSON ends too early'],
    [
      'a reserved key',
      { 'ns:limits': literal('{"__proto__": 1}') },
      'limits/__proto__: the key "__proto__" is reserved',
    ],
    ['a key given twice', { 'ns:limits': literal('{"a": 1, "a": 2}') }, 'limits: an object has one key twice'],
    ['deep JSON', { 'ns:downstream': literal('['.repeat(9999) + ']'.repeat(9999)) }, 'downstream: nested deeper'],
  ])('is told with its subject and place, and the others are described: %s', async (_, changes, words) => {
    const document = await read(changed(changes));
    expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', subject: iri, pointer: '/@graph/1' }]);
    expect(document.diagnostics[0]?.line).toBeGreaterThan(1);
    expect(messages(document)).toEqual([expect.stringContaining(words)]);
    expect(document.broken).toEqual([iri]);
    expect(derivedObjects(document, 'id')).toEqual(['fine']);
    expect(document.quads.map(({ subject }) => subject.value)).toContain(iri);
  });

  it('is told where its IRI has no name, or another spelling of it than ours', async () => {
    const at = (id: string | undefined) => harnessExport({ ...harnessTool(tool()), '@id': id });
    const unnamed = await read(at('https://harness.example/graph.jsonld#x'));
    expect(messages(unnamed)).toEqual([expect.stringContaining('expected an IRI that ends in #tool/<id>')]);
    const escaped = await read(at(`${exportBase}tool/%72eadme-sync`));
    expect(messages(escaped)).toContainEqual(expect.stringContaining(`expected <${iri}> as the IRI`));
    const blank = await read(at(undefined));
    expect(messages(blank)).toEqual([expect.stringContaining('expected an IRI that ends in #tool/<id>')]);
    expect(blank.broken).toBe('all');
  });

  it('has the place of a node inside another, and of one whose IRI is written in another way', async () => {
    const wrong: Record<string, unknown> = { ...harnessTool(tool()), io: 5 };
    const nested = { '@id': exportIri, 'ns:tools': [{ 'ns:rank': 1, ...wrong }] };
    expect((await read(harnessExport(nested))).diagnostics).toMatchObject([{ pointer: '/@graph/0/ns:tools/0' }]);
    const { '@id': _, ...rest } = wrong;
    const context = { ...harnessContext, here: exportBase, id: '@id' };
    const aliased = await read({ '@context': context, '@graph': [{ ...rest, id: 'here:tool/readme-sync' }] });
    expect(aliased.diagnostics).toMatchObject([{ pointer: '/@graph/0', subject: iri }]);
  });
});

describe('describeForeign', () => {
  const term = (value: string): PlainTerm => ({ termType: 'NamedNode', value });
  const text = (value: string): PlainTerm => ({
    termType: 'Literal',
    value,
    datatype: term('http://www.w3.org/2001/XMLSchema#string'),
  });
  const json = (value: unknown): PlainTerm => ({
    termType: 'Literal',
    value: JSON.stringify(value, null, 2),
    datatype: term(rdf.JSON),
  });
  const about = (key: string, object: PlainTerm): PlainQuad => ({
    subject: term(iri),
    predicate: term(key.includes(':') ? key : harness + key),
    object,
  });
  const { io, invoke, title, description } = tool();
  const quads = [
    about(rdf.type, term(`${harness}Tool`)),
    about('http://www.w3.org/2000/01/rdf-schema#label', text(String(title))),
    about('description', text(String(description))),
    about('io', json(io)),
    about('invoke', json(invoke)),
    about('satisfies', term(`${exportBase}skill/docs-generation`)),
  ];
  const describeIn = (given: readonly PlainQuad[], findings = new Findings('g.ttl')) =>
    describeForeign(given, { path: 'g.ttl', base: exportBase }, findings);

  it('takes the quads of any form, in any order, with JSON in any spelling', async () => {
    for (const given of [quads, quads.toReversed()]) {
      const findings = new Findings('g.ttl');
      const { derived, broken } = await describeIn(given, findings);
      expect(findings.list()).toEqual([]);
      expect(broken).toEqual([]);
      expect(await canonical(derived)).toBe(await plainForm(tool()));
    }
  });

  it('tells the subject, and no pointer, where the document is no JSON', async () => {
    const findings = new Findings('g.ttl');
    expect(await describeIn(quads.slice(0, 5), findings)).toEqual({ derived: [], broken: [iri] });
    expect(findings.list()).toMatchObject([{ subject: iri, message: expect.stringContaining('satisfies: required') }]);
    expect(findings.list()[0]).not.toHaveProperty('pointer');
  });
});

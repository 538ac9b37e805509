import fc from 'fast-check';
import jsonld from 'jsonld';
import { Parser } from 'n3';
import { describe, expect, it } from 'vitest';
import { SkillSchema } from '../../schemas/skill.js';
import { ToolDocumentSchema } from '../../schemas/tool.js';
import { toolRules } from '../../schemas/tool-rules.js';
import { ViewSchema } from '../../schemas/view.js';
import { shaclLimits } from '../../scripts/shacl-limits.js';
import { renderShapes } from '../../scripts/shacl-shapes.js';
import { lift } from '../../src/store/lift.js';
import { skillIri } from '../../src/store/node-iri.js';
import { buildContext } from '../../src/store/vocabulary.js';
import { base, ingest } from '../ingest/ingest-source.js';
import { toolDocument } from '../store/tool-arbitrary.js';
import { smallTool, toolNode } from '../store/tool-quads.js';
import { broken } from './node-breakage.js';
import { conforms } from './shacl-verdict.js';

type Node = Record<string, unknown>;

/** Whether the service, whose last word is Zod's, takes the nodes of a document of RDF, and whether the shapes do. */
async function verdicts(text: string, path = 'graph/node.ttl'): Promise<{ service: boolean; shapes: boolean }> {
  const { quads, diagnostics } = await ingest(path, text, { allowIris: ['urn:x:'] });
  const { tools, skills, broken: unfit } = lift(quads, base, path, new Map());
  const service = diagnostics.length === 0 && unfit.length === 0 && tools.length + skills.length > 0;
  // What ingest refuses it does not give, so the shapes judge what is written.
  return { service, shapes: await conforms(diagnostics.length === 0 ? quads : new Parser().parse(text)) };
}

async function verdictsOf(node: Node): Promise<{ service: boolean; shapes: boolean }> {
  const { '@context': context } = buildContext();
  const options = { format: 'application/n-quads', safe: true } as const;
  return verdicts(String(await jsonld.toRDF({ '@context': context, ...node } as object, options)), 'graph/node.nq');
}

/** Of a Tool that breaks a rule across fields nothing else is wrong (the limit `rules`). */
function breaksRule(node: Node): boolean {
  const { data } = ToolDocumentSchema.safeParse(node);
  return data !== undefined && toolRules(data).length > 0;
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
const slug = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/);
const skill = fc.record({ name: slug, title: text, description: text }, { requiredKeys: ['name'] });
const parameter = fc.record(
  { name: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,9}$/), schema: fc.constant('urn:x:y'), required: fc.boolean() },
  { requiredKeys: ['name', 'schema'] },
);
const view = fc
  .record(
    {
      id: slug,
      title: text,
      description: text,
      tier: fc.constantFrom('stable', 'internal'),
      query: text,
      parameters: fc.uniqueArray(parameter, { selector: ({ name }) => name, maxLength: 3 }),
    },
    { requiredKeys: ['id', 'title', 'description', 'query'] },
  )
  .map((node): Node => ({ '@id': `${base}view/${node.id}`, '@type': 'View', ...node }));
const skillNode = skill.map((node): Node => ({ '@id': skillIri(base, node.name), '@type': 'Skill', ...node }));
const toolDocumentNode = toolDocument.map((tool): Node => toolNode(tool));

const runs = { numRuns: 150 };

describe('Zod and the shapes agree', () => {
  it('on Tools, skills and views that are right', async () => {
    const property = fc.asyncProperty(toolDocumentNode, skillNode, view, async (...nodes) => {
      const { quads, diagnostics } = await ingest('graph/nodes.json', { '@graph': nodes });
      expect(diagnostics).toEqual([]);
      expect(lift(quads, base, 'graph/nodes.json', new Map())).toMatchObject({ tools: [{}], skills: [{}], broken: [] });
      expect(ViewSchema.safeParse(nodes[2]).success).toBe(true);
      expect(await conforms(quads)).toBe(true);
    });
    await fc.assert(property, { numRuns: 60 });
  }, 60_000);

  it('on Tools and skills with a value that is wrong: in the source, in the graph, and by the shapes', async () => {
    const wrong = fc
      .oneof({ arbitrary: toolDocumentNode, weight: 5 }, skillNode)
      .chain((node) => broken(node, 'changed'));
    const property = fc.asyncProperty(wrong, async ({ node }) => {
      fc.pre(!breaksRule(node));
      const schema = node['@type'] === 'Tool' ? ToolDocumentSchema : SkillSchema;
      expect(schema.safeParse(node).success).toBe(false);
      expect(await verdictsOf(node)).toEqual({ service: false, shapes: false });
    });
    await fc.assert(property, runs);
  }, 60_000);

  it('on Tools and skills with a key left out, required or not', async () => {
    const less = fc
      .oneof({ arbitrary: toolDocumentNode, weight: 5 }, skillNode)
      .chain((node) => broken(node, 'left out'));
    const property = fc.asyncProperty(less, async ({ node }) => {
      fc.pre(!breaksRule(node) || node.description === undefined);
      const { service, shapes } = await verdictsOf(node);
      expect(shapes).toBe(service);
    });
    await fc.assert(property, runs);
  }, 60_000);

  it('on views with a value that is wrong or left out', async () => {
    const changed = view.chain((node) => fc.oneof(broken(node, 'changed'), broken(node, 'left out')));
    const property = fc.asyncProperty(changed, async ({ node }) => {
      fc.pre(node.id !== undefined);
      expect((await verdictsOf(node)).shapes).toBe(ViewSchema.safeParse(node).success);
    });
    await fc.assert(property, runs);
  }, 60_000);

  const { io, ...rest } = smallTool('a');
  const port = (n: number) => ({ name: `p${n}`, schema: 'urn:x:y' });
  const many = (count: number) => Array.from({ length: count }, (_, n) => `urn:x:${n}`);
  it.each<[string, boolean, Node]>([
    ['100 inputs', true, { ...rest, io: { inputs: Array.from({ length: 100 }, (_, n) => port(n)) } }],
    ['101 inputs', false, { ...rest, io: { inputs: Array.from({ length: 101 }, (_, n) => port(n)) } }],
    ['1000 skills', true, { ...rest, io, satisfies: many(1000) }],
    ['1001 skills', false, { ...rest, io, satisfies: many(1001) }],
    ['no skill', false, { ...rest, io, satisfies: [] }],
    ['no ports', true, { ...rest, io: {} }],
    [
      'no id, which the IRI gives',
      true,
      Object.fromEntries(Object.entries({ ...rest, io }).filter(([key]) => key !== 'id')),
    ],
  ])('on a Tool with %s', async (_, isRight, node) => {
    const whole = { '@id': `${base}tool/a`, '@type': 'Tool', ...node, satisfies: withSkills(node.satisfies) };
    expect(await verdictsOf(whole)).toEqual({ service: isRight, shapes: isRight });
  });

  it.each([
    ['is whole', '( <urn:x:p> )', true],
    ['does not end in rdf:nil', '[ rdf:first <urn:x:p> ; rdf:rest <urn:x:end> ]', false],
    ['has a cell without an item', '[ rdf:rest rdf:nil ]', false],
    ['forks', '[ rdf:first <urn:x:p> ; rdf:rest rdf:nil , ( <urn:x:p> ) ]', false],
    ['comes back to itself', '<urn:x:cell> . <urn:x:cell> rdf:first <urn:x:p> ; rdf:rest <urn:x:cell>', false],
    ['is a text', '"p"', false],
  ])('on a list that %s', async (_, list, isRight) => {
    const text = turtle(`tg:inputs ${list} . <urn:x:p> schema:name "p" ; tg:schema <urn:x:y>`);
    expect(await verdicts(text)).toEqual({ service: isRight, shapes: isRight });
  });

  it.each(['"{}"', '"{}"@en', '<urn:x:y>'])('on %s where a JSON literal belongs', async (term) => {
    expect(await verdicts(turtle('', term))).toEqual({ service: false, shapes: false });
  });
});

describe('Zod and the shapes differ', () => {
  const examples: Readonly<Record<string, string>> = {
    json: turtle('', '"{\\"shel\\":\\"x\\"}"^^rdf:JSON'),
    rules: turtle('tg:deprecated "{}"^^rdf:JSON'),
    name: turtle('dcterms:identifier "b"'),
    reference: turtle(`tg:alternativeTo <${base}tool/${'x'.repeat(1025)}>`),
    foreign: turtle('dcterms:identifier "No. 1"').replaceAll(`${base}tool/a`, 'urn:x:tool/a'),
    term: turtle('tg:tier "stable"@en'),
    twice: turtle('dcterms:title "Title"@en'),
  };

  it.each(shaclLimits)('in $id, where the $accepts accept(s) it', async ({ id, accepts }) => {
    expect(await verdicts(examples[id] ?? '')).toEqual({
      shapes: accepts === 'shapes',
      service: accepts === 'service',
    });
  });

  it('in nothing else that is written down', () => {
    expect(shaclLimits.map(({ id }) => id).sort()).toEqual(Object.keys(examples).sort());
  });
});

it('the shapes are the same on every run, and leave a node open for other vocabularies', async () => {
  expect(renderShapes()).toBe(renderShapes());
  expect(renderShapes()).not.toContain('sh:closed');
  expect(await verdicts(turtle('<https://example.org/note> "more"'))).toEqual({ service: true, shapes: true });
});

/** A Tool `a` in Turtle with more statements, or with another value of `invoke`. */
function turtle(more: string, invoke = '"{\\"shell\\":\\"x\\"}"^^rdf:JSON'): string {
  const lines = [
    '@prefix tg: <https://w3id.org/toolgraph/ns#> .',
    '@prefix dcterms: <http://purl.org/dc/terms/> .',
    '@prefix schema: <https://schema.org/> .',
    '@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .',
    `<${base}tool/a> a tg:Tool ; dcterms:title "Title" ; dcterms:description "What it does" ; tg:invoke ${invoke} ;`,
    `  tg:satisfies <${base}skill/s> ; ${more} .`,
  ];
  return lines.join('\n');
}

function withSkills(satisfies: unknown): unknown {
  return Array.isArray(satisfies)
    ? satisfies.map((name) => (String(name).includes(':') ? name : skillIri(base, String(name))))
    : satisfies;
}

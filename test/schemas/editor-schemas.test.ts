import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { builtinTypeNodes } from '../../schemas/types.js';
import { projectFile } from '../repository/source-files.js';

type Schema = { readonly [keyword: string]: unknown };

const names = ['tool', 'skill', 'type-document', 'view', 'config'] as const;
const schemas = new Map(
  names.map((name) => [name, JSON.parse(projectFile(`schemas/generated/${name}.schema.json`)) as Schema]),
);

/** Every schema that stands for a property, at any depth, by its path. */
function properties(schema: unknown, path = ''): [string, Schema][] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]): [string, Schema][] => {
    if (['const', 'default', 'enum', 'examples', 'if', 'not', 'dependentSchemas', 'required'].includes(keyword))
      return [];
    if (keyword !== 'properties') return properties(value, Array.isArray(schema) ? path : `${path}/${keyword}`);
    return Object.entries(value as Schema).flatMap(([name, inner]) => {
      const at = `${path}/${name}`;
      return [[at, inner as Schema] as [string, Schema], ...properties(inner, at)];
    });
  });
}

function judge(name: (typeof names)[number]): (value: unknown) => boolean {
  const validate = new Ajv2020({ strict: false }).compile(schemas.get(name) ?? false);
  return (value) => validate(value) as boolean;
}

const node = {
  id: 'count-words',
  title: 'Count words',
  description: 'Counts the words of a text',
  invoke: { shell: 'wc -w' },
  io: {},
  satisfies: ['text-measure'],
};
const { description, ...withoutDescription } = node;

describe('The schemas for editors', () => {
  it.each(names)('have a description for every property, and for the whole: %s', (name) => {
    const schema = schemas.get(name);
    const found = properties(schema);
    expect(found.length).toBeGreaterThan(2);
    expect(schema).toMatchObject({ title: expect.any(String), description: expect.any(String) });
    const mute = found.filter(([, { description: words }]) => typeof words !== 'string' || words.length < 8);
    expect(mute.map(([path]) => path)).toEqual([]);
  });

  it.each(names)('give examples that are valid: %s', (name) => {
    const ajv = new Ajv2020({ strict: false });
    for (const [path, property] of properties(schemas.get(name))) {
      const examples = Array.isArray(property.examples) ? property.examples : [];
      const stated = 'default' in property ? [property.default] : [];
      const validate = ajv.compile(property);
      for (const value of [...examples, ...stated]) expect([path, value, validate(value)]).toEqual([path, value, true]);
    }
  });

  it('offer the built-in types for a port', () => {
    const found = new Map(properties(schemas.get('tool')));
    const offered = found.get('/io/inputs/items/schema')?.examples as string[];
    expect(offered.length).toBeGreaterThan(10);
    const known = new Set(builtinTypeNodes.map(({ iri }) => iri));
    expect(offered.filter((iri) => !known.has(iri))).toEqual([]);
  });

  it.each<[string, boolean, unknown]>([
    ['a plain node', true, node],
    ['the older name of the description', true, { ...withoutDescription, summary: description }],
    ['both names of the description', false, { ...node, summary: 'x' }],
    ['no description', false, withoutDescription],
    ['one spelling of the effect', true, { ...node, type: 'read' }],
    ['both spellings of the effect', false, { ...node, type: 'read', effect: 'read' }],
    ['deprecated with its tier', true, { ...node, tier: 'deprecated', deprecated: { reason: 'x' } }],
    ['deprecated without its tier', false, { ...node, deprecated: { reason: 'x' } }],
    ['deprecated with another tier', false, { ...node, tier: 'stable', deprecated: {} }],
    ['no arm', false, { ...node, invoke: {} }],
    ['only an mcp arm', false, { ...node, invoke: { mcp: { tool: 'x' } } }],
    ['mcp beside another arm', true, { ...node, invoke: { mcp: { tool: 'x' }, manual: true } }],
    ['a remedy with a tool', true, { ...node, remedies: [{ tool: 'x' }] }],
    ['a remedy with both', false, { ...node, remedies: [{ tool: 'x', none: 'y' }] }],
    ['a remedy with neither', false, { ...node, remedies: [{ host: 'x' }] }],
    ['an unknown key', false, { ...node, invok: {} }],
  ])('know of a Tool: %s', (_, isValid, value) => {
    expect(judge('tool')(value)).toBe(isValid);
  });

  it("accept this project's own nodes and config", () => {
    for (const id of ['generate-files', 'inspect-instance', 'release', 'run-tests', 'search-sources', 'word-count']) {
      expect([id, judge('tool')(JSON.parse(projectFile(`graph/tools/${id}.json`)))]).toEqual([id, true]);
    }
    expect(judge('config')(JSON.parse(projectFile('toolgraph.config.json')))).toBe(true);
    expect(judge('type-document')(JSON.parse(projectFile('graph/types/project-types.schema.json')))).toBe(true);
  });
});

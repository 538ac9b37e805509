import { describe, expect, it } from 'vitest';
import { analysePatterns } from '../../src/patterns/analyse.js';
import { project } from '../../src/projection/project.js';
import { registry, sampleNode, sampleTypes, typeIri, typesDocument, willingHost } from './sample-node.js';

type Outputs = NonNullable<Parameters<typeof sampleNode>[0]>['outputs'];

const types = registry({ ...sampleTypes, Deep: { type: 'object', properties: { x: { $ref: '#/$defs/AnyOf' } } } });
const patterns = new Set(['^[a-z][a-z0-9-]*$', '^(a+)+$', '^a$b']);

/** Projects one Tool with these outputs. */
async function projected(outputs: Outputs, fields: Parameters<typeof sampleNode>[0] = {}) {
  const tools = [sampleNode({ ...fields, ...(outputs && { outputs }) })];
  const verdicts = await analysePatterns(patterns);
  const options = { tiers: ['stable'] } as const;
  return project({ tools, types, verdicts, options, host: willingHost(tools), problems: [] });
}

async function entryOf(outputs: Outputs, fields: Parameters<typeof sampleNode>[0] = {}) {
  const { entries, problems } = await projected(outputs, fields);
  expect(problems).toEqual([]);
  const [entry] = entries.values();
  if (entry === undefined) throw new Error('not projected');
  return entry;
}

const text = { name: 'log', schema: typeIri('Text'), from: { stdout: 'text' } } as const;
const json = { name: 'slug', schema: typeIri('Slug'), from: { stdout: 'json', pointer: '/slug' } } as const;

describe('The outputSchema of a declaration (P6)', () => {
  it('has one property for each output, in their order, and requires those that are not stated to be optional', async () => {
    const outputs = [
      json,
      { ...text, description: 'What happened', required: false },
      { name: 'count', schema: typeIri('Count'), from: { stdout: 'json', pointer: '/n' }, required: true },
    ] as const;
    const { declaration, binding } = await entryOf([...outputs]);
    expect(JSON.stringify(declaration.outputSchema)).toBe(
      '{"type":"object","properties":{"slug":{"type":"string","pattern":"^[a-z][a-z0-9-]*$","description":"A slug"},' +
        '"log":{"type":"string","description":"What happened"},"count":{"type":"integer","minimum":0}},' +
        '"required":["slug","count"],"additionalProperties":false}',
    );
    expect(Object.keys(declaration)).toEqual(['name', 'title', 'description', 'inputSchema', 'outputSchema', '_meta']);
    expect(binding.outputs).toEqual([
      { name: 'slug', format: 'json', pointer: '/slug', required: true },
      { name: 'log', format: 'text', required: false },
      { name: 'count', format: 'json', pointer: '/n', required: true },
    ]);
  });

  it('has no "required" when all outputs are optional', async () => {
    const { declaration } = await entryOf([{ ...text, required: false }]);
    expect(JSON.stringify(declaration.outputSchema)).toBe(
      '{"type":"object","properties":{"log":{"type":"string"}},"additionalProperties":false}',
    );
  });

  it.each<[string, Outputs]>([
    ['there is no output', []],
    ['an output does not say where it comes from', [text, { name: 'prose', schema: typeIri('Text') }]],
    ['an output is the result of a function', [text, { ...text, name: 'result', from: { result: true } }]],
  ])('is left out, and stdout is not read, when %s', async (_, outputs) => {
    const { declaration, binding } = await entryOf(outputs);
    expect(declaration).not.toHaveProperty('outputSchema');
    expect(binding).not.toHaveProperty('outputs');
  });

  it.each(['AnyOf', 'Bare', 'Slow', 'Never', 'Deep'])(
    'never judges the type %s of an output that is prose',
    async (type) => {
      expect((await entryOf([text, { name: 'prose', schema: typeIri(type) }])).name).toBe('sample');
    },
  );

  it.each([
    ['AnyOf', 'unportable-schema', `the type AnyOf (${typesDocument}) at /anyOf: `],
    ['Deep', 'unportable-schema', `the type Deep (${typesDocument}) at /properties/x: it has no "type"`],
    ['Slow', 'unsafe-pattern', 'the pattern "^(a+)+$" of the type Slow can take exponential time'],
    ['Never', 'unportable-schema', 'the pattern "^a$b" of the type Never matches no string at all'],
    ['Nowhere', 'unresolved-schema', `no type document defines ${typeIri('Nowhere')}`],
  ])('P9, P18: is a problem when the type %s of an output that is read has none: %s', async (type, code, message) => {
    const prose = { name: 'prose', schema: typeIri('Text') };
    for (const from of [{ stdout: 'json' }, { result: true }] as const) {
      const { entries, problems } = await projected([prose, { name: 'it', schema: typeIri(type), from }]);
      expect(entries.size).toBe(0);
      expect(problems).toMatchObject([
        { code, message: expect.stringContaining(`output "it": ${message}`), pointer: '/io/outputs/1/schema' },
      ]);
    }
  });

  it.each(['__proto__', 'constructor', 'prototype'])(
    'is a problem when an output that is read is named %s',
    async (name) => {
      const { problems } = await projected([{ ...text, name }]);
      expect(problems).toMatchObject([
        { code: 'invalid-node', message: `output "${name}": this name is reserved; choose another` },
      ]);
      expect((await entryOf([{ name, schema: typeIri('Text') }])).declaration).not.toHaveProperty('outputSchema');
    },
  );

  it('is not judged for a Tool that can never be projected', async () => {
    const outputs: Outputs = [{ ...text, schema: typeIri('AnyOf') }];
    const { omissions } = await projected(outputs, { invoke: { manual: true } });
    expect(omissions).toMatchObject([{ code: 'manual-only' }]);
  });
});

describe('The definition digest (P17)', () => {
  const digest = async (outputs: Outputs) => (await entryOf(outputs)).declaration._meta['toolgraph/definition'];
  const prose = { name: 'prose', schema: typeIri('Text') };

  it('changes with where an output is read from, though its schema stays', async () => {
    const base = await digest([json]);
    expect(await digest([{ ...json, from: { stdout: 'json', pointer: '/name' } }])).not.toBe(base);
    expect(await digest([{ ...json, from: { stdout: 'json' } }])).not.toBe(base);
    expect(await digest([{ ...json, from: { stdout: 'text' } }])).not.toBe(base);
    expect(await digest([{ ...json, required: false }])).not.toBe(base);
  });

  it('does not change with outputs that nothing reads', async () => {
    const base = await digest([]);
    expect(await digest([prose])).toBe(base);
    expect(await digest([prose, json])).toBe(base);
  });
});

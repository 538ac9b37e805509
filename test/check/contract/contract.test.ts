import { describe, expect, it } from 'vitest';
import type { Json, JsonSchema } from '../../../schemas/declaration.js';
import type { ServedTier } from '../../../schemas/tool.js';
import { compareContract, type ToolContract } from '../../../src/check/contract/contract.js';
import type { ServerTool } from '../../../src/check/contract/server-tool.js';
import { type Diagnostic, problem } from '../../../src/diagnostic.js';
import type { PatternVerdicts } from '../../../src/patterns/verdict.js';
import type { ToolNode } from '../../../src/projection/node.js';
import { project } from '../../../src/projection/project.js';
import { registry, sampleNode, typeIri, willingHost } from '../../projection/sample-node.js';
import { checked } from '../checked-instance.js';
import { noAnswers } from './no-answers.js';

const types = registry({
  Text: { type: 'string' },
  Mode: { type: 'string', enum: ['fast', 'slow'] },
  Count: { type: 'integer', minimum: 0, maximum: 10 },
  Date: { type: 'string', format: 'date' },
  Code: { type: 'string', pattern: '^[a-z]+$', maxLength: 8 },
  List: { type: 'array', items: { type: 'string' } },
  Options: { type: 'object', properties: { deep: { type: 'boolean' } }, additionalProperties: false },
  Union: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
});

const verdicts: PatternVerdicts = new Map([['^[a-z]+$', { time: 'linear', argv: { kind: 'safe' } }]]);

interface Compared {
  readonly prefix?: string;
  readonly requireMcp?: boolean;
  readonly problems?: readonly Diagnostic[];
}

function compare(nodes: readonly ToolNode[], served: readonly ServerTool[], options: Compared = {}): ToolContract[] {
  const { prefix, requireMcp = false, problems = [] } = options;
  const tiers: ServedTier[] = ['stable'];
  const host = willingHost(nodes);
  const made = project({
    tools: nodes,
    types,
    problems,
    host,
    options: { tiers, ...(prefix === undefined ? {} : { prefix }) },
    verdicts,
  });
  const instance = checked({
    generation: { ...made, number: 1, key: 'k' },
    nodes,
    types,
    ...(prefix === undefined ? {} : { prefix }),
  });
  return [...compareContract(instance, served, { requireMcp, patterns: noAnswers }).tools];
}

/** On stdin, so that any type may be projected. */
function nodeWith(type: string, more: object = {}): ToolNode {
  return sampleNode({ inputs: [{ name: 'a', schema: typeIri(type), arg: { stdin: true }, ...more }] });
}

function closed(properties: JsonSchema, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

function codes(results: readonly ToolContract[]): string[] {
  return results.flatMap(({ drift }) => drift.map(({ code }) => code));
}

describe('The contract of a tool in both', () => {
  it.each<[string, ToolNode, Json]>([
    [
      'nothing',
      sampleNode(),
      { type: 'object', additionalProperties: false, $schema: 'http://json-schema.org/draft-07/schema#' },
    ],
    ['a type of one', nodeWith('Text'), closed({ a: { type: ['string'], description: 'another' } })],
    ['an enum', nodeWith('Mode'), closed({ a: { anyOf: [{ const: 'slow' }, { const: 'fast', title: 'F' }] } })],
    [
      'an integer',
      nodeWith('Count'),
      closed({ a: { type: 'number', multipleOf: 1, exclusiveMinimum: -1, maximum: 10 } }),
    ],
    ['a reference', nodeWith('Text'), { ...closed({ a: { $ref: '#/$defs/A' } }), $defs: { A: { type: 'string' } } }],
    [
      'an object',
      nodeWith('Options'),
      closed({
        a: { type: 'object', properties: { deep: { enum: [true, false] } }, additionalProperties: { not: {} } },
      }),
    ],
  ])('agrees where the server spells it otherwise: %s', (_, node, inputSchema) => {
    expect(compare([node], [{ name: 'sample', inputSchema }])).toMatchObject([
      { state: 'agrees', drift: [], unchecked: [] },
    ]);
  });

  it.each<[ToolNode, Json, string, string, string, Json]>([
    [
      nodeWith('Text'),
      closed({ a: { type: ['string', 'null'] } }),
      'input-wider',
      'the server accepts null for input "a", the node does not',
      '/inputSchema/properties/a',
      { a: null },
    ],
    [
      nodeWith('Text'),
      closed({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
      'input-wider',
      'the server accepts null for input "a", the node does not',
      '/inputSchema/properties/a/anyOf/1',
      { a: null },
    ],
    [
      nodeWith('Text'),
      closed({ a: { type: 'string' } }, ['a']),
      'input-refused',
      'the server requires input "a", the node does not',
      '/inputSchema',
      {},
    ],
    [
      nodeWith('Text', { required: true }),
      closed({ a: { type: 'string' } }),
      'input-wider',
      'the node requires input "a", the server does not',
      '/inputSchema',
      {},
    ],
    [
      nodeWith('Text'),
      closed({}),
      'input-refused',
      'the node accepts input "a", the server does not',
      '/inputSchema',
      { a: 'a' },
    ],
    [
      sampleNode(),
      closed({ b: { type: 'string' } }),
      'input-wider',
      'the server accepts input "b", the node does not',
      '/inputSchema/properties/b',
      { b: 'a' },
    ],
    [
      nodeWith('Text'),
      { type: 'object', properties: { a: { type: 'string' } } },
      'input-open',
      'the server accepts inputs that it does not name, the node does not',
      '',
      { other: null },
    ],
    [
      nodeWith('Mode'),
      closed({ a: { enum: ['fast'] } }),
      'input-refused',
      'the node accepts the string "slow" for input "a", the server does not',
      '/inputSchema/properties/a',
      { a: 'slow' },
    ],
    [
      nodeWith('Mode'),
      closed({ a: { enum: ['fast', 'slow', 'odd', 1] } }),
      'input-wider',
      'the server accepts the string "odd" and the number 1 for input "a", the node does not',
      '/inputSchema/properties/a/enum',
      { a: 'odd' },
    ],
    [
      nodeWith('Mode'),
      closed({ a: { type: 'string' } }),
      'input-wider',
      'the server accepts strings other than the 2 that are named for input "a", the node does not',
      '/inputSchema/properties/a',
      { a: 'a' },
    ],
    [
      nodeWith('Count'),
      closed({ a: { type: 'integer', minimum: 1, maximum: 10 } }),
      'input-refused',
      'the node accepts numbers below 1 for input "a", the server does not',
      '/inputSchema/properties/a',
      { a: 0 },
    ],
    [
      nodeWith('Count'),
      closed({ a: { type: 'number', minimum: 0, maximum: 10 } }),
      'input-wider',
      'the server accepts numbers with a fraction for input "a", the node does not',
      '/inputSchema/properties/a',
      { a: 0.5 },
    ],
    [
      nodeWith('Text'),
      closed({ a: { type: 'string', minLength: 1 } }),
      'input-refused',
      'the node accepts strings of fewer than 1 character for input "a", the server does not',
      '/inputSchema/properties/a',
      { a: '' },
    ],
    [
      nodeWith('Date'),
      closed({ a: { type: 'string' } }),
      'input-wider',
      'the server accepts strings that are no date for input "a", the node does not',
      '/inputSchema/properties/a',
      { a: '( )' },
    ],
    [
      nodeWith('List'),
      closed({ a: { type: 'array', items: { type: 'integer' } } }),
      'input-refused',
      'the node accepts strings for each item of input "a", the server does not',
      '/inputSchema/properties/a/items',
      { a: ['a'] },
    ],
    [
      nodeWith('Options'),
      closed({ a: closed({}) }),
      'input-refused',
      'the node accepts property "deep" of input "a", the server does not',
      '/inputSchema/properties/a',
      { a: { deep: true } },
    ],
  ])('drifts, and says how: %#', (node, inputSchema, code, message, serverPointer, example) => {
    const [result] = compare([node], [{ name: 'sample', inputSchema }]);
    expect(result?.drift[0]).toMatchObject({ code, message, example });
    if (serverPointer !== '') expect(result?.drift[0]).toMatchObject({ serverPointer });
    expect(result?.state).toBe('drift');
  });

  it('says that the server knows nothing of an input, where it takes anything for it', () => {
    const [result] = compare([nodeWith('Text')], [{ name: 'sample', inputSchema: { type: 'object' } }]);
    expect(result?.drift).toMatchObject([
      {
        code: 'input-unnamed',
        severity: 'error',
        message: expect.stringContaining('does not name it'),
        nodePointer: '/io/inputs/0',
      },
      { code: 'input-open', severity: 'warning' },
    ]);
  });

  it('has the place of the input in the node', () => {
    const [result] = compare([nodeWith('Text')], [{ name: 'sample', inputSchema: closed({ a: { type: 'integer' } }) }]);
    expect(result?.drift.map(({ nodePointer }) => nodePointer)).toEqual(['/io/inputs/0', '/io/inputs/0']);
  });

  it.each<[string, Json, string]>([
    ['pattern', { type: 'string', pattern: '^[a-z]{1,}$', maxLength: 8 }, '/inputSchema/properties/a'],
    ['not', { type: 'string', not: { const: 'x' } }, '/inputSchema/properties/a/not'],
    ['$ref', { $ref: 'https://example.org/elsewhere.json' }, '/inputSchema/properties/a/$ref'],
    ['if', { type: 'string', if: { minLength: 2 }, else: { maxLength: 4 } }, '/inputSchema/properties/a/if'],
    ['type', { type: 'text' }, '/inputSchema/properties/a/type'],
  ])('could not be checked where "%s" decides', (keyword, schema, pointer) => {
    const [result] = compare([nodeWith('Code')], [{ name: 'sample', inputSchema: closed({ a: schema }) }]);
    expect(result?.unchecked).toContainEqual(expect.objectContaining({ keyword, side: 'server', pointer }));
    expect(result?.unchecked[0]?.message).toContain('input "a"');
  });

  it('could not be checked without an inputSchema, or with one that is none', () => {
    expect(compare([sampleNode()], [{ name: 'sample' }])).toMatchObject([
      {
        state: 'unchecked',
        unchecked: [{ message: 'the server lists it without an inputSchema, which MCP requires' }],
      },
    ]);
    expect(compare([sampleNode()], [{ name: 'sample', inputSchema: 7 }])).toMatchObject([{ state: 'unchecked' }]);
  });

  it('could not be checked where the schema is too deep', () => {
    let deep: Json = {};
    for (let i = 0; i < 10_000; i++) deep = { items: deep };
    const [result] = compare([sampleNode()], [{ name: 'sample', inputSchema: closed({ a: deep }) }]);
    expect(result).toMatchObject({
      state: 'unchecked',
      unchecked: [{ side: 'server', message: expect.stringContaining('deeper than 100 levels') }],
    });
  });

  it('could not be checked where references double at each step', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, i): [string, JsonSchema] => [
        `d${i}`,
        { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { items: { $ref: `#/$defs/d${i + 1}` } }] },
      ]),
    );
    const [result] = compare(
      [sampleNode()],
      [{ name: 'sample', inputSchema: { ...closed({ a: { $ref: '#/$defs/d0' } }), $defs: { ...$defs, d40: {} } } }],
    );
    expect(result).toMatchObject({
      state: 'unchecked',
      unchecked: [{ message: expect.stringContaining('cannot be compared') }],
    });
  });

  it('sees a property __proto__', () => {
    const inputSchema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"],"additionalProperties":false}',
    ) as Json;
    const [result] = compare([sampleNode()], [{ name: 'sample', inputSchema }]);
    expect(result?.drift.map(({ message }) => message)).toEqual([
      'the server requires input "__proto__", the node does not',
      'the server accepts input "__proto__", the node does not',
    ]);
  });

  it('leaves out an optional input that the process does not get, where the server has none', () => {
    const node = sampleNode({ inputs: [{ name: 'a', schema: typeIri('Text') }] });
    expect(compare([node], [{ name: 'sample', inputSchema: closed({}) }])).toMatchObject([{ state: 'agrees' }]);
    expect(compare([node], [{ name: 'sample', inputSchema: closed({ a: { type: 'string' } }) }])).toMatchObject([
      { state: 'agrees' },
    ]);
    expect(codes(compare([node], [{ name: 'sample', inputSchema: closed({ a: { type: 'null' } }) }]))).toContain(
      'input-wider',
    );
  });

  it('asks for the confirmation that the node requires', () => {
    const node = sampleNode({ requiresConfirmation: true });
    const gated = closed({ user_confirmed: { const: true } }, ['user_confirmed']);
    expect(compare([node], [{ name: 'sample', inputSchema: gated }])).toMatchObject([{ state: 'agrees' }]);
    for (const user_confirmed of [{ type: 'boolean' }, undefined]) {
      const inputSchema = user_confirmed === undefined ? closed({}) : closed({ user_confirmed }, ['user_confirmed']);
      expect(codes(compare([node], [{ name: 'sample', inputSchema }]))).toEqual(['confirmation-missing']);
    }
  });

  it('compares outputs where both describe them, with the reader in mind', () => {
    const node = sampleNode({ outputs: [{ name: 'n', schema: typeIri('Count'), from: { stdout: 'json' } }] });
    const inputSchema = closed({});
    const of = (n: JsonSchema, required = ['n']) =>
      codes(compare([node], [{ name: 'sample', inputSchema, outputSchema: closed({ n }, required) }]));
    expect(of({ type: 'integer', minimum: 0, maximum: 10 })).toEqual([]);
    expect(of({ type: 'integer', minimum: 0 })).toEqual(['output-wider']);
    expect(of({ type: 'integer', minimum: 5, maximum: 10 })).toEqual(['output-narrower']);
    expect(of({ type: 'integer', minimum: 0, maximum: 10 }, [])).toEqual(['output-wider']);
    expect(compare([node], [{ name: 'sample', inputSchema }])).toMatchObject([{ state: 'agrees' }]);
    const open = { type: 'object', properties: { n: { type: 'integer', minimum: 0, maximum: 10 } }, required: ['n'] };
    expect(codes(compare([node], [{ name: 'sample', inputSchema, outputSchema: open }]))).toEqual([
      'output-undescribed',
    ]);
  });
});

describe('The contract of an instance', () => {
  it('tells of a tool that the server lacks, and of one that no node describes', () => {
    const results = compare([sampleNode()], [{ name: 'sampel', inputSchema: closed({}) }]);
    expect(results).toMatchObject([
      { id: 'sample', state: 'drift', drift: [{ code: 'tool-missing', message: 'the server has no tool sample' }] },
      {
        name: 'sampel',
        state: 'drift',
        drift: [{ code: 'tool-undescribed', message: expect.stringContaining('did you mean sample?') }],
      },
    ]);
  });

  it('knows what is deliberately absent, and compares it where the server has it', () => {
    const manual = sampleNode({ invoke: { manual: true } });
    expect(compare([manual], [])).toMatchObject([{ state: 'absent', absence: { code: 'manual-only' } }]);
    const old = sampleNode({ tier: 'deprecated' });
    expect(compare([old], [])).toMatchObject([{ state: 'absent', absence: { code: 'tier' } }]);
    expect(codes(compare([old], [{ name: 'sample', inputSchema: closed({ x: {} }) }]))).toEqual(['input-wider']);
  });

  it('finds the tool that an mcp arm names, and compares it', () => {
    const node = { ...sampleNode(), tool: { ...sampleNode().tool, invoke: { mcp: { tool: 'by_hand' } } } };
    expect(compare([node], [{ name: 'by_hand', inputSchema: closed({}) }])).toMatchObject([
      { state: 'agrees', name: 'by_hand' },
    ]);
    expect(compare([node], [])).toMatchObject([{ state: 'absent', absence: { code: 'mcp-only' } }]);
    expect(compare([node], [], { requireMcp: true })).toMatchObject([
      { state: 'drift', drift: [{ code: 'tool-missing', message: 'the server has no tool by_hand' }] },
    ]);
  });

  it('finds a tool by its name with the prefix, then without, then by its id', () => {
    const two = sampleNode({ id: 'two-words' });
    for (const name of ['x_two_words', 'two_words', 'two-words']) {
      expect(compare([two], [{ name, inputSchema: closed({}) }], { prefix: 'x' })).toMatchObject([
        { state: 'agrees', name },
      ]);
    }
    const other = sampleNode({ id: 'x-b' });
    const own = sampleNode({ id: 'b' });
    const served = ['x_b', 'x_x_b'].map((name) => ({ name, inputSchema: closed({}) }));
    expect(compare([other, own], served, { prefix: 'x' }).map(({ id, name }) => [id, name])).toEqual([
      ['b', 'x_b'],
      ['x-b', 'x_x_b'],
    ]);
  });

  it('tells of a node of the tier internal that the server offers', () => {
    const results = compare([sampleNode({ tier: 'internal' })], [{ name: 'sample', inputSchema: closed({}) }]);
    expect(codes(results)).toEqual(['tool-internal']);
  });

  it('tells of a name that the server lists again, and compares the first', () => {
    const twice = [closed({}), closed({ x: {} }, ['x'])].map((inputSchema) => ({ name: 'sample', inputSchema }));
    expect(codes(compare([sampleNode()], twice))).toEqual(['name-repeated']);
  });

  it('could not check a node that is a problem, nor one that no type can be had of', () => {
    const broken = problem('invalid-node', 'bad', {
      document: 'tools/broken.json',
      subject: 'urn:toolgraph:test:tool/broken',
    });
    expect(compare([], [{ name: 'broken', inputSchema: closed({}) }], { problems: [broken] })).toMatchObject([
      { id: 'broken', name: 'broken', state: 'unchecked', unchecked: [{ message: 'invalid-node: bad' }] },
    ]);
    const union = { ...nodeWith('Union'), tool: { ...nodeWith('Union').tool, invoke: { mcp: { tool: 'u' } } } };
    const [result] = compare([union], [{ name: 'u', inputSchema: closed({}) }]);
    expect(result).toMatchObject({
      state: 'unchecked',
      unchecked: [{ message: expect.stringContaining('unportable-schema: input "a"') }],
    });
  });

  it('keeps problems that are about no Tool', () => {
    const unreadable = problem('unreadable', 'cannot be parsed', { document: 'tools/x.json' });
    const instance = checked({
      generation: {
        ...project({
          tools: [],
          types,
          problems: [unreadable],
          host: willingHost([]),
          options: { tiers: ['stable'] },
          verdicts: new Map(),
        }),
        number: 1,
        key: 'k',
      },
    });
    expect(compareContract(instance, [], { requireMcp: false, patterns: noAnswers })).toEqual({
      tools: [],
      problems: [unreadable],
    });
  });
});

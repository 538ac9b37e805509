import { describe, expect, it } from 'vitest';
import { builtinType, defineTool, type ToolDefinition, ToolDefinitionError } from '../../schemas/define-tool.js';
import { ToolSchema } from '../../schemas/tool-rules.js';
import { builtinTypeNodes } from '../../schemas/types.js';
import { AuthorProject } from './author-project.js';

const text = builtinType('Text');

const definition = {
  id: 'count-words',
  title: 'Count words',
  description: 'Counts the words of a text',
  invoke: { shell: 'wc -w' },
  io: { inputs: [{ name: 'text', schema: text, required: true, arg: { stdin: true } }] },
  satisfies: ['text-measure'],
} as const satisfies ToolDefinition;

/** As somebody gives it whom no compiler has told. */
function refusal(changes: Readonly<Record<string, unknown>>): string {
  try {
    defineTool({ ...definition, ...changes } as unknown as ToolDefinition);
  } catch (error) {
    if (error instanceof ToolDefinitionError) return error.message;
    throw error;
  }
  return '';
}

describe('defineTool', () => {
  it('gives a node: what JSON makes of it is the same Tool', () => {
    const tool = defineTool(definition);
    expect(tool).toMatchObject({ id: 'count-words', tier: 'stable', io: { outputs: [] } });
    expect(ToolSchema.parse(JSON.parse(JSON.stringify(tool)))).toEqual(tool);
  });

  it('names the Tool, every field that is wrong, what is expected there and what it found', () => {
    const inputs = [
      { name: 'a b', schema: 'Text', arg: { flag: 'x' } },
      { name: 'c', schema: text, arg: { position: 0 }, requird: true },
    ];
    expect(refusal({ title: 7, invok: {}, tier: 'beta', io: { inputs } }).split('\n')).toEqual([
      'the Tool "count-words" cannot be defined:',
      '  title: expected a string, found 7',
      '  tier: expected one of "stable", "experimental", "deprecated", "internal", found "beta"',
      '  io.inputs[0].name: expected 1 to 64 of A-Z a-z 0-9 _ . -, found "a b"',
      '  io.inputs[0].schema: expected an absolute IRI, found "Text"',
      '  io.inputs[0].arg.flag: expected a flag, such as "-x" or "--name", found "x"',
      '  io.inputs[1].arg: expected {"flag": "--x", "joined"?: true}, {"positional": 0} or {"stdin": true}, found {"position":0}',
      '  unknown key "requird" in io.inputs[1]; did you mean "required"?',
      '  unknown key "invok"; did you mean "invoke"?',
    ]);
  });

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['a rule across fields', { deprecated: {} }, '  deprecated: "deprecated" needs "tier": "deprecated"'],
    ['only an mcp arm', { invoke: { mcp: { tool: 'x' } } }, '  invoke: expected at least one of shell, container'],
    ['a field that is missing', { title: undefined }, '  title: required, but missing: expected a string'],
    [
      'a function where data is expected',
      { satisfies: () => ['x'] },
      '  satisfies: expected what JSON has a form for, found a function',
    ],
  ])('says so of %s', (_, changes, line) => {
    const message = refusal(changes);
    expect(message).toContain(`the Tool "count-words" cannot be defined:\n${line}`);
    expect(message).not.toMatch(/[{[]\s*"code"/);
  });

  const circle: Record<string, unknown> = {};
  circle.self = circle;
  let deep: object = {};
  for (let level = 0; level < 20_000; level++) deep = { deep };
  const unfit = 'expected what JSON has a form for, found';

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['an object that holds itself', { extra: circle }, `extra.self: ${unfit} an object that holds itself`],
    ['a bigint', { io: { inputs: [1n] } }, `io.inputs[0]: ${unfit} a bigint`],
    ['a function of no field', { extra: () => 1 }, `extra: ${unfit} a function`],
    ['what is no number', { limits: { timeoutMs: Number.NaN } }, `limits.timeoutMs: ${unfit} NaN`],
    ['an instance', { extra: new Map() }, `extra: ${unfit} an instance of Map`],
    ['half a pair', { title: 'a\ud800' }, `title: ${unfit} a string with half a surrogate pair, which is no character`],
    ['half a pair in a key', { 'a\ud800': 1 }, 'the key "a\\ud800" has half a surrogate pair, which is no character'],
    ['great depth', { deep }, 'deep.deep.deep: nested deeper than 100 levels, which is the limit; make it flatter'],
  ])('refuses %s', (_, changes, line) => {
    expect(refusal(changes)).toBe(`the Tool "count-words" cannot be defined:\n  ${line}`);
  });

  it.each([null, undefined, 7, []])('refuses what is no object: %j', (value) => {
    expect(() => defineTool(value as unknown as ToolDefinition)).toThrow(ToolDefinitionError);
  });

  it('says that the id is missing where nothing else names the Tool', () => {
    expect(refusal({ id: undefined })).toContain(
      'a Tool without an id cannot be defined:\n  id: required, but missing',
    );
  });
});

describe('builtinType', () => {
  it('names each of the built-in types', () => {
    expect(builtinTypeNodes.map(({ iri }) => iri)).toContain(builtinType('Slug'));
  });
});

const good = `import { builtinType, defineTool, type Tool, type ToolDefinition } from 'toolgraph';

export const tool: Tool = defineTool({
  id: 'sync',
  title: 'Sync',
  description: 'Syncs',
  tier: 'deprecated',
  deprecated: { reason: 'old', replacedBy: 'other' },
  effect: 'write',
  invoke: { shell: 'sync', mcp: { tool: 'sync' }, container: { image: 'x', mounts: ['a', { source: 'b', target: '/b' }] } },
  io: {
    inputs: [
      { name: 'a', schema: builtinType('Slug'), arg: { flag: '--a', joined: true }, repeated: true },
      { name: 'b', schema: builtinType('Path'), arg: { positional: 0 }, required: true },
      { name: 'c', schema: 'https://example.org/types#/$defs/C', arg: { stdin: true } },
    ],
    outputs: [{ name: 'o', schema: builtinType('Text'), from: { stdout: 'json', pointer: '/o' } }],
  },
  satisfies: ['docs'],
  downstream: { any: [1, 'x', null, { deep: true }] },
});

const constant = { id: 'a', title: 'A', description: 'A', invoke: { manual: true }, io: {}, satisfies: ['x'] } as const;
export const other: ToolDefinition = constant;
`;

const bad: readonly string[] = [
  'id: 7',
  "tier: 'beta'",
  "effect: 'reads'",
  "invok: { shell: 'x' }",
  'invoke: {}',
  "invoke: { mcp: { tool: 'x' } }",
  "invoke: { shell: ['x'] }",
  'description: undefined',
  "summary: 'x'",
  "satisfies: 'docs'",
  "requires: { runtimes: ['bun'] }",
  'limits: { timeout: 5 }',
  'downstream: { size: 1n }',
  "io: { inputs: [{ name: 'a' }] }",
  "io: { inputs: [{ name: 'a', schema: 'x', arg: { flag: '-a', positional: 0 } }] }",
  "io: { inputs: [{ name: 'a', schema: 'x', arg: { stdin: false } }] }",
  "io: { inputs: [{ name: 'a', schema: 'x', requird: true }] }",
  "io: { outputs: [{ name: 'a', schema: 'x', from: { stdout: 'xml' } }] }",
  "io: { outputs: [{ name: 'a', schema: 'x', from: { stdout: 'json', result: true } }] }",
  "io: { inputs: [{ name: 'a', schema: builtinType('Slugg') }] }",
];

describe('The type of a definition', () => {
  it('takes whatever is right, and makes each mistake an error at its own line', () => {
    const head = [
      "import { builtinType, defineTool } from 'toolgraph';",
      "const base = { id: 'a', title: 'A', description: 'A', invoke: { shell: 'a' }, io: {}, satisfies: ['x'] };",
      'void builtinType;',
    ];
    const lines = bad.map((field) => `defineTool({ ...base, ${field} });`);
    const project = new AuthorProject({ 'good.ts': good, 'bad.ts': [...head, ...lines, ''].join('\n') });
    const errors = project.compile();
    const found = new Set(errors.map((error) => Number(/^bad\.ts\((\d+),/.exec(error)?.[1] ?? Number.NaN)));
    expect(errors.filter((error) => !error.startsWith('bad.ts'))).toEqual([]);
    const unseen = bad.filter((_, i) => !found.has(head.length + 1 + i));
    expect(unseen).toEqual([]);
    expect(found.size).toBe(bad.length);
  });
});

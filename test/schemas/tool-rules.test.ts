import { describe, expect, it } from 'vitest';
import type { ToolDocument } from '../../schemas/tool.js';
import { NodeSchema, ToolSchema, toolRules } from '../../schemas/tool-rules.js';

const text = 'https://w3id.org/toolgraph/types.schema.json#/$defs/Text';

function node(changes: Readonly<Record<string, unknown>> = {}): ToolDocument {
  const fields = {
    id: 'count-words',
    title: 'Count words',
    description: 'Counts the words of a text',
    invoke: { shell: 'wc -w' },
    io: {},
    satisfies: ['text-measure'],
    ...changes,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ToolDocument;
}

function inputs(...ports: readonly Readonly<Record<string, unknown>>[]): { io: object } {
  return { io: { inputs: ports.map((port, i) => ({ name: `p${i}`, schema: text, ...port })) } };
}

function outputs(...ports: readonly Readonly<Record<string, unknown>>[]): { io: object } {
  return { io: { outputs: ports.map((port, i) => ({ name: `o${i}`, schema: text, ...port })) } };
}

function pointed(pointer: string): { io: object } {
  return outputs({ from: { stdout: 'json', pointer } });
}

/** `path: message` of each issue. */
function issues(value: unknown): string[] {
  return ToolSchema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

describe('A Tool', () => {
  it('is given in the one spelling, with its defaults', () => {
    const tool = ToolSchema.parse(node({ description: undefined, summary: 'Old name', type: 'write', $schema: 'x' }));
    expect(tool).toEqual({
      id: 'count-words',
      title: 'Count words',
      description: 'Old name',
      effect: 'write',
      tier: 'stable',
      invoke: { shell: 'wc -w' },
      io: { inputs: [], outputs: [] },
      satisfies: ['text-measure'],
    });
  });

  it('keeps the fields that later versions act on', () => {
    const kept = {
      version: '1.2.0',
      install: { cli: 'x' },
      selection: { when: 'often', limits: 'few', cost: 'none' },
      alternativeTo: ['other'],
      remedies: [{ host: 'example.org', tool: 'other' }],
      maintains: [{ source: 'a', artefact: 'b', format: 'c' }],
      renders: ['kind'],
      subprocesses: ['p'],
      downstream: { a: { b: [1] } },
      when: { exists: ['package.json'] },
      limits: { timeoutMs: 1, outputBytes: 1 },
      requires: { os: ['linux'], runtime: ['bun'], network: true, env: ['GH_TOKEN'] },
    };
    expect(ToolSchema.parse(node(kept))).toMatchObject(kept);
  });

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['an unknown key', { invok: {} }, 'Unrecognized key: "invok"'],
    ['an id with an upper-case letter', { id: 'Count' }, 'id: expected lower-case letters'],
    ['no description', { description: undefined }, 'description: expected a description'],
    ['both names of the description', { summary: 'x' }, 'summary: both "description" and its older name'],
    ['both names of the effect', { effect: 'read', type: 'read' }, 'type: both "effect" and its other spelling'],
    ['deprecated without its tier', { deprecated: { reason: 'x' } }, 'deprecated: "deprecated" needs "tier"'],
    ['only an mcp arm', { invoke: { mcp: { tool: 'x' } } }, 'invoke: expected at least one of shell'],
    ['no skill', { satisfies: [] }, 'satisfies: expected at least one skill'],
    ['a module outside of the instance', { invoke: { inProcess: { module: '../x.js' } } }, 'invoke.inProcess.module: '],
    ['a type that is no IRI', inputs({ schema: 'Text' }), 'io.inputs.0.schema: expected an absolute IRI'],
    ['an unknown way to the process', inputs({ arg: { env: 'X' } }), 'io.inputs.0.arg: expected {"flag"'],
    ['a flag without "-"', inputs({ arg: { flag: 'x' } }), 'io.inputs.0.arg.flag: expected a flag'],
    ['one name twice', inputs({ name: 'a' }, { name: 'a' }), 'io.inputs.1.name: two inputs are named "a"'],
    [
      'one flag twice',
      inputs({ arg: { flag: '-a' } }, { arg: { flag: '-a' } }),
      'io.inputs.1.arg.flag: two inputs use',
    ],
    ['two inputs on stdin', inputs({ arg: { stdin: true } }, { arg: { stdin: true } }), 'io.inputs.1.arg.stdin: two'],
    [
      'a repeated input on stdin',
      inputs({ arg: { stdin: true }, repeated: true }),
      'io.inputs.0.repeated: an input on',
    ],
    [
      'one position twice',
      inputs({ arg: { positional: 0 } }, { arg: { positional: 0 } }),
      'io.inputs.1.arg.positional: two inputs have position 0',
    ],
    ['a gap in the positions', inputs({ arg: { positional: 1 } }), 'io.inputs.0.arg.positional: positions are counted'],
    [
      'a required positional after an optional one',
      inputs({ arg: { positional: 0 } }, { arg: { positional: 1 }, required: true }),
      'io.inputs.1.required: a required positional comes after',
    ],
    [
      'a repeated positional that is not the last',
      inputs({ arg: { positional: 0 }, repeated: true }, { arg: { positional: 1 } }),
      'io.inputs.0.repeated: only the last positional',
    ],
    ['a pointer without a slash', pointed('a'), 'io.outputs.0.from.pointer: expected a JSON pointer (RFC 6901)'],
    ['a pointer of a URI fragment', pointed('#/a'), 'io.outputs.0.from.pointer: expected a JSON pointer'],
    ['a pointer with a bare "~"', pointed('/a~2'), 'io.outputs.0.from.pointer: expected a JSON pointer'],
    ['a pointer that ends in "~"', pointed('/a~'), 'io.outputs.0.from.pointer: expected a JSON pointer'],
    [
      'a pointer into a text',
      outputs({ from: { stdout: 'text', pointer: '/a' } }),
      'io.outputs.0.from.pointer: a text has no parts',
    ],
    [
      'one name for two outputs that are read',
      outputs({ name: 'a', from: { stdout: 'text' } }, { name: 'a', from: { result: true } }),
      'io.outputs.1.name: two outputs are named "a"',
    ],
    ['a remedy with neither tool nor none', { remedies: [{ host: 'x' }] }, 'remedies.0: expected exactly one of'],
    ['a remedy with both', { remedies: [{ tool: 'x', none: 'y' }] }, 'remedies.0: expected exactly one of'],
  ])('is refused with %s', (_, changes, issue) => {
    const found = issues(node(changes));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(issue);
  });

  it('with only an mcp arm can be determined, so it is no problem in a graph', () => {
    expect(NodeSchema.safeParse(node({ invoke: { mcp: { tool: 'x' } } })).success).toBe(true);
  });

  it.each([
    ['positions in any order', inputs({ arg: { positional: 1 }, repeated: true }, { arg: { positional: 0 } })],
    [
      'a required positional before an optional one',
      inputs({ arg: { positional: 0 }, required: true }, { arg: { positional: 1 } }),
    ],
    ['an input without a way to the process', inputs({})],
    ['one name for two outputs that are prose', outputs({ name: 'a' }, { name: 'a', from: { stdout: 'text' } })],
    ['a manual arm alone', { invoke: { manual: true } }],
    ['deprecated with its tier', { tier: 'deprecated', deprecated: { reason: 'x', replacedBy: 'y' } }],
  ])('may have %s', (_, changes) => {
    expect(issues(node(changes))).toEqual([]);
    expect(toolRules(node(changes))).toEqual([]);
  });

  it.each(['', '/', '/a/0', '/a~1b/~0', '/ü ü//%', '/"', '/a\nb'])('may have the pointer %j', (pointer) => {
    expect(issues(node(pointed(pointer)))).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../schemas/declaration.js';
import { definitionKey } from '../../schemas/declaration.js';
import type { Tool } from '../../schemas/tool.js';
import { buildArgv } from '../../src/invocation/argv.js';
import { callEntry } from '../../src/invocation/call.js';
import type { CallSettings } from '../../src/invocation/call-settings.js';
import type { Entry } from '../../src/projection/generation.js';
import { ModuleFolder } from './module/module-folder.js';
import { callSettings, shellEntry } from './shell-entry.js';

interface Parts {
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly outputs?: { readonly [name: string]: JsonSchema };
  readonly pointers?: { readonly [name: string]: string };
  readonly tool?: Partial<Tool>;
}

let made = 0;

function moduleEntry({ properties = {}, outputs, pointers = {}, tool = {} }: Parts): Entry {
  const entry = shellEntry({ properties, tool: { invoke: { inProcess: { module: 'a.mjs' } }, ...tool } });
  const names = Object.keys(outputs ?? {});
  const [first, ...others] = names.map((name) => ({
    name,
    required: true,
    ...(pointers[name] === undefined ? {} : { pointer: pointers[name] }),
  }));
  const outputSchema = {
    type: 'object',
    properties: outputs ?? {},
    required: names,
    additionalProperties: false,
  } as const;
  return {
    ...entry,
    declaration: {
      ...entry.declaration,
      ...(first === undefined ? {} : { outputSchema }),
      _meta: { [definitionKey]: `module ${++made}` },
    },
    binding: {
      ...{ arm: 'inProcess', module: 'a.mjs', exports: ['default'], names: ['probe-tool', 'probe_tool'] },
      ...(first === undefined ? {} : { outputs: [first, ...others] }),
    },
  };
}

/** The outcome of one call of the module with this source. */
async function outcome(source: string, parts: Parts = {}, args: unknown = {}, over: Partial<CallSettings> = {}) {
  const folder = await ModuleFolder.make({ 'a.mjs': source });
  return callEntry(moduleEntry(parts), args, callSettings({ cwd: folder.root, modules: folder.pool, ...over }));
}

const returning = (expression: string): string => `export default () => (${expression});`;

describe('A call of a function', () => {
  it.each([
    ['a string', "'text'", 'text'],
    ['data', '({ a: [1n] })', '{"a":["1"]}'],
    ['nothing', 'undefined', ''],
    ['null', 'null', 'null'],
    ['a promise', 'Promise.resolve(3)', '3'],
    ['what only looks like an MCP result', "({ content: ['a', 'b'] })", '{"content":["a","b"]}'],
  ])('gives %s as text', async (_, expression, text) => {
    expect(await outcome(returning(expression))).toEqual({ kind: 'ran', text, truncated: false });
  });

  it('passes an MCP result through, without what is not its content', async () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///x', name: 'x' },
      { type: 'resource', resource: { uri: 'a:b', text: 'c' } },
      { type: 'text', text: 'd' },
    ];
    expect(await outcome(returning(JSON.stringify({ content, _meta: { mine: 1 } })))).toEqual({
      ...{ kind: 'ran', text: 'a\nd', truncated: false },
      content,
    });
  });

  it('fails when an MCP result says that it is an error', async () => {
    const result = { isError: true, content: [{ type: 'text', text: 'no such page\nlook again' }] };
    expect(await outcome(returning(JSON.stringify(result)))).toEqual({
      ...{ kind: 'failed', code: 'module_failed', message: 'probe-tool failed: no such page' },
      details: { error: 'no such page\nlook again' },
    });
  });

  it('P6: gives the outputs that come from the result, or from the structured content of an MCP result', async () => {
    const parts = {
      outputs: { all: { type: 'object' }, count: { type: 'integer' } },
      pointers: { count: '/n' },
    } as const;
    const structured = { all: { n: 3 }, count: 3 };
    const ran = { kind: 'ran', text: JSON.stringify(structured), truncated: false, structured };
    expect(await outcome(returning('({ n: 3 })'), parts)).toEqual(ran);
    expect(
      await outcome(returning("({ content: [{ type: 'text', text: 'x' }], structuredContent: { n: 3 } })"), parts),
    ).toEqual(ran);
    const text = { outputs: { said: { type: 'string' } } } as const;
    expect(await outcome(returning("'hi'"), text)).toMatchObject({ structured: { said: 'hi' } });
  });

  it.each([
    ['another type', "({ n: 'x' })", '/count must be integer'],
    ['nothing', 'undefined', '/all is missing: the result has nothing at "" (and 1 more in details)'],
    ['no such part', '({})', '/count is missing: the result has nothing at "/n"'],
  ])('P6: fails with output_mismatch for %s', async (_, expression, words) => {
    const parts = {
      outputs: { all: { type: 'object' }, count: { type: 'integer' } },
      pointers: { count: '/n' },
    } as const;
    expect(await outcome(returning(expression), parts)).toMatchObject({
      ...{ kind: 'failed', code: 'output_mismatch' },
      message: `The output of probe-tool is not what its outputSchema says: ${words}`,
    });
  });

  it('X11: is cut where the node says, and fails instead where half of it is worth nothing', async () => {
    const tool = { limits: { outputBytes: 10 } };
    expect(await outcome(returning("'x'.repeat(1000)"), { tool })).toEqual({
      ...{ kind: 'ran', text: 'xxxxxxxxxx\n[output cut at 10 bytes; 1000 bytes in all]', truncated: true },
    });
    expect(await outcome(returning("'x'.repeat(1000)"), { tool, outputs: { said: { type: 'string' } } })).toEqual({
      ...{ kind: 'failed', code: 'output_mismatch', details: { limitBytes: 10 } },
      message: 'The output of probe-tool has more than 10 bytes (limits.outputBytes of the node); return less',
    });
  });

  it('is no more than fits into a result, nor more values than are read', async () => {
    const tool = { limits: { outputBytes: 32 * 1024 * 1024 } };
    const outputs = { said: { type: 'array' } } as const;
    const long = returning("['x'.repeat(9_000_000)]");
    expect(await outcome(long, { tool, outputs })).toMatchObject({
      ...{ code: 'output_mismatch', details: { limitBytes: 8_388_608 } },
      message: 'The output of probe-tool has 9000004 bytes of JSON; at most 8388608 fit into a result; return less',
    });
    const cut = await outcome(long, { tool });
    // As a JSON string, the text has three quotes more than characters: its own two, and the backslash before the one in it.
    expect('text' in cut && [cut.truncated, cut.text.slice(8_388_600)]).toEqual([
      true,
      'xxxxx\n[output cut at 8388605 bytes, because a result has at most 8388608 bytes of JSON; print less]',
    ]);
    expect(await outcome(returning('Array(100_000).fill(1)'), { outputs })).toMatchObject({
      code: 'output_mismatch',
      message: 'The output of probe-tool has more than 100000 values, which is the limit; return less',
    });
  });

  it('gets its inputs checked and without the confirmation, which is asked for first', async () => {
    const source = 'export default (inputs) => inputs;';
    const properties = { n: { type: 'integer' }, user_confirmed: { type: 'boolean', const: true } } as const;
    const tool = { requiresConfirmation: true };
    expect(await outcome(source, { properties, tool }, { n: 1 })).toMatchObject({ code: 'confirmation_required' });
    expect(await outcome(source, { properties, tool }, { n: 'x', user_confirmed: true })).toMatchObject({
      code: 'invalid_params',
    });
    expect(await outcome(source, { properties, tool }, { n: 1, user_confirmed: true })).toMatchObject({
      text: '{"n":1}',
    });
    expect(await outcome(source, { properties }, { n: 1, user_confirmed: true })).toMatchObject({
      text: '{"n":1,"user_confirmed":true}',
    });
  });

  it('X1: takes a value that begins with "-": no program reads it as an option', async () => {
    const properties = { text: { type: 'string' } } as const;
    expect(await outcome('export default ({ text }) => text;', { properties }, { text: '--all' })).toMatchObject({
      text: '--all',
    });
  });

  it('X12: finds in its environment what a process would', async () => {
    const tool = { requires: { env: ['TOKEN', 'OTHER'] } };
    const env = { HOME: '/h', TOKEN: 't', OTHER: 'o', SECRET: 's' };
    const given = await outcome(
      'export default () => process.env;',
      { tool },
      {},
      { env, permittedEnv: ['TOKEN', 'SECRET'] },
    );
    expect(JSON.parse(given.kind === 'ran' ? given.text : '')).toEqual({ HOME: '/h', TOKEN: 't' });
  });

  it.each([
    [
      'what it throws',
      "export default () => { throw new RangeError('far\\nand wide'); };",
      {
        code: 'module_failed',
        message: 'probe-tool failed: far',
        details: { name: 'RangeError', error: 'far\nand wide' },
      },
    ],
    [
      'a module that does not load',
      "throw new Error('broken');",
      {
        code: 'module_failed',
        message: 'probe-tool failed: its module a.mjs does not load: broken',
        details: { name: 'Error' },
      },
    ],
    [
      'the end of its thread',
      'export default () => process.exit(1);',
      {
        code: 'module_failed',
        message: 'probe-tool failed: the thread of its module a.mjs was ended by process.exit(1)',
        details: {},
      },
    ],
  ])('fails with %s', async (_, source, failure) => {
    expect(await outcome(source)).toEqual({ kind: 'failed', ...failure });
  });

  it('fails when its module is gone, when its time is over, and when it is cancelled', async () => {
    const entry = moduleEntry({ tool: { limits: { timeoutMs: 100 } } });
    const folder = await ModuleFolder.make({});
    const settings = callSettings({ cwd: folder.root, modules: folder.pool });
    expect(await callEntry(entry, {}, settings)).toMatchObject({
      code: 'module_failed',
      message: 'probe-tool failed: its module a.mjs is not a file of the instance',
    });
    await folder.write('a.mjs', 'export default () => { for (;;); };');
    expect(await callEntry(entry, {}, settings)).toEqual({
      ...{
        kind: 'failed',
        code: 'timeout',
        message: 'probe-tool did not end within 100 ms and was ended',
        details: { timeoutMs: 100 },
      },
    });
    const cancelled = callEntry(moduleEntry({}), {}, { ...settings, signal: AbortSignal.timeout(100) });
    expect(await cancelled).toMatchObject({ code: 'cancelled', message: 'probe-tool was cancelled and ended' });
  });

  it('has no argv; asking for one names the module', () => {
    expect(() => buildArgv(moduleEntry({}), {})).toThrow(
      'probe-tool has no argv: it is run as a function of the module a.mjs',
    );
  });
});

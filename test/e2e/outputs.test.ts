import { describe, expect, it, onTestFinished } from 'vitest';
import { makeInstance, startServer } from './harness.js';
import { type Instance, nodePath, toolNode, typeIri } from './instance.js';
import { connectCurrentSdk, connectFirstSdk } from './sdk-clients.js';
import { eras } from './session.js';

/** Longer than the quiet time, the longest gathering and the scan after the last event together (DESIGN decisions 4 and 5). */
const settleMs = 900;

const onStdin = { name: 'text', schema: typeIri('Text'), required: true, arg: { stdin: true } };

/** Prints its input; `outputs` say what a caller gets of that. */
function echoing(id: string, outputs: readonly object[]) {
  return toolNode(id, { invoke: { shell: 'cat' }, io: { inputs: [onStdin], outputs } });
}

const count = { name: 'count', schema: typeIri('Count'), from: { stdout: 'json', pointer: '/n' } };
const log = { name: 'log', schema: typeIri('Text'), from: { stdout: 'text' } };
const prose = { name: 'prose', schema: typeIri('Text'), description: 'In words' };

async function instanceWithOutputs(): Promise<Instance> {
  const instance = await makeInstance([
    echoing('counts', [count]),
    echoing('logs', [log]),
    echoing('tells', [log, prose]),
    toolNode('fails', { invoke: { shell: './fails.sh' }, io: { outputs: [log] } }),
  ]);
  await instance.writeTypes({ Text: { type: 'string' }, Count: { type: 'integer', minimum: 0 } });
  await instance.script('fails.sh', ['echo said', 'exit 2']);
  return instance;
}

it('P6: outputs are declared with the same bytes in both eras, the root an object', async () => {
  const instance = await instanceWithOutputs();
  const lists = [];
  for (const era of eras) lists.push((await (await startServer(instance).open(era)).list()).tools);
  expect(JSON.stringify(lists[0])).toBe(JSON.stringify(lists[1]));
  expect(lists[0]?.map(({ name, outputSchema }) => [name, JSON.stringify(outputSchema)])).toEqual([
    [
      'counts',
      '{"type":"object","properties":{"count":{"minimum":0,"type":"integer"}},"required":["count"],"additionalProperties":false}',
    ],
    ['fails', expect.stringContaining('"log"')],
    ['logs', expect.stringContaining('"log"')],
    ['tells', undefined],
  ]);
});

it('P13: a text of a megabyte is not tried on a pattern of quadratic time, on stdin or as an output', async () => {
  const runs = typeIri('Runs');
  const logOf = (schema: string) => ({ name: 'log', schema, from: { stdout: 'text' } });
  const instance = await makeInstance([
    toolNode('takes', { invoke: { shell: 'cat' }, io: { inputs: [{ ...onStdin, schema: runs }], outputs: [] } }),
    echoing('gives', [logOf(runs)]),
    echoing('plain', [logOf(typeIri('Line'))]),
  ]);
  await instance.writeTypes({
    Text: { type: 'string' },
    Line: { type: 'string', pattern: '^[a-z]*$' },
    // It matches the text at once, and takes hours where it does not match.
    Runs: { type: 'string', pattern: '^a*a*$' },
  });
  const session = await startServer(instance).open('2025-11-25');
  const text = 'a'.repeat(1_000_000);
  const message = expect.stringMatching(
    /^has 1000000 characters; the pattern "\^a\*a\*\$".* at most 4096\. Shorten it/,
  );
  expect((await session.call('takes', { text })).refusal).toMatchObject({
    code: 'argument_too_large',
    details: { issues: [{ path: '/text', message }] },
  });
  expect((await session.call('gives', { text })).refusal).toMatchObject({
    code: 'output_mismatch',
    details: { issues: [{ path: '/log', message }] },
  });
  expect(await session.call('plain', { text })).toMatchObject({ structured: { log: text }, isError: false });
  expect(await session.call('takes', { text: 'aa' })).toMatchObject({ text: 'aa', isError: false });
});

describe.each(eras)('in the era %s', (era) => {
  it('P6: a result has the same value in structuredContent and in the text, or neither schema nor value', async () => {
    const session = await startServer(await instanceWithOutputs()).open(era);
    expect(await session.call('counts', { text: '{"n": 3, "more": []}' })).toMatchObject({
      text: '{"count":3}',
      structured: { count: 3 },
      isError: false,
      generation: { number: 1 },
    });
    expect(await session.call('logs', { text: ' [1]\n' })).toMatchObject({
      text: '{"log":"[1]"}',
      structured: { log: '[1]' },
    });
    const told = await session.call('tells', { text: ' [1]\n' });
    expect(told).toMatchObject({ text: ' [1]\n', isError: false });
    expect(told).not.toHaveProperty('structured');
  });

  it('P6: what is no such output is an error with its code, the place or the paths, and what was printed', async () => {
    const session = await startServer(await instanceWithOutputs()).open(era);
    const answers = [
      await session.call('counts', { text: '{"n":3,\n"m":NaN}' }),
      await session.call('counts', { text: '{"n":-1}' }),
      await session.call('counts', { text: '{}' }),
      await session.call('fails'),
    ];
    expect(answers.map(({ refusal }) => refusal)).toMatchObject([
      { code: 'output_not_json', details: { line: 2, column: 5, offset: 12, stdout: '{"n":3,\n"m":NaN}' } },
      {
        code: 'output_mismatch',
        details: { issues: [{ path: '/count', message: 'must be >= 0' }], stdout: '{"n":-1}' },
      },
      { code: 'output_mismatch', details: { issues: [{ path: '/count' }] } },
      { code: 'exit_code', details: { exitCode: 2, stdout: 'said\n' } },
    ]);
    for (const answer of answers) expect(answer).not.toHaveProperty('structured');
  });

  it('P6: an output that says where it comes from is declared with one notification, and read at the next call', async () => {
    const instance = await instanceWithOutputs();
    const session = await startServer(instance).open(era);
    const before = await session.list();
    await instance.write(nodePath('tells'), echoing('tells', [log, { ...prose, from: { stdout: 'text' } }]));
    await session.listChanged();
    const after = await session.list();
    expect(after.tools.map(({ outputSchema }) => outputSchema !== undefined)).toEqual([true, true, true, true]);
    expect(after.tools.slice(0, 3)).toEqual(before.tools.slice(0, 3));
    expect((await session.call('tells', { text: 'a' })).structured).toEqual({ log: 'a', prose: 'a' });
    await instance.write(nodePath('tells'), echoing('tells', [log, prose]));
    await session.listChanged();
    expect((await session.list()).tools).toEqual(before.tools);
    expect(await session.listChangesDuring(settleMs)).toBe(0);
  });
});

describe.each([
  ['SDK 1.x', connectFirstSdk],
  ['SDK 2.x, negotiated', (instance: Instance) => connectCurrentSdk(instance, 'auto')],
  ['SDK 2.x, 2025 only', (instance: Instance) => connectCurrentSdk(instance, 'legacy')],
])('a client of the %s, which checks results itself', (_name, connect) => {
  it('P6, cases P10: takes outputs and errors', async () => {
    const client = await connect(await instanceWithOutputs());
    onTestFinished(() => client.close());
    await client.names();
    expect(await client.callValue('counts', { text: '{"n":3}' })).toEqual({ count: 3 });
    expect(await client.callValue('tells', { text: 'a' })).toBeUndefined();
    expect(await client.callValue('counts', { text: 'no' })).toBeUndefined();
    expect(JSON.parse(await client.callText('counts', { text: 'no' }))).toMatchObject({ code: 'output_not_json' });
    expect(JSON.parse(await client.callText('fails', {}))).toMatchObject({ code: 'exit_code' });
  });

  it('keeps its session whatever a tool prints', async () => {
    const zeros = (id: string, bytes: number, more: object) =>
      toolNode(id, { invoke: { shell: `head -c ${bytes} /dev/zero` }, limits: { outputBytes: 4_000_000 }, ...more });
    const instance = await instanceWithOutputs();
    await instance.write(nodePath('zeros'), zeros('zeros', 900_000, { io: { outputs: [log] } }));
    await instance.write(nodePath('prose-zeros'), zeros('prose-zeros', 3_000_000, {}));
    const client = await connect(instance);
    onTestFinished(() => client.close());
    await client.names();
    expect(JSON.parse(await client.callText('zeros', {}))).toMatchObject({
      code: 'output_mismatch',
      message: expect.stringContaining('the whole takes 11700026 bytes of a result'),
    });
    expect(await client.callText('prose_zeros', {})).toMatch(
      /^\0{1398101}\n\[output cut at 1398101 bytes, because a result/,
    );
    expect(await client.callValue('counts', { text: '{"n":3}' })).toEqual({ count: 3 });
  });
});

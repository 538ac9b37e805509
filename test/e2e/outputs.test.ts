import { basename } from 'node:path';
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

/** Bytes that are no text, in two files. */
const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff]);
const sound = Buffer.from([0x52, 0x49, 0x46, 0x46, 0xff, 0xfe, 0x00]);

async function instanceWithContent(): Promise<Instance> {
  const one = (id: string, shell: string, type: string) =>
    toolNode(id, {
      invoke: { shell },
      io: { outputs: [{ name: 'it', schema: typeIri(type), from: { stdout: 'text' } }] },
    });
  const part = (name: string, type: string) => {
    return { name, schema: typeIri(type), from: { stdout: 'json', pointer: `/${name}` } };
  };
  const instance = await makeInstance([
    one('draws', 'cat image.png', 'Png'),
    one('encodes', 'base64 image.png', 'EncodedPng'),
    one('speaks', 'cat sound.wav', 'Wav'),
    one('prints', 'cat image.png', 'Pdf'),
    one('writes', "echo '# Title'", 'Markdown'),
    one('breaks', 'echo no', 'EncodedPng'),
    toolNode('mixes', {
      invoke: { shell: 'cat mixed.json' },
      io: { outputs: [part('said', 'Text'), part('image', 'EncodedPng'), part('count', 'Count')] },
    }),
  ]);
  await instance.writeTypes({
    Text: { type: 'string' },
    Count: { type: 'integer' },
    Png: { type: 'string', contentMediaType: 'image/png' },
    EncodedPng: { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' },
    Wav: { type: 'string', contentMediaType: 'audio/wav' },
    Pdf: { type: 'string', contentMediaType: 'application/pdf' },
    Markdown: { type: 'string', contentMediaType: 'text/markdown' },
  });
  await instance.write('image.png', image);
  await instance.write('sound.wav', sound);
  await instance.write('mixed.json', { said: 'Here', image: image.toString('base64'), count: 3 });
  return instance;
}

it('P6: an output with a media type is content of its kind, in both eras; audio is told in words where there is none', async () => {
  const instance = await instanceWithContent();
  const drawn = { type: 'image', data: image.toString('base64'), mimeType: 'image/png' };
  const resource = (id: string, body: object) => {
    const uri = `urn:toolgraph:${basename(instance.root).toLowerCase()}:tool/${id}/output/it`;
    return { type: 'resource', resource: { uri: expect.stringMatching(new RegExp(`^${uri}$`, 'i')), ...body } };
  };
  const expected = {
    draws: [drawn],
    encodes: [drawn],
    speaks: [{ type: 'audio', data: sound.toString('base64'), mimeType: 'audio/wav' }],
    prints: [resource('prints', { mimeType: 'application/pdf', blob: image.toString('base64') })],
    writes: [resource('writes', { mimeType: 'text/markdown', text: '# Title' })],
    mixes: [{ type: 'text', text: 'Here' }, drawn, { type: 'text', text: '3' }],
  };
  for (const era of eras) {
    const session = await startServer(instance).open(era);
    expect((await session.list()).tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
    for (const [name, content] of Object.entries(expected)) {
      const result = await session.result('tools/call', { name, arguments: {} });
      expect(result.content).toEqual(content);
      expect(result).not.toHaveProperty('structuredContent');
    }
    expect((await session.call('breaks')).refusal).toMatchObject({
      code: 'output_mismatch',
      details: { issues: [{ path: '/it', message: expect.stringContaining('not base64') }], stdout: 'no\n' },
    });
  }
  const { wire } = startServer(instance);
  const clientInfo = { name: 'old', version: '0.0.0' };
  await wire.result('initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo });
  wire.notify('notifications/initialized');
  expect((await wire.result('tools/call', { name: 'draws', arguments: {} })).content).toEqual([drawn]);
  expect((await wire.result('tools/call', { name: 'speaks', arguments: {} })).content).toEqual([
    { type: 'text', text: 'audio (audio/wav, 7 bytes), which this revision of MCP cannot carry' },
  ]);
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

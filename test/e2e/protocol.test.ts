import { rename } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { eventually, patienceMs, within } from './deadline.js';
import { makeInstance, startServer } from './harness.js';
import { type Instance, nodePath, toolNode, typeIri } from './instance.js';
import { callAnswer, eras, type Session } from './session.js';

const greet = toolNode('greet', {
  description: 'Says a word',
  invoke: { shell: 'echo hello' },
  io: { inputs: [{ name: 'word', schema: typeIri('Word'), required: true, arg: { positional: 0 } }] },
});
const fails = toolNode('always-fails', { invoke: { shell: 'false' } });

/** The `tools` of a list, as they stood on the wire. */
async function listedBytes(session: Session): Promise<string> {
  const { line } = await session.request('tools/list');
  const start = line.indexOf('"tools":[');
  return line.slice(start, line.indexOf(',"_meta":{"toolgraph/generation"', start));
}

describe.each(eras)('toolgraph serve in the era %s', (era) => {
  it('opens, lists, calls, reads its resources, and ends with exit 0 when stdin ends', async () => {
    const instance = await makeInstance([greet]);
    const server = startServer(instance);
    const session = await server.open(era);
    const { tools, generation } = await session.list();
    expect(tools).toMatchObject([
      {
        name: 'greet',
        description: 'Says a word',
        inputSchema: {
          type: 'object',
          properties: { word: { type: 'string', pattern: '^[a-z]{1,20}$' } },
          required: ['word'],
          additionalProperties: false,
        },
      },
    ]);
    const answer = await session.call('greet', { word: 'world' });
    expect(answer).toMatchObject({ text: 'hello world\n', isError: false, generation });
    const { resources } = await session.result('resources/list');
    const uris = (resources as { uri: string }[]).map(({ uri }) => uri);
    expect(uris).toEqual(
      expect.arrayContaining(['toolgraph://tools', 'toolgraph://omissions', 'toolgraph://problems']),
    );
    expect(await session.read('toolgraph://tools')).toMatchObject({ tools: [{ name: 'greet' }] });
    expect(await session.read('toolgraph://status')).toMatchObject({ state: 'ready', tools: 1, problems: 0 });
    expect(server.wire.strayLines).toEqual([]);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });

  it('lets neither a stack nor a path of the host into an answer that is an error', async () => {
    const instance = await makeInstance([greet, fails]);
    const server = startServer(instance);
    const session = await server.open(era);
    const answers = await Promise.all([
      session.request('tools/call', { name: 'no-such-tool', arguments: {} }),
      session.request('tools/call', { name: 'constructor', arguments: {} }),
      session.request('tools/call', { name: 'greet', arguments: { word: '$(touch x)' } }),
      session.request('tools/call', { name: 'greet', arguments: JSON.parse('{"word":1,"__proto__":{"x":1}}') }),
      session.request('tools/call', { name: 'greet' }),
      session.request('tools/call', { name: 'always_fails', arguments: {} }),
      session.request('tools/call', {}),
      session.request('resources/read', { uri: 'toolgraph://nothing' }),
      session.request('resources/read', { uri: 'file:///etc/passwd' }),
      session.request('no/such/method'),
    ]);
    for (const { line } of answers) {
      expect(line).not.toContain(instance.root);
      expect(line).not.toMatch(/node_modules|\/dist\/|\.js:\d+|\bat [\w.<>]+ \(/);
    }
    const [unknown, inherited, unsafe, wrong, missing, failed] = answers;
    const notThere = { code: -32602, data: { code: 'unknown_tool' } };
    expect(unknown?.error).toMatchObject({ ...notThere, message: 'Unknown tool: no-such-tool' });
    expect(inherited?.error).toMatchObject(notThere);
    const codes = [unsafe, wrong, missing, failed].map((answer) => callAnswer(answer?.result ?? {}).refusal?.code);
    expect(codes).toEqual(['invalid_params', 'invalid_params', 'invalid_params', 'exit_code']);
  });

  it('survives hostile lines on stdin and still answers', async () => {
    const instance = await makeInstance([greet]);
    const server = startServer(instance);
    const session = await server.open(era);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const hostile = [
      'not json',
      '',
      '{}',
      '[]',
      'null',
      '"text"',
      '\u0000\u001b[2J',
      deep,
      '[{"jsonrpc":"2.0","id":9001,"method":"tools/list"}]',
      '{"jsonrpc":"2.0","method":"notifications/none"}',
      '{"jsonrpc":"2.0","id":9002,"result":{}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":123456}}',
      '{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}',
      `{"jsonrpc":"2.0","id":9003,"method":"tools/list","params":{"x":"${'x'.repeat(10_000_000)}"}}`,
    ];
    server.wire.write(`${hostile.join('\n')}\n`);
    expect(await session.names()).toEqual(['greet']);
    expect((await session.call('greet', { word: 'still' })).text).toBe('hello still\n');
    expect(server.wire.strayLines).toEqual([]);
    expect(server.stderrText).not.toContain('    at ');
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });

  it('answers what is piped in at once, though stdin ends with it', async () => {
    const server = startServer(await makeInstance([greet]));
    const opening = server.open(era);
    await opening;
    const list = (await opening).send('tools/list');
    server.wire.end();
    expect((await list.answer()).result?.tools).toHaveLength(1);
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  it('W14: the list waits for the first generation, also of 2,000 nodes', async () => {
    const instance = await makeInstance();
    for (let n = 0; n < 2000; n++) await instance.write(nodePath(`t${n}`), toolNode(`t${n}`));
    const session = await startServer(instance).open(era);
    expect((await session.list()).tools).toHaveLength(2000);
    expect(await session.listChangesDuring(500)).toBe(0);
  });
});

describe('the bytes of the list', () => {
  const ids = Array.from({ length: 40 }, (_, n) => `tool-${n}`);

  async function instanceIn(order: readonly string[]): Promise<Instance> {
    const instance = await makeInstance(order.map((id) => toolNode(id)));
    await instance.config({ name: 'order' });
    return instance;
  }

  it('P1: are the same after every restart, whatever the order in which the files were made, and in both eras', async () => {
    const seen = new Set<string>();
    const digests = new Set<string>();
    for (let round = 0; round < 6; round++) {
      const rotated = [...ids.slice(round * 7), ...ids.slice(0, round * 7)];
      const instance = await instanceIn(round < 3 ? rotated : rotated.reverse());
      const server = startServer(instance);
      const session = await server.open(round % 2 === 0 ? '2025-11-25' : '2026-07-28');
      seen.add(await listedBytes(session));
      digests.add((await session.list()).generation.digest);
      await server.stop();
    }
    expect(seen.size).toBe(1);
    expect(digests.size).toBe(1);
    const [bytes = ''] = seen;
    const names = (JSON.parse(`{${bytes}}`).tools as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(ids.map((id) => id.replace('-', '_')).sort());
  });

  it('are those of a rebuild, when the derived store has been deleted', async () => {
    const instance = await instanceIn(ids);
    const bytes: string[] = [];
    for (let round = 0; round < 2; round++) {
      const server = startServer(instance);
      bytes.push(await listedBytes(await server.open('2025-11-25')));
      await server.stop();
      await instance.remove('.toolgraph/graph.db');
    }
    expect(bytes[1]).toBe(bytes[0]);
  });
});

describe('the end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('comes with %s although the client keeps stdin open', async (signal) => {
    const server = startServer(await makeInstance([greet]));
    await (await server.open('2025-11-25')).list();
    server.kill(signal);
    const { code } = await within(server.exited, patienceMs, () => `the server outlived ${signal}`);
    expect(code).toBe(signal === 'SIGTERM' ? 0 : 130);
  });

  it('comes with the end of stdin although the node folder has gone, whose watch chokidar opens again after close()', async () => {
    const instance = await makeInstance([greet]);
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    await session.list();
    await rename(instance.path('graph'), instance.path('away'));
    await eventually(async () => (await session.read('toolgraph://status')).state === 'degraded', 'it is degraded');
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });

  it('comes with the end of stdin although the patterns of the types are still being analysed', async () => {
    const lengths = Array.from({ length: 200 }, (_, n) => n + 200);
    const inputs = lengths
      .slice(0, 99)
      .map((n) => ({ name: `w${n}`, schema: typeIri(`W${n}`), arg: { flag: `--w${n}` } }));
    const instance = await makeInstance([toolNode('slow', { io: { inputs } })]);
    await instance.writeTypes(
      Object.fromEntries(lengths.map((n) => [`W${n}`, { type: 'string', pattern: `^[a-z]{1,${n}}$` }])),
    );
    const server = startServer(instance);
    await server.open('2025-11-25');
    expect((await server.stop()).signal).toBeNull();
    expect(server.stderrText).toBe('');
  });
});

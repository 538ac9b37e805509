import { describe, expect, it } from 'vitest';
import { makeInstance } from '../e2e/harness.js';
import { toolNode, typeIri } from '../e2e/instance.js';
import { run, TerminalSession } from './cli-process.js';

const nodes = [
  toolNode('say-hello', { title: 'Say hello' }),
  toolNode('new-one', { tier: 'experimental' }),
  toolNode('piped', { invoke: { shell: 'echo a | wc' } }),
];

describe('toolgraph tools', () => {
  it('prints the stable JSON form', async () => {
    const { root } = await makeInstance(nodes);
    const { code, stdout, stderr } = await run(['tools', root, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    const report = JSON.parse(stdout);
    expect(Object.keys(report)).toEqual(['generation', 'digest', 'tools', 'omissions', 'problems']);
    expect(report).toEqual({
      generation: 1,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      tools: [
        {
          name: 'say_hello',
          description: 'Does say-hello',
          inputSchema: { type: 'object', properties: {}, additionalProperties: false },
          _meta: { 'toolgraph/definition': expect.stringMatching(/^[0-9a-f]{64}$/) },
        },
      ],
      omissions: [
        { id: 'new-one', code: 'tier', reason: expect.any(String), document: 'graph/tools/new-one.json' },
        { id: 'piped', code: 'shell-syntax', reason: expect.any(String), document: 'graph/tools/piped.json' },
      ],
      problems: [],
    });
    expect(stdout).not.toContain(root);
  });

  it('prints records separated by tabs into a pipe', async () => {
    const { root } = await makeInstance(nodes);
    const { stdout } = await run(['tools', root]);
    const fields = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(fields[0]).toEqual(['tool', 'say_hello', 'shell', 'stable', 'Say hello', 'Does say-hello']);
    expect(fields.slice(1).map((line) => line.slice(0, 3))).toEqual([
      ['omission', 'new-one', 'tier'],
      ['omission', 'piped', 'shell-syntax'],
    ]);
  });

  it('reads the current directory where no other is named', async () => {
    const { root } = await makeInstance(nodes);
    expect((await run(['tools'], { cwd: root })).stdout).toBe((await run(['tools', root])).stdout);
  });

  it('serves the tiers that are asked for', async () => {
    const { root } = await makeInstance(nodes);
    const { stdout } = await run(['tools', root, '--tiers', 'experimental']);
    expect(stdout).toMatch(/^tool\tnew_one\t/m);
    expect(stdout).not.toMatch(/^tool\tsay_hello\t/m);
  });

  it('exits 1 when there is a problem, and lists the rest', async () => {
    const instance = await makeInstance(nodes);
    await instance.write('graph/tools/broken.json', '{\n  "id": "broken",\n}');
    const { code, stdout } = await run(['tools', instance.root]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^tool\tsay_hello\t/m);
    expect(stdout).toMatch(/^problem\tgraph\/tools\/broken\.json:3:1\tunreadable\t/m);
    const { problems } = JSON.parse((await run(['tools', instance.root, '--json'])).stdout);
    expect(problems).toMatchObject([{ code: 'unreadable', document: 'graph/tools/broken.json', line: 3 }]);
  });

  it('names the type that is not there, and the tool that needs it', async () => {
    const input = { name: 'x', schema: typeIri('Gone'), arg: { flag: '--x' } };
    const { root } = await makeInstance([toolNode('lost', { io: { inputs: [input], outputs: [] } })]);
    const { problems } = JSON.parse((await run(['tools', root, '--json'])).stdout);
    expect(problems).toMatchObject([{ code: 'unresolved-schema', id: 'lost', document: 'graph/tools/lost.json' }]);
  });

  it('prints a coloured table at a terminal, and plain with NO_COLOR', async () => {
    const { root } = await makeInstance(nodes);
    const colored = new TerminalSession(['tools', root]);
    expect(await colored.ended()).toBe(0);
    expect(colored.output).toContain('\u001b[32msay_hello\u001b[39m');
    const plain = new TerminalSession(['tools', root], { NO_COLOR: '1' });
    expect(await plain.ended()).toBe(0);
    expect(plain.output).toMatch(/^ {2}say_hello {2}shell {2}stable {2}Say hello - Does say-hello\r$/m);
    expect(plain.output).not.toContain('\u001b');
  });

  it('never sends the terminal what a hostile description holds', async () => {
    const hostile = 'Click \u001b]8;;http://evil\u0007here\u009b2J\u202e';
    const { root } = await makeInstance([toolNode('bad', { title: hostile, description: hostile })]);
    const session = new TerminalSession(['tools', root], { NO_COLOR: '1' });
    expect(await session.ended()).toBe(0);
    expect(session.output).toContain('Click \\u001b]8;;http://evil\\u0007here\\u009b2J\\u202e');
    expect(session.output.replace(/\r\n/g, '')).not.toMatch(/[\p{Cc}\u202e]/u);
    const json = (await run(['tools', root, '--json'])).stdout;
    expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(JSON.parse(json).tools[0].description).toBe(hostile);
  });
});

import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { makeInstance } from '../e2e/harness.js';
import { toolNode } from '../e2e/instance.js';
import { run, startCli, TerminalSession } from './cli-process.js';

describe('toolgraph export', () => {
  it('writes JSON-LD unless told otherwise, and says nothing', async () => {
    const { root } = await makeInstance([toolNode('a')]);
    const { code, stdout, stderr } = await run(['export', root]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe((await run(['export', root, '--format', 'jsonld'])).stdout);
    expect(JSON.parse(stdout)).toHaveLength(2);
    expect(stdout).not.toContain(root);
  });

  it('writes what could be read, lists the problems on stderr, and exits 1', async () => {
    const instance = await makeInstance([toolNode('a')]);
    await instance.write('graph/tools/broken.json', '{\n  "id": "broken",\n}');
    const { code, stdout, stderr } = await run(['export', instance.root, '--format', 'nquads']);
    expect(code).toBe(1);
    expect(stdout).toContain('tool/a> ');
    expect(stdout).not.toContain('broken');
    expect(stderr).toMatch(
      /^graph\/tools\/broken\.json:3:1: unreadable: .*\ntoolgraph: what these problems keep from being read is not in the export\n$/,
    );
  });

  it('exits 2 on a format that there is not, and names those that there are', async () => {
    const { root } = await makeInstance();
    const { code, stdout, stderr } = await run(['export', root, '--format', 'xml']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('jsonld, turtle, trig, nquads');
  });

  it('ends quietly when its reader goes away', async () => {
    const instance = await makeInstance();
    // More than a pipe holds, so that it is still being written when the reader goes.
    const nodes = Array.from({ length: 400 }, (_, i) => toolNode(`tool-${i}`, { description: 'x'.repeat(1000) }));
    await instance.write('graph/many.json', { '@graph': nodes });
    const child = startCli(['export', instance.root]);
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code, signal] = await once(child, 'close');
    expect([code, signal, stderr]).toEqual([0, null, '']);
  });

  it('writes escapes of the format at a terminal, where the raw character would act', async () => {
    const { root } = await makeInstance([toolNode('a', { description: 'red \u001b[31m, reversed \u202e' })]);
    for (const [format, red] of [
      ['jsonld', '\\u001b[31m'],
      ['nquads', '\\u001B[31m'],
      ['turtle', '\\u001b[31m'],
    ] as const) {
      const session = new TerminalSession(['export', root, '--format', format]);
      expect(await session.ended()).toBe(0);
      expect(session.output).toContain(`red ${red}, reversed \\u202e`);
      expect(session.output).not.toContain('\u001b[31m');
    }
    expect((await run(['export', root])).stdout).toContain('reversed \u202e');
  });
});

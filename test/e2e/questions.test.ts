import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../cli/cli-process.js';
import { makeInstance } from './harness.js';
import { nodePath, toolNode } from './instance.js';

/** One whom permissions bind, which root is not. */
const user = process.geteuid?.() === 0 ? 65_534 : undefined;
const tools = 'SELECT ?tool { ?tool a tg:Tool } ORDER BY ?tool';
const noHistory = 'toolgraph: this instance has no history yet: it begins when it is served\n';

describe('query and history', () => {
  it('answer before anything has been served: there is no history, and with the first question it begins', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const { root } = instance;
    expect(await run(['history', 'a', root])).toEqual({ code: 1, stdout: '', stderr: noHistory });
    expect(existsSync(instance.path('.toolgraph'))).toBe(false);
    expect(await run(['query', tools, root])).toEqual({ code: 0, stdout: 'tool\ntool:a\n', stderr: '' });
    const { code, stdout } = await run(['history', 'a', root, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).revisions).toMatchObject([
      { until: null, generations: [{ first: 1 }], node: { id: 'a' } },
    ]);
  });

  it('answer of an instance that cannot be written, and leave nothing in it', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const state = mkdtempSync(join(tmpdir(), 'toolgraph-state-'));
    onTestFinished(() => rmSync(state, { recursive: true }));
    if (user !== undefined) chownSync(state, user, user);
    execFileSync('chmod', ['-R', 'a+rX,a-w', instance.root]);
    onTestFinished(() => void execFileSync('chmod', ['-R', 'u+w', instance.root]));
    const ask = (words: readonly string[], home = state) =>
      run([...words, instance.root], { user, env: { XDG_STATE_HOME: home } });
    expect(await ask(['history', 'a'])).toEqual({ code: 1, stdout: '', stderr: noHistory });
    expect(await ask(['query', tools])).toEqual({ code: 0, stdout: 'tool\ntool:a\n', stderr: '' });
    expect((await ask(['history', 'a'])).stdout).toMatch(/^20\S+\t\t\t[0-9a-f]{64}\tgraph\/tools\/a\.json\t/);
    expect(readdirSync(instance.root)).toEqual(['graph']);
    const nowhere = await ask(['query', tools], instance.root);
    expect([nowhere.code, nowhere.stdout]).toEqual([1, '']);
    expect(nowhere.stderr).toContain('can be written; make one of them writable, or set XDG_STATE_HOME');
  });

  it('answer beside problems with what could be read, say so, and keep what a node was before it became one', async () => {
    const instance = await makeInstance([toolNode('a'), toolNode('b')]);
    expect((await run(['query', tools, instance.root])).stdout).toBe('tool\ntool:a\ntool:b\n');
    await instance.write(nodePath('b'), { ...toolNode('b'), satisfies: [] });
    await instance.write(nodePath('c'), '{ "id": ');
    const { code, stdout, stderr } = await run(['query', tools, instance.root]);
    expect([code, stdout]).toEqual([0, 'tool\ntool:a\n']);
    expect(stderr).toBe(
      'toolgraph: 2 problems: what they keep from being read is not in the graph; toolgraph check tells of them\n',
    );
    const before = await run(['history', 'b', instance.root, '--json']);
    expect(before.code).toBe(0);
    expect(JSON.parse(before.stdout).revisions).toMatchObject([{ node: { id: 'b', satisfies: ['testing'] } }]);
    const never = await run(['history', 'c', instance.root]);
    expect(never).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no revision of c is kept') });
  });
});

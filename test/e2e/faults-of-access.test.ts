import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually, patienceMs, within } from './deadline.js';
import { makeInstance, startServer } from './harness.js';
import { type Instance, nodePath, toolNode } from './instance.js';

/** One whom permissions bind, which root is not. */
const user = process.geteuid?.() === 0 ? 65_534 : undefined;

async function makeShared(): Promise<Instance> {
  const instance = await makeInstance(['a', 'b', 'c'].map((id) => toolNode(id)));
  execFileSync('chmod', ['-R', 'a+rwX', instance.root]);
  onTestFinished(() => void execFileSync('chmod', ['-R', 'a+rwX', instance.root]));
  return instance;
}

describe('what nobody may read any more', () => {
  it.each([
    ['the node folder', 'graph', 'degraded', []],
    ['a folder in it', 'graph/tools', 'ready', []],
    ['one file', nodePath('b'), 'ready', ['a', 'c']],
  ])('%s is kept and reported with what to do, ends a start, and heals', async (_, path, state, others) => {
    const instance = await makeShared();
    const session = await startServer(instance, { user }).open('2025-11-25');
    expect(await session.names()).toEqual(['a', 'b', 'c']);
    chmodSync(instance.path(path), 0);
    // Not every watcher tells of permissions; any event has the folders scanned.
    await instance.config({});
    const isTold = async () => (await session.read('toolgraph://status')).problems === 1;
    await eventually(isTold, 'the problem is told');
    const problem = {
      code: 'unreadable',
      document: path,
      message: 'no permission to read it; correct its permissions',
    };
    expect(await session.read('toolgraph://problems')).toMatchObject({ problems: [problem] });
    expect((await session.read('toolgraph://status')).state).toBe(state);
    expect(await session.names()).toEqual(['a', 'b', 'c']);

    const refused = startServer(instance, { user });
    expect((await within(refused.exited, patienceMs, () => 'the server did not end')).code).toBe(1);
    expect(refused.stderrText).toContain(`${path}: unreadable: ${problem.message}`);
    const late = await startServer(instance, { user, args: ['--keep-going'] }).open('2025-11-25');
    // Never from the store (DESIGN decision 3).
    expect(await late.names()).toEqual(others);

    chmodSync(instance.path(path), 0o777);
    await instance.config({ keepGoing: false });
    for (const each of [session, late]) {
      await eventually(async () => (await each.read('toolgraph://status')).problems === 0, 'no problem is left');
      expect(await each.names()).toEqual(['a', 'b', 'c']);
      expect((await each.read('toolgraph://status')).state).toBe('ready');
    }
    await instance.replace(nodePath('b'), toolNode('b', { description: 'After the return' }));
    await eventually(async () => (await session.list()).tools[1]?.description === 'After the return', 'it is followed');
  });
});

import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { eventually } from './deadline.js';
import { makeInstance, startServer } from './harness.js';
import { type Instance, nodePath, toolNode } from './instance.js';
import type { Session } from './session.js';

/** Longer than the quiet time, the longest gathering and the scan after the last event together (DESIGN decisions 4 and 5). */
const settleMs = 900;
const numbers = Array.from({ length: 50 }, (_, n) => n);

async function git(folder: string, ...words: readonly string[]): Promise<string> {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'init.defaultBranch=main'];
  return (await execa('git', [...identity, '-C', folder, ...words])).stdout;
}

/**
 * A worktree, on the branch `old`, of a repository with two branches: on `new` the 50 nodes t0…t49 have another description, o0…o9 are
 * gone and n0…n9 there.
 */
async function worktree(): Promise<Instance> {
  const repository = await makeInstance(numbers.map((n) => toolNode(`t${n}`, { description: `Old ${n}` })));
  for (let n = 0; n < 10; n++) await repository.write(nodePath(`o${n}`), toolNode(`o${n}`));
  await git(repository.root, 'init', '-q');
  await git(repository.root, 'add', '.');
  await git(repository.root, 'commit', '-qm', 'old');
  await git(repository.root, 'switch', '-qc', 'new');
  for (const n of numbers) await repository.write(nodePath(`t${n}`), toolNode(`t${n}`, { description: `New ${n}` }));
  for (let n = 0; n < 10; n++) {
    await repository.remove(nodePath(`o${n}`));
    await repository.write(nodePath(`n${n}`), toolNode(`n${n}`));
  }
  await git(repository.root, 'add', '-A');
  await git(repository.root, 'commit', '-qm', 'new');
  await git(repository.root, 'switch', '-q', '--detach', 'main');
  const instance = await makeInstance();
  await instance.remove('graph');
  await git(repository.root, 'worktree', 'add', '-q', '-B', 'old', instance.root, 'main');
  return instance;
}

const names = (...letters: readonly string[]) =>
  letters.flatMap((letter) => numbers.slice(0, letter === 't' ? 50 : 10).map((n) => `${letter}${n}`)).sort();

/** Lists, while `act` is under way and until the list is `last`; gives every list that was seen. */
async function listsUntil(
  session: Session,
  last: readonly string[],
  word: string,
  act: Promise<unknown>,
): Promise<string[][]> {
  const seen: string[][] = [];
  await eventually(async () => {
    const { tools } = await session.list();
    seen.push(tools.map(({ name }) => name));
    const isNew = tools.every(({ name, description }) => !name.startsWith('t') || description.startsWith(word));
    return isNew && seen.at(-1)?.join() === last.join();
  }, 'the list is that of the other branch');
  await act;
  return seen;
}

it('a branch is switched in a git worktree: the list ends as the folder does, no tool of both branches is lost, one after the other and at once', async () => {
  const instance = await worktree();
  expect(readFileSync(instance.path('.git'), 'utf8')).toMatch(/^gitdir: /);
  // The whole worktree is the node folder, so that `.git` lies in it.
  await instance.config({ folders: [{ path: '.' }] });
  const session = await startServer(instance).open('2025-11-25');
  expect(await session.names()).toEqual(names('o', 't'));
  const { documents } = await session.read('toolgraph://status');
  expect(documents).toBe(61);

  const steps = [
    ['new', names('n', 't'), 'New'],
    ['old', names('o', 't'), 'Old'],
  ] as const;
  for (const [branch, last, word] of [...steps, ...steps]) {
    const seen = await listsUntil(session, last, word, git(instance.root, 'switch', '-q', branch));
    for (const list of seen) expect(list).toEqual(expect.arrayContaining(names('t')));
    const told = await session.listChangesDuring(settleMs);
    expect(told).toBeGreaterThanOrEqual(1);
    expect(await session.names()).toEqual(last);
    expect(await session.read('toolgraph://status')).toMatchObject({ problems: 0, state: 'ready' });
  }

  // Four switches without a pause.
  for (const [branch] of [...steps, ...steps]) await git(instance.root, 'switch', '-q', branch);
  await git(instance.root, 'switch', '-q', 'new');
  await listsUntil(session, names('n', 't'), 'New', Promise.resolve());
  await session.listChangesDuring(settleMs);
  expect(await session.names()).toEqual(names('n', 't'));
});

it('a worktree has state of its own, which git does not see', async () => {
  const instance = await worktree();
  const session = await startServer(instance).open('2025-11-25');
  expect(await session.names()).toEqual(names('o', 't'));
  expect(await git(instance.root, 'status', '--porcelain', '-uall')).toBe('');
  await cp(instance.path(nodePath('t1')), instance.path(nodePath('t1')).replace('t1.json', 'copy.json'));
  await eventually(
    async () => (await session.read('toolgraph://status')).problems === 1,
    'the second home is reported',
  );
  await git(instance.root, 'clean', '-fdq');
  await eventually(async () => (await session.read('toolgraph://status')).problems === 0, 'it is healed');
  expect(await session.names()).toEqual(names('o', 't'));
});

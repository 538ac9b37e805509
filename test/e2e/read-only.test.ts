import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeInstance, type StartOptions, startServer } from './harness.js';
import { type Instance, nodePath, toolNode } from './instance.js';

/** One whom permissions bind, which root is not. */
const user = process.geteuid?.() === 0 ? 65_534 : undefined;

/** Takes from everybody the right to write in the instance, until the test has ended. */
function makeReadOnly(instance: Instance): void {
  execFileSync('chmod', ['-R', 'a+rX,a-w', instance.root]);
  onTestFinished(() => makeWritable(instance));
}

function makeWritable(instance: Instance): void {
  execFileSync('chmod', ['-R', 'u+w', instance.root]);
}

/** A folder of the user for state, and the options with which a server uses it. */
function stateHome(): { readonly folder: string; readonly options: StartOptions } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-state-')));
  if (user !== undefined) chownSync(folder, user, user);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { folder, options: { user, env: { XDG_STATE_HOME: folder } } };
}

const stateFolders = (folder: string) => readdirSync(join(folder, 'toolgraph')).sort();

describe('an instance that cannot be written', () => {
  it('is served with its state in the state folder of the user, and no write in it is even tried', async () => {
    const instance = await makeInstance([toolNode('a')]);
    makeReadOnly(instance);
    const { folder, options } = stateHome();
    const hook = new URL('fixtures/tell-writes.mjs', import.meta.url).href;
    const env = { ...options.env, NODE_OPTIONS: `--import=${hook}`, TELL_WRITES_BELOW: instance.root };
    const server = startServer(instance, { ...options, env });
    const session = await server.open('2025-11-25');
    expect(await session.names()).toEqual(['a']);
    expect((await session.call('a')).text).toBe('a\n');
    expect(await session.read('toolgraph://status')).toMatchObject({ state: 'ready', problems: 0 });
    const [state, ...others] = stateFolders(folder);
    expect(others).toEqual([]);
    expect(state).toMatch(new RegExp(`^${basename(instance.root)}-[0-9a-f]{12}$`));
    expect(readdirSync(join(folder, 'toolgraph', state ?? ''))).toEqual(
      expect.arrayContaining(['.gitignore', 'graph.db', 'records.db']),
    );

    const changed = session.listChanged();
    makeWritable(instance);
    await instance.replace(nodePath('a'), toolNode('a', { description: 'Edited by its owner' }));
    await changed;
    expect((await session.list()).tools[0]?.description).toBe('Edited by its owner');
    await server.stop();
    expect(server.stderrText).not.toContain('tried to write');
    expect(readdirSync(instance.root)).toEqual(['graph']);
  });

  it('would be told of by that test: where the instance can be written, its state folder is', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const hook = new URL('fixtures/tell-writes.mjs', import.meta.url).href;
    const server = startServer(instance, {
      env: { NODE_OPTIONS: `--import=${hook}`, TELL_WRITES_BELOW: instance.root },
    });
    await (await server.open('2025-11-25')).list();
    await server.stop();
    expect(server.stderrText).toContain(`tried to write: mkdirSync ${instance.path('.toolgraph')}`);
  });

  it('shares its state with no other of the same name, and has one state through whatever path it is reached', async () => {
    const parents = [await makeInstance(), await makeInstance()];
    for (const [n, parent] of parents.entries()) {
      await parent.write('same/graph/tools/t.json', toolNode(`t${n}`));
      symlinkSync('same', parent.path('link'));
      makeReadOnly(parent);
    }
    const { folder, options } = stateHome();
    const list = async (root: string) => {
      const server = startServer({ root }, options);
      const listed = await (await server.open('2025-11-25')).list();
      await server.stop();
      return listed;
    };
    const [one, two] = parents.map((parent) => parent.path('same'));
    const first = await list(one ?? '');
    expect(first.tools.map(({ name }) => name)).toEqual(['t0']);
    expect((await list(two ?? '')).tools.map(({ name }) => name)).toEqual(['t1']);
    expect(stateFolders(folder)).toEqual([
      expect.stringMatching(/^same-[0-9a-f]{12}$/),
      expect.stringMatching(/^same-[0-9a-f]{12}$/),
    ]);
    expect((await list(parents[0]?.path('link') ?? '')).generation).toEqual(first.generation);
    expect(stateFolders(folder)).toHaveLength(2);
  });

  it('can be included by one that can: each has its state where it can be', async () => {
    const [other, root] = [await makeInstance([toolNode('a')]), await makeInstance([toolNode('t')])];
    await root.config({ include: [`../${basename(other.root)}`] });
    execFileSync('chmod', ['a+rwx', root.root]);
    makeReadOnly(other);
    const { folder, options } = stateHome();
    const session = await startServer(root, options).open('2025-11-25');
    expect(await session.names()).toEqual(['a', 't']);
    expect(stateFolders(folder)).toEqual([expect.stringMatching(new RegExp(`^${basename(other.root)}-`))]);
    expect(readdirSync(root.root)).toContain('.toolgraph');
    expect(readdirSync(other.root)).toEqual(['graph']);
  });

  it('keeps the state that it has when only it is closed, and its state folder is not', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const { folder, options } = stateHome();
    execFileSync('chmod', ['a+rwx', instance.root]);
    const first = startServer(instance, options);
    const { generation } = await (await first.open('2025-11-25')).list();
    await first.stop();
    execFileSync('chmod', ['a-w', instance.root]);
    onTestFinished(() => makeWritable(instance));
    const second = startServer(instance, options);
    expect((await (await second.open('2025-11-25')).list()).generation).toEqual(generation);
    expect(readdirSync(folder)).toEqual([]);
  });
});

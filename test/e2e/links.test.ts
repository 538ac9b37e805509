import { mkdir, rename, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { eventually, patienceMs, within } from './deadline.js';
import { makeInstance, startServer } from './harness.js';
import { type Instance, nodePath, toolNode } from './instance.js';
import type { Session } from './session.js';

/** Longer than the quiet time, the longest gathering and the scan after the last event together (DESIGN decisions 4 and 5). */
const settleMs = 900;
/** Well below the interval of full scans: what comes within it, an event has told of. */
const toldMs = 5_000;

async function open(instance: Instance, args: readonly string[] = []): Promise<Session> {
  const session = await startServer(instance, { args }).open('2025-11-25');
  await session.list();
  return session;
}

async function problems(session: Session): Promise<readonly { readonly document: string; readonly message: string }[]> {
  return (await session.read('toolgraph://problems')).problems as { document: string; message: string }[];
}

/** Puts a link in the place of another one at once, as `ln -sfn` does not and a deployment must. */
async function switchLink(instance: Instance, path: string, target: string): Promise<void> {
  await symlink(target, instance.path(`${path}.next`));
  await rename(instance.path(`${path}.next`), instance.path(path));
}

describe('W7: a node folder that is a link to a folder of the instance', () => {
  /** An instance whose `graph` is a link to `releases/1`, with a second release beside it. */
  async function released(): Promise<Instance> {
    const instance = await makeInstance();
    await instance.remove('graph');
    for (const n of [1, 2]) {
      await instance.write(`releases/${n}/tools/a.json`, toolNode('a', { description: `Release ${n}` }));
      await instance.write(`releases/${n}/tools/only-${n}.json`, toolNode(`only-${n}`));
    }
    await symlink('releases/1', instance.path('graph'));
    return instance;
  }

  it('is served and followed live: an edit below its real place is told of at once, under the path of the link', async () => {
    const instance = await released();
    const session = await open(instance);
    expect(await session.names()).toEqual(['a', 'only_1']);
    await instance.replace('releases/1/tools/a.json', toolNode('a', { description: 'Edited' }));
    await session.listChanged(toldMs);
    expect((await session.list()).tools[0]?.description).toBe('Edited');
    await instance.write('releases/1/tools/deep/new.json', { ...toolNode('new'), invok: 1 });
    await eventually(async () => (await problems(session)).length === 1, 'the new document is read', toldMs);
    expect((await problems(session))[0]).toMatchObject({ document: 'graph/tools/deep/new.json' });
    await instance.remove('releases/1/tools/deep');
    await instance.remove('releases/1/tools/only-1.json');
    await session.listChanged(toldMs);
    expect(await session.names()).toEqual(['a']);
  });

  it.each(['at once', 'by removing it first'])(
    'that is switched %s is followed to the new folder, and only there',
    async (how) => {
      const instance = await released();
      const session = await open(instance);
      if (how === 'at once') await switchLink(instance, 'graph', 'releases/2');
      else {
        await instance.remove('graph');
        await symlink('releases/2', instance.path('graph'));
      }
      await eventually(async () => (await session.names()).join(' ') === 'a only_2', 'the new list is served', toldMs);
      expect((await session.list()).tools[0]?.description).toBe('Release 2');
      await session.listChangesDuring(settleMs);
      await instance.replace('releases/2/tools/a.json', toolNode('a', { description: 'Edited' }));
      await session.listChanged(toldMs);
      expect((await session.list()).tools[0]?.description).toBe('Edited');
      await instance.replace('releases/1/tools/a.json', toolNode('a', { description: 'Nobody sees this' }));
      expect(await session.listChangesDuring(settleMs)).toBe(0);
      expect((await session.read('toolgraph://status')).state).toBe('ready');
    },
  );
});

describe('W7: a link in the node folder', () => {
  it('to ".", in a circle, or to what is read anyway ends, and each file is one document', async () => {
    const instance = await makeInstance([toolNode('a'), toolNode('b')]);
    await symlink('.', instance.path('graph/loop'));
    await symlink('..', instance.path('graph/tools/up'));
    await symlink('../tools', instance.path('graph/tools/again'));
    const session = await open(instance);
    expect(await session.names()).toEqual(['a', 'b']);
    expect(await session.read('toolgraph://status')).toMatchObject({ documents: 3, problems: 0 });
    await instance.replace(nodePath('a'), toolNode('a', { description: 'Edited' }));
    await session.listChanged();
    expect(await session.listChangesDuring(settleMs)).toBe(0);
  });

  it('out of the instance is refused with what to do, ends a start, and lets the rest be served', async () => {
    const outside = await makeInstance([toolNode('secret')]);
    const instance = await makeInstance([toolNode('a')]);
    await symlink('/etc/passwd', instance.path('graph/passwd.json'));
    await symlink(outside.path('graph'), instance.path('graph/theirs'));
    await symlink(outside.path(nodePath('secret')), instance.path('graph/tools/secret.json'));
    const refused = startServer(instance);
    expect((await within(refused.exited, patienceMs, () => 'the server did not end')).code).toBe(1);
    const session = await open(instance, ['--keep-going']);
    expect(await session.names()).toEqual(['a']);
    const found = await problems(session);
    expect(found.map(({ document }) => document)).toEqual([
      'graph/passwd.json',
      'graph/theirs',
      'graph/tools/secret.json',
    ]);
    for (const { message } of found) {
      expect(message).toMatch(/^the link leads outside the instance; copy what it leads to .* under "include"/);
    }
    expect(JSON.stringify(found)).not.toContain(outside.root);
    await outside.write(nodePath('secret'), toolNode('secret', { description: 'Changed' }));
    expect(await session.listChangesDuring(settleMs)).toBe(0);
  });

  it('in the place of the node folder and out of the instance is refused; including what it leads to serves it', async () => {
    const outside = await makeInstance([toolNode('theirs')]);
    const instance = await makeInstance();
    await instance.remove('graph');
    await symlink(outside.path('graph'), instance.path('graph'));
    const session = await open(instance, ['--keep-going']);
    expect(await session.names()).toEqual([]);
    expect(await problems(session)).toMatchObject([{ document: 'graph' }]);
    await instance.remove('graph');
    await mkdir(instance.path('graph'));
    // The base decides what every document becomes, and there is none to be read again.
    await instance.config({ base: 'urn:other:', include: [outside.root] });
    await eventually(async () => (await session.names()).join(' ') === 'theirs', 'the other instance is served');
    await eventually(async () => (await problems(session)).length === 0, 'no problem is left');
  });

  it('G5: to a file that is a document already makes no second home, and where it leads is followed when it is switched', async () => {
    const instance = await makeInstance([toolNode('a')]);
    await symlink('a.json', instance.path('graph/tools/z.json'));
    await symlink('tools/a.json', instance.path('graph/again.json'));
    await instance.write('lib/v1.json', toolNode('linked', { description: 'One' }));
    await instance.write('lib/v2.json', toolNode('linked', { description: 'Two' }));
    await symlink('../../lib/v1.json', instance.path('graph/tools/linked.json'));
    await symlink('../../lib/v1.json', instance.path('graph/tools/linked-again.json'));
    const session = await open(instance);
    const descriptions = async () => (await session.list()).tools.map(({ description }) => description);
    expect(await descriptions()).toEqual(['Does a', 'One']);
    expect(await problems(session)).toEqual([]);
    await instance.replace('lib/v1.json', toolNode('linked', { description: 'One, edited' }));
    await session.listChanged(toldMs);
    expect(await descriptions()).toEqual(['Does a', 'One, edited']);
    await instance.remove('graph/tools/linked-again.json');
    await switchLink(instance, 'graph/tools/linked.json', '../../lib/v2.json');
    await eventually(async () => (await descriptions()).join() === 'Does a,Two', 'the other file is read', toldMs);
    expect(await problems(session)).toEqual([]);
  });
});

import { renameSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventually } from './deadline.js';
import { makeInstance, startServer } from './harness.js';
import { type Instance, nodePath, toolNode, typeIri } from './instance.js';
import type { Session } from './session.js';

/** Longer than the quiet time, the longest gathering and the scan after the last event together (DESIGN decisions 4 and 5). */
const settleMs = 900;

async function startWith(nodes: readonly Record<string, unknown>[]): Promise<{ instance: Instance; session: Session }> {
  const instance = await makeInstance(nodes);
  const session = await startServer(instance).open('2025-11-25');
  await session.list();
  return { instance, session };
}

/** Lists again and again until `done`, and gives every list that was seen. */
async function pollNames(session: Session, done: Promise<unknown>): Promise<Set<string>> {
  const seen = new Set<string>();
  let over = false;
  const end = done.finally(() => {
    over = true;
  });
  while (!over) seen.add((await session.names()).join(' '));
  await end;
  return seen;
}

async function descriptionOf(session: Session, name: string): Promise<string | undefined> {
  return (await session.list()).tools.find((tool) => tool.name === name)?.description;
}

/** One file after the other, each so late that what is there has been looked at before. */
async function copySlowly(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copySlowly(source, target);
    else await cp(source, target);
    await delay(150);
  }
}

describe('while files are saved', () => {
  const nodes = ['a', 'b', 'c'].map((id) => toolNode(id));

  it('W1: 100 atomic saves of the same bytes: the list never shrinks and nobody is told', async () => {
    const { instance, session } = await startWith(nodes);
    const saving = (async () => {
      for (let n = 0; n < 100; n++) {
        await instance.replace(nodePath('b'), toolNode('b'));
        if (n % 10 === 0) await delay(20);
      }
      await delay(settleMs);
    })();
    expect([...(await pollNames(session, saving))]).toEqual(['a b c']);
    expect(await session.listChangesDuring(0)).toBe(0);
  });

  it('W1: 100 atomic saves of new bytes: the list never shrinks, ends new, and is told of at most once a save', async () => {
    const { instance, session } = await startWith(nodes);
    const saving = (async () => {
      for (let n = 1; n <= 100; n++) {
        await instance.replace(nodePath('b'), toolNode('b', { description: `Version ${n}` }));
        await delay(n % 13);
      }
      await eventually(async () => (await descriptionOf(session, 'b')) === 'Version 100', 'the last save is listed');
    })();
    expect([...(await pollNames(session, saving))]).toEqual(['a b c']);
    const told = await session.listChangesDuring(settleMs);
    expect(told).toBeGreaterThanOrEqual(1);
    expect(told).toBeLessThanOrEqual(100);
  });

  it('W1: of 20 saves, each after the last was told, each is told exactly once', async () => {
    const { instance, session } = await startWith(nodes);
    for (let n = 1; n <= 20; n++) {
      await instance.replace(nodePath('b'), toolNode('b', { description: `Version ${n}` }));
      await session.listChanged();
      expect(await descriptionOf(session, 'b')).toBe(`Version ${n}`);
    }
    expect(await session.listChangesDuring(settleMs)).toBe(0);
  });

  it('W2: a file that is written in pieces is never served half: the old tool stays until the new one is whole', async () => {
    const { instance, session } = await startWith(nodes);
    const text = JSON.stringify(toolNode('b', { description: 'Written in pieces' }));
    const writing = (async () => {
      await truncate(instance.path(nodePath('b')), 0);
      await delay(200);
      await instance.write(nodePath('b'), text.slice(0, text.length / 2));
      await delay(300);
      await instance.write(nodePath('b'), text);
      await session.listChanged();
    })();
    expect([...(await pollNames(session, writing))]).toEqual(['a b c']);
    expect(await descriptionOf(session, 'b')).toBe('Written in pieces');
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    expect(await session.read('toolgraph://problems')).toMatchObject({ problems: [] });
  });

  it('W3: 50 times copied and removed, it ends as the folder ends', async () => {
    const { instance, session } = await startWith(nodes);
    const flicker = async () => {
      for (let n = 0; n < 50; n++) {
        await instance.write(nodePath('d'), toolNode('d'));
        if (n % 7 === 0) await delay(3);
        await instance.remove(nodePath('d'));
      }
    };
    await flicker();
    await instance.write(nodePath('d'), toolNode('d'));
    await eventually(async () => (await session.names()).includes('d'), 'd is listed');
    await delay(settleMs);
    expect(await session.names()).toEqual(['a', 'b', 'c', 'd']);
    await flicker();
    await eventually(async () => !(await session.names()).includes('d'), 'd is gone');
    await delay(settleMs);
    expect(await session.names()).toEqual(['a', 'b', 'c']);
  });

  it('W5: a removed file is retracted with one notification, and a call of its tool says so', async () => {
    const { instance, session } = await startWith(nodes);
    await instance.remove(nodePath('b'));
    await session.listChanged();
    expect(await session.names()).toEqual(['a', 'c']);
    expect((await session.call('b')).refusal).toMatchObject({ code: 'tool_removed' });
    expect(await session.listChangesDuring(settleMs)).toBe(0);
  });

  it('W11: a change of only a description, and of only the description of one input, is seen', async () => {
    const withInput = (description: string, inputDescription: string) =>
      toolNode('b', {
        description,
        io: {
          inputs: [{ name: 'word', schema: typeIri('Word'), description: inputDescription, arg: { positional: 0 } }],
        },
      });
    const { instance, session } = await startWith([withInput('Old', 'old input')]);
    await instance.write(nodePath('b'), withInput('New', 'old input'));
    await session.listChanged();
    expect(await descriptionOf(session, 'b')).toBe('New');
    await instance.write(nodePath('b'), withInput('New', 'new input'));
    await session.listChanged();
    const [tool] = (await session.list()).tools;
    expect(tool?.inputSchema.properties.word).toMatchObject({ description: 'new input' });
    expect(await session.listChangesDuring(settleMs)).toBe(0);
  });

  it('W12: a small document saved 20 ms after a big one wins, and stays', async () => {
    const { instance, session } = await startWith(nodes);
    const many = Array.from({ length: 1500 }, (_, n) => toolNode(`big-${n}`));
    await instance.replace('graph/tools/file.json', { '@graph': many });
    await delay(20);
    await instance.replace('graph/tools/file.json', toolNode('small'));
    await eventually(async () => (await session.names()).join(' ') === 'a b c small', 'the small one is listed');
    await delay(settleMs);
    expect(await session.names()).toEqual(['a', 'b', 'c', 'small']);
  });

  it('W16: backup, swap and temporary files of editors are not read', async () => {
    const { instance, session } = await startWith(nodes);
    const node = JSON.stringify(toolNode('intruder'));
    const names = [
      '.hidden.json',
      'a.json~',
      'x.json.tmp',
      '.a.json.swp',
      'a.json.swp',
      '4913',
      '#a.json#',
      '.#a.json',
    ];
    for (const [i, name] of names.entries()) await instance.write(`graph/tools/${name}`, i % 2 === 0 ? node : '{"half');
    await delay(settleMs);
    await instance.write(nodePath('d'), toolNode('d'));
    await session.listChanged();
    expect(await session.names()).toEqual(['a', 'b', 'c', 'd']);
    expect(await session.read('toolgraph://problems')).toMatchObject({ problems: [] });
    expect(await session.listChangesDuring(settleMs)).toBe(0);
  });
});

describe('W18: 300 nodes', () => {
  const version = (n: number, word: string) => toolNode(`t${n}`, { description: `${word} ${n}` });
  const numbers = Array.from({ length: 300 }, (_, n) => n);

  it('switched at once give at most two notifications, and touched all at once none', async () => {
    const { instance, session } = await startWith(numbers.map((n) => version(n, 'Old')));
    for (const n of numbers) await instance.write(`next/t${n}.json`, version(n, 'New'));
    const began = performance.now();
    for (const n of numbers) renameSync(instance.path(`next/t${n}.json`), instance.path(nodePath(`t${n}`)));
    const isNew = async () => (await session.list()).tools.every(({ description }) => description.startsWith('New'));
    await eventually(isNew, 'all 300 are new');
    // The events of a burst lag behind it on a busy machine, so its end is when the last has been seen.
    const tookMs = performance.now() - began;
    const told = await session.listChangesDuring(settleMs);
    expect(told).toBeGreaterThanOrEqual(1);
    // Two for a burst that fits into 100 ms (DESIGN decision 5).
    expect(told).toBeLessThanOrEqual(2 + Math.floor(tookMs / 100));

    const now = new Date();
    for (const n of numbers) await utimes(instance.path(nodePath(`t${n}`)), now, now);
    expect(await session.listChangesDuring(2 * settleMs)).toBe(0);
    expect((await session.list()).tools).toHaveLength(300);
  });
});

describe('W4: a folder that goes away', () => {
  const nodes = ['a', 'b', 'c'].map((id) => toolNode(id));

  it('keeps everything as degraded while the node folder is missing, and follows it again when it is back', async () => {
    const { instance, session } = await startWith(nodes);
    const missing = (async () => {
      await rename(instance.path('graph'), instance.path('kept'));
      await eventually(async () => (await session.read('toolgraph://status')).state === 'degraded', 'it is degraded');
      await delay(settleMs);
    })();
    const during = await pollNames(session, missing);
    expect([...during]).toEqual(['a b c']);
    await mkdir(instance.path('graph'));
    await cp(instance.path('kept'), instance.path('graph'), { recursive: true });
    await eventually(async () => (await session.read('toolgraph://status')).state === 'ready', 'it is ready again');
    await eventually(async () => (await session.names()).join(' ') === 'a b c', 'all are listed');
    await instance.write(nodePath('b'), toolNode('b', { description: 'After the return' }));
    await eventually(async () => (await descriptionOf(session, 'b')) === 'After the return', 'the edit is seen');
  });

  it.each(['put back', 'made anew'])(
    'keeps everything while the instance itself is away, until it is %s',
    async (how) => {
      const { instance, session } = await startWith(nodes);
      const missing = (async () => {
        await rename(instance.root, `${instance.root}-away`);
        const reported = async () => (await session.read('toolgraph://status')).problems === 1;
        await eventually(reported, 'the missing folder is reported');
        await delay(settleMs);
        if (how === 'made anew') {
          await mkdir(instance.root);
          await instance.config({ keepGoing: true });
          await delay(settleMs);
        }
      })();
      expect([...(await pollNames(session, missing))]).toEqual(['a b c']);
      const returning = (async () => {
        if (how === 'put back') await rename(`${instance.root}-away`, instance.root);
        else await copySlowly(`${instance.root}-away/graph`, instance.path('graph'));
        const ready = async () => (await session.read('toolgraph://status')).state === 'ready';
        await eventually(ready, 'it is ready again');
      })();
      expect([...(await pollNames(session, returning))]).toEqual(['a b c']);
      await instance.write(nodePath('b'), toolNode('b', { description: 'After the return' }));
      await eventually(async () => (await descriptionOf(session, 'b')) === 'After the return', 'the edit is seen');
      await rm(`${instance.root}-away`, { recursive: true, force: true });
    },
  );

  it('retracts the tools of a folder inside of it, and follows that one again when it is made again', async () => {
    const { instance, session } = await startWith(nodes);
    await instance.write('graph/other/d.json', toolNode('d'));
    await session.listChanged();
    await rename(instance.path('graph/tools'), instance.path('away'));
    await eventually(async () => (await session.names()).join(' ') === 'd', 'only d is listed');
    await mkdir(instance.path('graph/tools'));
    await cp(instance.path('away'), instance.path('graph/tools'), { recursive: true });
    await eventually(async () => (await session.names()).join(' ') === 'a b c d', 'all are listed again');
    await instance.write(nodePath('b'), toolNode('b', { description: 'After the return' }));
    await eventually(async () => (await descriptionOf(session, 'b')) === 'After the return', 'the edit is seen');
  });
});

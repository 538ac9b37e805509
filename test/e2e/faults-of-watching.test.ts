import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { makeInstance, startServer } from './harness.js';
import { nodePath, toolNode } from './instance.js';

const failWatches = `--import=${new URL('fixtures/fail-watches.mjs', import.meta.url).href}`;
/** Shorter than the interval of scans while all is watched, so that an event must have told of the edit. */
const eventMs = 8_000;

it.each([
  ['ENOSPC', /raise fs\.inotify\.max_user_watches/],
  ['EMFILE', /raise fs\.inotify\.max_user_instances or `ulimit -n`/],
])(
  'an instance that cannot be watched (%s) is polled and "degraded", which is said once, and watched again when it can be',
  async (code, remedy) => {
    const instance = await makeInstance(['a', 'b', 'c'].map((id) => toolNode(id)));
    await instance.write('graph/more/d.json', toolNode('d'));
    const flag = instance.path('.no-watches');
    await instance.write('.no-watches', code);
    const server = startServer(instance, { env: { NODE_OPTIONS: failWatches, FAIL_WATCHES_WHILE: flag } });
    const session = await server.open('2025-11-25');
    expect(await session.names()).toEqual(['a', 'b', 'c', 'd']);
    const told = await server.stderr.next((line) => line.includes(code));
    expect(told).toMatch(/the node folders cannot be watched \(\w+\): .*; until then they are looked at every 2 s/);
    expect(told).toMatch(remedy);
    expect((await session.read('toolgraph://status')).state).toBe('degraded');
    for (const description of ['Polled', 'Polled again']) {
      await instance.replace(nodePath('b'), toolNode('b', { description }));
      await session.listChanged();
      expect((await session.list()).tools[1]?.description).toBe(description);
    }
    await rm(flag);
    await server.stderr.next((line) => line.includes('the node folders are watched again'));
    expect((await session.read('toolgraph://status')).state).toBe('ready');
    await instance.replace('graph/more/d.json', toolNode('d', { description: 'Heard' }));
    await session.listChanged(eventMs);
    expect((await session.list()).tools[3]?.description).toBe('Heard');
    expect(server.stderr.all.filter((line) => line.includes('watched'))).toHaveLength(2);
  },
);

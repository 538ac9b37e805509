import { renameSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { eventually } from './deadline.js';
import { makeInstance, type ServerProcess, startServer } from './harness.js';
import { type Instance, nodePath, toolNode } from './instance.js';
import type { Session } from './session.js';
import { rebuild, storedQuads } from './store-content.js';

const processes = 6;
const numbers = Array.from({ length: 300 }, (_, n) => n);

/** Writes a version of all nodes beside them, and returns what puts some of them in place at once. */
async function prepare(instance: Instance, word: string): Promise<(chosen: readonly number[]) => void> {
  for (const n of numbers) await instance.write(`next/t${n}.json`, toolNode(`t${n}`, { description: `${word} ${n}` }));
  return (chosen) => {
    for (const n of chosen) renameSync(instance.path(`next/t${n}.json`), instance.path(nodePath(`t${n}`)));
  };
}

async function expectOneTruth(instance: Instance, sessions: readonly Session[], word: string): Promise<void> {
  const truth = await rebuild(instance);
  const stamps = () => Promise.all(sessions.map(async (session) => (await session.list()).generation));
  await eventually(
    async () => (await stamps()).every(({ digest }) => digest === truth.digest),
    `all have the digest of the folder, ${word}`,
  );
  await eventually(
    async () => new Set((await stamps()).map(({ number }) => number)).size === 1,
    `all have one number, ${word}`,
  );
  for (const session of sessions) {
    expect((await session.list()).tools).toHaveLength(numbers.length);
    expect(await session.read('toolgraph://status')).toMatchObject({ state: 'ready', problems: 0 });
  }
  await eventually(
    () => JSON.stringify(storedQuads(instance)) === JSON.stringify(truth.quads),
    `one truth in the store, ${word}`,
  );
}

it('six processes that begin at once on an instance without state, and then ingest the same 300 changes, end with one truth and tell of no lock', async () => {
  const instance = await makeInstance();
  await instance.config({ name: 'six' });
  for (const n of numbers) await instance.write(nodePath(`t${n}`), toolNode(`t${n}`));
  const servers: ServerProcess[] = Array.from({ length: processes }, () => startServer(instance));
  const sessions = await Promise.all(servers.map((server) => server.open('2025-11-25')));
  await expectOneTruth(instance, sessions, 'from nothing');

  const atOnce = await prepare(instance, 'At once');
  atOnce(numbers);
  await expectOneTruth(instance, sessions, 'in one burst');

  const inBursts = await prepare(instance, 'In bursts');
  for (let start = 0; start < numbers.length; start += 50) {
    inBursts(numbers.slice(start, start + 50));
    await delay(60);
  }
  await expectOneTruth(instance, sessions, 'in six bursts');

  for (const server of servers) {
    await server.stop();
    expect(server.stderrText).not.toMatch(/busy|lock|SQLITE|damaged|failed/i);
  }
});

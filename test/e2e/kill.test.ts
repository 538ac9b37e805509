import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { SeededRandom } from '../../scripts/seeded-random.js';
import { makeInstance, startServer } from './harness.js';
import { readGenerationRows, readNodes } from './history-content.js';
import { nodePath, toolNode } from './instance.js';
import { recordsOf } from './records.js';
import type { ListedTool } from './session.js';
import { rebuild, storedQuads } from './store-content.js';

const nodes = 300;
const kills = 14;

it('G11: killed with -9 at any moment of ingest, 14 times, it restarts each time with the digest of a rebuild and misses nothing that was acknowledged', async () => {
  const seeded = new SeededRandom(11);
  const random = () => seeded.next();
  const instance = await makeInstance();
  await instance.config({ name: 'killed' });
  /** What is written to each node; undefined when its file is removed. */
  const version = (n: number, round: number): Record<string, unknown> | undefined =>
    random() < 0.1 ? undefined : toolNode(`t${n}`, { description: `Round ${round}: ${random()}` });
  for (let n = 0; n < nodes; n++) await instance.write(nodePath(`t${n}`), toolNode(`t${n}`));
  const killedDuring = { start: 0, edits: 0 };
  /** Ids of calls that were answered, and what was in the lists that were. */
  const answered: string[] = [];
  const listed = new Map<string, ReadonlySet<string>>();
  for (let round = 1; round <= kills; round++) {
    const server = startServer(instance);
    if (round % 3 === 0) {
      // In the start, which has what the last server left undone to ingest.
      await delay(300 + 900 * random());
      killedDuring.start++;
    } else {
      const session = await server.open('2025-11-25');
      expect((await session.list()).generation.digest).toBe((await rebuild(instance)).digest);
      const list = await session.list();
      listed.set(`${list.generation.number} ${list.generation.digest}`, definitionsOf(list.tools));
      const [first] = list.tools;
      if (first !== undefined) answered.push((await session.call(first.name)).call ?? 'no id');
      const killed = delay(600 * random()).then(() => server.kill('SIGKILL'));
      for (let n = 0; n < nodes; n++) {
        const node = version(n, round);
        if (node === undefined) await instance.remove(nodePath(`t${n}`));
        else await instance.replace(nodePath(`t${n}`), node);
      }
      await killed;
      killedDuring.edits++;
    }
    server.kill('SIGKILL');
    expect(await server.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(server.stderrText).not.toMatch(/damaged|dropped|SQLITE/);
  }
  expect(killedDuring).toEqual({ start: 4, edits: 10 });

  const last = startServer(instance);
  const session = await last.open('2025-11-25');
  const truth = await rebuild(instance);
  expect((await session.list()).generation.digest).toBe(truth.digest);
  const calls = recordsOf(instance);
  expect(calls.map(({ id }) => id)).toEqual(expect.arrayContaining(answered));
  await last.stop();
  expect(readNodes(instance)).toEqual(truth.nodes);
  const kept = readGenerationRows(instance);
  expect(listed.size).toBeGreaterThan(5);
  for (const [generation, definitions] of listed)
    expect([generation, kept(generation)]).toEqual([generation, definitions]);
  expect(last.stderrText).not.toMatch(/damaged|dropped|SQLITE/);
  expect(storedQuads(instance)).toEqual(truth.quads);
  for (const name of ['graph.db', 'records.db']) {
    const db = new Database(instance.path(`.toolgraph/${name}`));
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
  }
});

function definitionsOf(tools: readonly ListedTool[]): ReadonlySet<string> {
  return new Set(tools.map(({ _meta }) => String(_meta?.['toolgraph/definition'])));
}

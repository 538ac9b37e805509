import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { loadFigures, renderLoad } from '../../../scripts/load/figures.js';
import { type LoadOptions, type LoadOutcome, load } from '../../../scripts/load/run.js';

vi.setConfig({ testTimeout: 180_000 });

const cli = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));
const lyingProxy = fileURLToPath(new URL('fixtures/lying-proxy.mjs', import.meta.url));
const small: Omit<LoadOptions, 'cli' | 'onFault'> = {
  ...{ seed: 1, clients: 6, tools: 5, pauseMs: 40 },
  ...{ warmUpMs: 1, forMs: 1500 },
};

describe.runIf(process.platform === 'linux')('A load', () => {
  it('of the built server finds nothing wrong, and times what clients of both eras do', async () => {
    const faults: string[] = [];
    const outcome = await load({ ...small, cli, onFault: (fault) => faults.push(fault) });
    expect(faults).toEqual([]);
    expect(outcome).toMatchObject({ lost: 0, doubled: 0, tornLists: 0, errors: 0 });
    expect(outcome.rounds).toBeGreaterThan(1);
    expect(outcome.notifications).toBe(outcome.rounds * outcome.clients);
    expect(outcome.lists).toBeGreaterThanOrEqual(outcome.notifications);
    expect(outcome.reopened).toBeGreaterThan(0);
    const eras = new Set(outcome.acts.filter(({ act }) => act === 'list_when_told').map(({ era }) => era));
    expect(eras).toEqual(new Set(['2025-11-25', '2026-07-28']));
    for (const { heapMiB, descriptors } of [outcome.fresh, outcome.before, outcome.after]) {
      expect(heapMiB).toBeGreaterThan(1);
      expect(descriptors).toBeGreaterThan(3);
    }
  });

  it('finds out a server that does not tell, tells twice and gives a list of two rounds', async () => {
    const faults: string[] = [];
    const outcome = await load({
      ...{ ...small, forMs: 1, deadlineMs: 1000 },
      ...{ cli: lyingProxy, onFault: (fault) => faults.push(fault) },
    });
    expect(outcome.lost).toBeGreaterThanOrEqual(3);
    expect(outcome.doubled).toBeGreaterThanOrEqual(3);
    expect(outcome.tornLists).toBeGreaterThan(0);
    expect(faults.join('\n')).toMatch(/was told 0 times, and 1 was due/);
    expect(loadFigures(1, outcome).isRight).toBe(false);
  });
});

describe('The figures of a load', () => {
  const held = { rssMiB: 120, anonymousMiB: 90, descriptors: 30, heapMiB: 25 };
  const outcome: LoadOutcome = {
    ...{ clients: 200, seconds: 60, rounds: 40, silentRounds: 10, reopened: 160, toldMs: [80, 90, 400] },
    ...{ notifications: 8000, lost: 0, doubled: 0, lists: 9000, tornLists: 0, errors: 0 },
    acts: [
      { era: '2025-11-25', act: 'ping', ms: Array.from({ length: 100 }, (_, i) => i + 1) },
      { era: '2025-11-25', act: 'list', ms: [100, 150, 300] },
    ],
    ...{ fresh: held, before: held, after: held },
  };

  it('are right when nothing is wrong, and compare with the pings of the same era', () => {
    const figures = loadFigures(7, outcome);
    expect(figures).toMatchObject({ seed: 7, isRight: true, toldMs: { median: 90, highest: 400 } });
    expect(figures.acts[1]).toEqual({
      ...{ era: '2025-11-25', act: 'list', count: 3, p50Ms: 150, p99Ms: 300 },
      ...{ p50OfPing: 3, p99OfPing: 300 / 99 },
    });
    expect(renderLoad(figures)).toMatch(/ {2}2025-11-25 list +p50 150\.0 \(3\.0 x\), p99 300\.0 \(3\.0 x\), of 3\n/);
    expect(renderLoad(figures)).toMatch(/\nall right$/);
  });

  it.each([
    ['a lost notification', { ...outcome, lost: 1 }],
    ['a doubled notification', { ...outcome, doubled: 1 }],
    ['a list that is not whole', { ...outcome, tornLists: 1 }],
    ['an error', { ...outcome, errors: 1 }],
    ['no change', { ...outcome, rounds: 0 }],
    ['a heap that has grown', { ...outcome, after: { ...held, heapMiB: 30 } }],
    ['memory that has grown', { ...outcome, after: { ...held, anonymousMiB: 190 } }],
    ['descriptors that are left', { ...outcome, after: { ...held, descriptors: 33 } }],
  ])('are not right with %s', (_, wrong) => {
    const figures = loadFigures(1, wrong);
    expect(figures.isRight).toBe(false);
    expect(renderLoad(figures)).toMatch(/NOT right$/);
  });
});

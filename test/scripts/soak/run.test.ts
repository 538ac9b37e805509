import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { renderFigures, soakFigures } from '../../../scripts/soak/figures.js';
import { type SoakOutcome, soak } from '../../../scripts/soak/run.js';

vi.setConfig({ testTimeout: 240_000 });

const cli = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));
const lyingServer = fileURLToPath(new URL('fixtures/lying-server.mjs', import.meta.url));

function total(outcome: SoakOutcome, key: 'lost' | 'doubled'): number {
  return outcome.clients.reduce((sum, client) => sum + client[key], 0);
}

describe.runIf(process.platform === 'linux')('A soak', () => {
  it('of the built server finds nothing wrong in its first bursts', async () => {
    const faults: string[] = [];
    const outcome = await soak({ cli, seed: 1, forMs: 200_000, bursts: 5, onFault: (fault) => faults.push(fault) });
    expect(faults).toEqual([]);
    expect(outcome).toMatchObject({ bursts: 5, differences: 0, digestSplits: 0 });
    expect(outcome.edits).toBeGreaterThan(5);
    expect(outcome.clients.map(({ client }) => client)).toEqual([
      ...['2025-11-25 #1', '2026-07-28 #1', '2025-11-25 #2', '2026-07-28 #2'],
    ]);
    for (const { samples, notifications } of outcome.clients) {
      expect(notifications).toBeGreaterThan(0);
      // At the start and after every fourth burst.
      expect(samples).toHaveLength(2);
      expect(samples.every(({ anonymousMiB, descriptors }) => anonymousMiB > 1 && descriptors > 3)).toBe(true);
    }
  });

  it.each([
    ['never tells of a change', 'mute', 'lost'],
    ['tells of changes that are none', 'shout', 'doubled'],
    ['lists what is no longer so', 'stale', 'differences'],
  ] as const)('finds out a server that %s', async (_, lie, figure) => {
    vi.stubEnv('SOAK_LIE', lie);
    const faults: string[] = [];
    const outcome = await soak({
      ...{ cli: lyingServer, seed: 1, forMs: 100_000, bursts: 2, deadlineMs: 2000 },
      onFault: (fault) => faults.push(fault),
    });
    vi.unstubAllEnvs();
    expect(faults).not.toEqual([]);
    const found = figure === 'differences' ? outcome.differences : total(outcome, figure);
    expect(found).toBeGreaterThanOrEqual(4);
    expect(soakFigures(1, outcome).isRight).toBe(false);
  });
});

describe('The figures of a soak', () => {
  const sample = { rssMiB: 80, anonymousMiB: 50, descriptors: 20 };
  const client = { client: 'c', notifications: 3, lost: 0, doubled: 0, samples: Array(30).fill(sample) };
  const outcome: SoakOutcome = {
    ...{ bursts: 30, edits: 90, differences: 0, digestSplits: 0 },
    latencies: [
      { burst: 'mixed', ms: 100 },
      { burst: 'create 300', ms: 900 },
      { burst: 'mixed', ms: 200 },
    ],
    clients: [client, client],
  };
  const rising = (key: 'anonymousMiB' | 'descriptors', step: number) =>
    client.samples.map((figures, i) => ({ ...figures, [key]: figures[key] + i * step }));

  it('are right when nothing is wrong, and tell the slowest burst', () => {
    const figures = soakFigures(7, outcome);
    expect(figures).toMatchObject({ seed: 7, isRight: true, latencyMs: { median: 200, highest: 900 } });
    expect(renderFigures(figures)).toContain('median 200 ms, most 900 ms (create 300)');
    expect(renderFigures(figures)).toMatch(/\nall right$/);
  });

  it.each([
    ['a difference', { ...outcome, differences: 1 }],
    ['digests that differ', { ...outcome, digestSplits: 1 }],
    ['a lost notification', { ...outcome, clients: [client, { ...client, lost: 1 }] }],
    ['a doubled notification', { ...outcome, clients: [client, { ...client, doubled: 1 }] }],
    ['memory that rises', { ...outcome, clients: [client, { ...client, samples: rising('anonymousMiB', 1) }] }],
    ['descriptors that rise', { ...outcome, clients: [{ ...client, samples: rising('descriptors', 0.2) }] }],
    ['no burst at all', { ...outcome, bursts: 0 }],
  ])('are not right with %s', (_, wrong) => {
    const figures = soakFigures(7, wrong);
    expect(figures.isRight).toBe(false);
    expect(renderFigures(figures)).toMatch(/\nNOT right$/);
  });
});

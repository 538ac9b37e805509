import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { callSoakFigures, renderCallFigures } from '../../../scripts/soak-calls/figures.js';
import { type CallSoakOutcome, soakCalls } from '../../../scripts/soak-calls/run.js';

vi.setConfig({ testTimeout: 240_000 });

const cli = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));
const forgetfulServer = fileURLToPath(new URL('fixtures/forgetful-server.mjs', import.meta.url));

describe.runIf(process.platform === 'linux')('A soak of calls', () => {
  it('of the built server finds nothing wrong in its first calls', async () => {
    const faults: string[] = [];
    const outcome = await soakCalls({ cli, seed: 1, calls: 60, clients: 4, onFault: (fault) => faults.push(fault) });
    expect(faults).toEqual([]);
    expect(callSoakFigures(1, outcome)).toMatchObject({ isRight: true, isGrowthJudged: false });
    // With those that are made before a sample is taken.
    expect(outcome.calls).toBe(72);
    expect(outcome.ends.size).toBeGreaterThan(6);
    expect(outcome.clients.map(({ samples }) => samples.length)).toEqual([1, 1, 1, 0]);
    expect(outcome.clients.flatMap(({ samples }) => samples.map(({ heapMiB }) => heapMiB > 5))).not.toContain(false);
  });

  it('finds out a server that records nothing and leaves processes', async () => {
    const faults: string[] = [];
    const outcome = await soakCalls({
      ...{ cli: forgetfulServer, seed: 1, calls: 12, clients: 1, restMs: 500 },
      onFault: (fault) => faults.push(fault),
    });
    expect(outcome.faults.lost).toHaveLength(16);
    expect(outcome.faults.unexpected.length).toBeGreaterThan(5);
    expect(outcome.orphans).toBeGreaterThanOrEqual(12);
    expect(faults.filter((fault) => fault.startsWith('orphan'))).toHaveLength(outcome.orphans);
    expect(callSoakFigures(1, outcome).isRight).toBe(false);
  });
});

describe('The figures of a soak of calls', () => {
  const sample = { rssMiB: 80, anonymousMiB: 50, heapMiB: 20, descriptors: 20 };
  const client = { client: 'client 1', deaths: 0, samples: Array(30).fill(sample) };
  const faults = { lost: [], doubled: [], unended: [], wrong: [], unexpected: [] };
  const outcome: CallSoakOutcome = {
    ...{ calls: 90, seconds: 9, records: 90, interrupted: 1, faults, orphans: 0 },
    ...{ reportedSurvivors: 1, untoldSurvivors: 1, stuckServers: 0, leftFiles: 0 },
    ends: new Map([
      ['timeout', 30],
      ['ran', 60],
    ]),
    clients: [client, { client: 'client 2', deaths: 3, samples: [] }],
  };
  const rising = (key: 'heapMiB' | 'anonymousMiB' | 'descriptors', step: number) =>
    client.samples.map((figures, i) => ({ ...figures, [key]: figures[key] + i * step }));

  it('are right when nothing is wrong', () => {
    const figures = callSoakFigures(7, outcome);
    expect(figures).toMatchObject({ seed: 7, isRight: true, isGrowthJudged: true });
    const words = renderCallFigures(figures);
    expect(words).toContain('ended: ran 60, timeout 30');
    expect(words).toContain('client 2: it or its server was killed 3 times');
    expect(words).toMatch(/\nall right$/);
  });

  it.each([
    ['a lost record', { faults: { ...faults, lost: ['x'] } }],
    ['a doubled record', { faults: { ...faults, doubled: ['x'] } }],
    ['a record without an end', { faults: { ...faults, unended: ['x'] } }],
    ['a record that is wrong', { faults: { ...faults, wrong: ['x'] } }],
    ['an answer that cannot be', { faults: { ...faults, unexpected: ['x'] } }],
    ['an orphan', { orphans: 1 }],
    ['a server that outlived its client', { stuckServers: 1 }],
    ['a file that was left', { leftFiles: 1 }],
    ['a heap that rises', { clients: [{ ...client, samples: rising('heapMiB', 0.3) }] }],
    ['memory that rises', { clients: [{ ...client, samples: rising('anonymousMiB', 2) }] }],
    ['descriptors that rise', { clients: [client, { ...client, samples: rising('descriptors', 0.2) }] }],
    ['no call at all', { calls: 0 }],
  ])('are not right with %s', (_, wrong) => {
    const figures = callSoakFigures(7, { ...outcome, ...wrong });
    expect(figures.isRight).toBe(false);
    expect(renderCallFigures(figures)).toMatch(/\nNOT right$/);
  });

  it('do not judge growth by a few samples', () => {
    const few = { ...client, samples: rising('anonymousMiB', 100).slice(0, 9) };
    const figures = callSoakFigures(7, { ...outcome, clients: [few] });
    expect(figures.isRight).toBe(true);
    expect(renderCallFigures(figures)).toContain('growth is not judged');
  });
});

import { describe, expect, it } from 'vitest';
import { renderReport } from '../../../scripts/bench/report.js';
import { type BenchResult, BenchResultSchema, type BenchRow, benchRow } from '../../../scripts/bench/result.js';
import { targets } from '../../../scripts/bench/targets.js';
import { renderPerformance } from '../../../scripts/performance-page.js';

function timed(id: string, section: BenchRow['section'], ms: number, peerMs?: number): BenchRow {
  const nodes = Number(id.split('.').at(-1));
  const peer = peerMs === undefined ? undefined : { what: 'the floor', runs: [peerMs] };
  const head = { id, section, what: id, unit: 'ms' } as const;
  return benchRow(Number.isNaN(nodes) ? head : { ...head, nodes }, [ms], peer);
}

/** Rows that reach each target exactly. */
const exact = [
  timed('notification.100', 'notification', 4, 4),
  timed('notification.1000', 'notification', 6, 4),
  timed('notification.10000', 'notification', 6, 4),
  timed('ingest.first.10000', 'ingest', 4000, 2000),
  timed('ingest.restart.10000', 'ingest', 200, 4000),
  timed('call.command', 'call', 2.5, 2),
  timed('call.in-process', 'call', 0.75, 0.25),
  timed('http.list.2025-11-25', 'http', 5, 2),
  timed('http.call.2025-11-25', 'http', 1.2, 1),
  timed('http.list.2026-07-28', 'http', 5, 2),
  timed('http.call.2026-07-28', 'http', 1.2, 1),
];

const result: BenchResult = {
  date: '2026-11-30T12:00:00.000Z',
  commit: 'abc',
  quick: false,
  durationSeconds: 61,
  settings: { rounds: 5, editsPerRun: 60, sizes: [100, 10_000], seed: 1 },
  machine: { node: 'v20', os: 'Linux', cpu: 'x', cores: 2, memoryGiB: 8, load: [0.5, 1] },
  versions: { jsonld: '9.0.0' },
  rows: exact,
};

describe('The targets', () => {
  it('are reached at their limits', () => {
    expect(targets(exact).map(({ measured, reached }) => [measured, reached])).toEqual([
      [1.5, true],
      [1.5, true],
      [2, true],
      [20, true],
      [1.25, true],
      [3, true],
      ...[1, 2].flatMap(() => [
        [2.5, true],
        [1.2, true],
      ]),
    ]);
  });

  it.each([
    [0, timed('notification.1000', 'notification', 6.1, 4)],
    [1, timed('notification.10000', 'notification', 6.1, 1)],
    [2, timed('ingest.first.10000', 'ingest', 4100, 2000)],
    [3, timed('ingest.restart.10000', 'ingest', 210, 4000)],
    [4, timed('call.command', 'call', 2.6, 2)],
    [5, timed('call.in-process', 'call', 0.8, 0.25)],
    [6, timed('http.list.2025-11-25', 'http', 5.1, 2)],
    [9, timed('http.call.2026-07-28', 'http', 1.3, 1)],
  ])('are not reached beyond them: target %i', (index, worse) => {
    const rows = exact.map((row) => (row.id === worse.id ? worse : row));
    expect(targets(rows).map(({ reached }) => reached === true)).toEqual(
      Array.from({ length: 10 }, (_, i) => i !== index),
    );
  });

  it('are neither when the run did not measure them', () => {
    expect(targets(exact.slice(0, 2)).map(({ measured, reached }) => [measured, reached])).toEqual([
      [1.5, true],
      ...Array.from({ length: 9 }, () => [undefined, undefined]),
    ]);
  });
});

describe('The page', () => {
  it('tells plainly what is reached and what is not', () => {
    const worse = timed('ingest.first.10000', 'ingest', 9000, 2000);
    const page = renderPerformance({ ...result, rows: exact.map((row) => (row.id === worse.id ? worse : row)) });
    expect(page).toContain(
      '| First ingest of 10,000 nodes, against plain jsonld over the same files | at most 2 | 4.5 | NOT reached |',
    );
    expect(page).toContain('| at least 20 | 45 | reached |');
    expect(page).toContain('| ingest.first.10000 | 10,000 | 9,000 ms | the floor | 2,000 ms | 4.5 |');
    expect(page).not.toContain('quick trial');
  });

  it('says on what and when it was measured, and has a section for what was measured only', () => {
    const page = renderPerformance(result);
    expect(page).toContain('2026-11-30, commit `abc`');
    expect(page).toContain('jsonld 9.0.0');
    expect(page).toContain('## A live edit');
    expect(page).not.toContain('## Memory');
  });

  it('says of a quick trial that it is none of a measurement', () => {
    expect(renderPerformance({ ...result, quick: true })).toContain('**These are the numbers of a quick trial');
    expect(renderReport({ ...result, quick: true })).toContain('no measurement');
  });
});

describe('The report at a terminal', () => {
  it('has a line for each row, its columns under each other, and one for each target', () => {
    const lines = renderReport(result).split('\n');
    expect(lines).toHaveLength(1 + exact.length + 1 + 10);
    const column = lines[0]?.indexOf('nodes') ?? -1;
    expect(lines[3]?.slice(column).trimStart()).toMatch(/^10,000 {2}6 ms/);
    expect(lines.at(-5)).toMatch(/^reached: .*a ping: 3, at most 3$/);
  });
});

describe('The stored form', () => {
  it('is what the schema accepts, and nothing else is', () => {
    expect(BenchResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
    expect(BenchResultSchema.safeParse({ ...result, rows: [{ ...exact[0], runs: [] }] }).success).toBe(false);
    expect(BenchResultSchema.safeParse({ ...result, fast: true }).success).toBe(false);
  });
});

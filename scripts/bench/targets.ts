import { eras } from '../protocol-era.js';
import type { BenchRow } from './result.js';

/** What toolgraph has to reach, and what was measured of it. */
export interface Target {
  readonly what: string;
  readonly sense: 'at most' | 'at least';
  readonly limit: number;
  /** Undefined when the run did not measure it. */
  readonly measured: number | undefined;
  readonly reached: boolean | undefined;
}

/** The targets of the bench. All are ratios within one run, because times are those of one machine on one day. Pure. */
export function targets(rows: readonly BenchRow[]): Target[] {
  const row = (id: string): BenchRow | undefined => rows.find((candidate) => candidate.id === id);
  const over = (id: string, other: string): number | undefined => quotient(row(id)?.median, row(other)?.median);
  return [
    target('Write → `list_changed` at 1,000 nodes, against its floor', 'at most', 1.5, row('notification.1000')?.ratio),
    target(
      'Write → `list_changed`, 10,000 nodes against 100',
      'at most',
      1.5,
      over('notification.10000', 'notification.100'),
    ),
    target(
      'First ingest of 10,000 nodes, against plain jsonld over the same files',
      'at most',
      2,
      row('ingest.first.10000')?.ratio,
    ),
    target(
      'Restart with nothing changed of 10,000 nodes, times faster than the first ingest',
      'at least',
      20,
      over('ingest.first.10000', 'ingest.restart.10000'),
    ),
    target(
      '`tools/call` of `true`, its record included, against a bare spawn',
      'at most',
      1.25,
      row('call.command')?.ratio,
    ),
    target('`tools/call` of an empty function, against a ping', 'at most', 3, row('call.in-process')?.ratio),
    ...eras.flatMap((era) => [
      target(
        `\`tools/list\` of 1,000 tools over HTTP in ${era}, against a bare server of the same object`,
        'at most',
        2.5,
        row(`http.list.${era}`)?.ratio,
      ),
      target(
        `\`tools/call\` by name over HTTP in ${era}, among 10,000 tools against among 10`,
        'at most',
        1.2,
        row(`http.call.${era}`)?.ratio,
      ),
    ]),
  ];
}

function target(what: string, sense: Target['sense'], limit: number, measured: number | undefined): Target {
  const isReached = (value: number): boolean => (sense === 'at most' ? value <= limit : value >= limit);
  return { what, sense, limit, measured, reached: measured === undefined ? undefined : isReached(measured) };
}

function quotient(above: number | undefined, below: number | undefined): number | undefined {
  return above === undefined || below === undefined ? undefined : above / below;
}

import type { BenchResult, BenchRow } from './result.js';
import { type Target, targets } from './targets.js';

/** The rows and the targets as aligned text, for a terminal. Pure. */
export function renderReport({ rows, quick }: BenchResult): string {
  const head = ['what', 'nodes', 'median', 'peer', 'median of the peer', 'ratio'];
  const lines = aligned([head, ...rows.map(cells)]);
  const goals = targets(rows).map((goal) => `${verdict(goal)}: ${goal.what}: ${measured(goal)}, ${limit(goal)}`);
  const warning = quick ? ['', 'This was a quick trial of the scripts: the numbers are no measurement.'] : [];
  return [...lines, '', ...goals, ...warning].join('\n');
}

export function verdict({ reached }: Target): string {
  if (reached === undefined) return 'not measured';
  return reached ? 'reached' : 'NOT reached';
}

export function measured(goal: Target): string {
  return goal.measured === undefined ? '–' : number(goal.measured);
}

export function limit({ sense, limit }: Target): string {
  return `${sense} ${limit}`;
}

/** Three significant digits, without an exponent. */
export function number(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 20 });
}

export function quantity(value: number, unit: BenchRow['unit']): string {
  return `${number(value)} ${unit}`;
}

/** The cells of a row: what, nodes, median, peer, median of the peer, ratio. */
export function cells({ what, nodes, median, unit, peer, ratio }: BenchRow): string[] {
  return [
    what,
    nodes === undefined ? '' : number(nodes),
    quantity(median, unit),
    peer?.what ?? '',
    peer === undefined ? '' : quantity(peer.median, unit),
    ratio === undefined ? '' : number(ratio),
  ];
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

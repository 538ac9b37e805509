import type { Generation } from '../../projection/generation.js';
import { type Cell, cutText, indentColumns } from './columns.js';
import { omissionRows, problemRows, summaryLine, toolRows } from './generation.js';
import { count, type Style } from './style.js';

export interface LiveFrameSettings extends Style {
  readonly instance: string;
  /** Lines that the frame may take. */
  readonly rows: number;
  /** Shown under the tables; cut where there is no room. */
  readonly hint: readonly string[];
}

interface Section {
  readonly noun: string;
  readonly rows: readonly Cell[][];
}

/** What a person who started `serve` by hand sees: the tables of one generation, no line wider than the terminal, all within `rows`. */
export function liveFrame(generation: Generation, settings: LiveFrameSettings): string[] {
  const { instance, width, rows, hint, colors } = settings;
  const sections: Section[] = [
    { noun: 'tool', rows: toolRows(generation, settings) },
    { noun: 'problem', rows: problemRows(generation, settings) },
    { noun: 'omission', rows: omissionRows(generation, settings) },
  ].filter((section) => section.rows.length > 0);
  // A heading each, the summary, and the hint with an empty line before it.
  const room = rows - 1 - sections.length - (hint.length + 1);
  const shares = share(
    sections.map((section) => section.rows.length),
    room,
  );
  const lines = [colors.bold(cutText(summaryLine(generation, instance), width))];
  for (const [i, section] of sections.entries()) lines.push(...sectionLines(section, shares[i] ?? 0, settings));
  lines.push('', ...hint.map((line) => colors.dim(cutText(line, width))));
  return lines.slice(0, Math.max(1, rows));
}

function sectionLines({ noun, rows }: Section, room: number, { width, colors }: Style): string[] {
  const heading = cutText(count(rows.length, noun), width);
  if (rows.length <= room) {
    return [colors.bold(heading), ...indentColumns(rows, width)];
  }
  const shown = Math.max(0, room - 1);
  const more = cutText(`  … ${rows.length - shown} more: toolgraph tools`, width);
  return [colors.bold(heading), ...indentColumns(rows.slice(0, shown), width), colors.dim(more)];
}

/** Divides `room` so that each gets what it wants or an equal share, and what is left goes to the first that want more. */
function share(wants: readonly number[], room: number): number[] {
  const equal = Math.max(1, Math.floor(room / Math.max(1, wants.length)));
  const shares = wants.map((want) => Math.min(want, equal));
  let left = room - shares.reduce((sum, n) => sum + n, 0);
  return shares.map((n, i) => {
    const extra = Math.max(0, Math.min(left, (wants[i] ?? 0) - n));
    left -= extra;
    return n + extra;
  });
}

import type { Generation } from '../../projection/generation.js';
import { cutText, indentColumns, wrapColumns, wrapText } from './columns.js';
import { omissionRows, problemRows, summaryLine, toolRows } from './generation.js';
import { count, type Style } from './style.js';

export interface LiveFrameSettings extends Style {
  readonly instance: string;
  /** Lines that the frame may take. */
  readonly rows: number;
  /** Shown under the tables, where there is room. */
  readonly hint: readonly string[];
}

interface Section {
  readonly noun: string;
  /** Of the table, shown or not. */
  readonly count: number;
  /** The lines of each row that the screen could have room for. */
  readonly rows: readonly string[][];
}

/** What a person who started `serve` by hand sees: the tables of one generation, no line wider than the terminal, all within `rows`. */
export function liveFrame(generation: Generation, settings: LiveFrameSettings): string[] {
  const { instance, width, rows, colors } = settings;
  const hint = settings.hint.flatMap((line) => wrapText(line, width));
  const sections = sectionsOf(generation, settings);
  // A heading each, the summary, and the hint with an empty line before it.
  const room = rows - 1 - sections.length - (hint.length + 1);
  const shares = share(
    sections.map((section) => section.rows.flat().length + section.count - section.rows.length),
    room,
  );
  const lines = [colors.bold(cutText(summaryLine(generation, instance), width))];
  for (const [i, section] of sections.entries()) lines.push(...sectionLines(section, shares[i] ?? 0, settings));
  lines.push('', ...hint.map((line) => colors.dim(line)));
  return lines.slice(0, Math.max(1, rows));
}

/** A description may be cut, but what is wrong is told in full or not at all. */
function sectionsOf(generation: Generation, settings: LiveFrameSettings): Section[] {
  const { width, rows } = settings;
  const tools = toolRows(generation, settings);
  const problems = problemRows(generation, settings);
  const omissions = omissionRows(generation, settings);
  const sections: Section[] = [
    { noun: 'tool', count: tools.length, rows: indentColumns(tools.slice(0, rows), width).map((line) => [line]) },
    { noun: 'problem', count: problems.length, rows: wrapColumns(problems.slice(0, rows), width) },
    { noun: 'omission', count: omissions.length, rows: wrapColumns(omissions.slice(0, rows), width) },
  ];
  return sections.filter((section) => section.count > 0);
}

function sectionLines(section: Section, room: number, { width, colors }: Style): string[] {
  const heading = colors.bold(cutText(count(section.count, section.noun), width));
  const all = section.rows.flat();
  if (all.length <= room && section.rows.length === section.count) return [heading, ...all];
  const shown: string[] = [];
  let left = section.count;
  for (const lines of section.rows) {
    if (shown.length + lines.length > room - 1) break;
    shown.push(...lines);
    left -= 1;
  }
  return [heading, ...shown, colors.dim(cutText(`  … ${left} more: toolgraph tools`, width))];
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

import type { Diagnostic } from '../../diagnostic.js';
import type { Entry, Generation, Omission } from '../../projection/generation.js';
import { toolIdIn } from '../../store/node-iri.js';
import { visible } from '../../visible.js';
import { type Cell, indentColumns, wrapColumns } from './columns.js';
import { noticeLine } from './plain.js';
import { count, type Style } from './style.js';
import { viewOmissionRows, viewRows } from './views.js';

/** `toolgraph tools`: what is served, what is omitted and why, and the problems. */
export function printGeneration(generation: Generation, style: Style): string[] {
  return style.terminal ? printTables(generation, style) : printRecords(generation);
}

/** The line that tells of a generation on stderr. */
export function summaryLine(generation: Generation, instance: string): string {
  const { entries, omissions, problems, number } = generation;
  const counts = [count(entries.size, 'tool'), count(omissions.length, 'omission'), count(problems.length, 'problem')];
  return `toolgraph: ${counts.join(', ')} (generation ${number}, instance ${visible(instance)})`;
}

/** How to begin, where there is nothing yet: a line of its own, else none. */
export function beginLines({ entries, omissions, problems }: Generation): string[] {
  if (entries.size + omissions.length + problems.length > 0) return [];
  const words =
    'there is no tool yet: save the five lines under "Write a first node" in the README as graph/tools/<id>.json';
  return [noticeLine(words)];
}

/** `document:line:column`, as far as they are known. */
export function placeOf({ document, line, column }: Pick<Diagnostic, 'document' | 'line' | 'column'>): string {
  const parts = [document ?? '(instance)', line, line === undefined ? undefined : column];
  return visible(parts.filter((part) => part !== undefined).join(':'));
}

/** The message, and of which node it is where no line tells that: documents in RDF have none. */
export function messageOf({ message, line, subject }: Pick<Diagnostic, 'message' | 'line' | 'subject'>): string {
  const told = line !== undefined || subject === undefined || message.includes(toolIdIn(subject) ?? subject);
  return visible(told ? message : `${message} (<${subject}>)`);
}

export function problemLine(problem: Diagnostic): string {
  return `${placeOf(problem)}: ${problem.code}: ${messageOf(problem)}`;
}

export function omissionLine({ id, code, reason, document }: Omission): string {
  return `${visible(document)}: ${visible(id)} omitted: ${code}: ${visible(reason)}`;
}

/** The rows of the three tables, without headings; `printTables` and the live view share them. */
export function toolRows(generation: Generation, { colors }: Style): Cell[][] {
  return Array.from(generation.entries.values(), (entry) => [
    { text: entry.name, paint: entry.lastGood === true ? colors.yellow : colors.green },
    { text: entry.binding.arm },
    { text: tierWords(entry), paint: colors.dim },
    { text: visible(`${entry.tool.title} - ${entry.tool.description}`) },
  ]);
}

export function omissionRows(generation: Generation, { colors }: Style): Cell[][] {
  return generation.omissions.map(({ id, code, reason }) => [
    { text: visible(id) },
    { text: code, paint: colors.yellow },
    { text: visible(reason) },
  ]);
}

export function problemRows(generation: Generation, { colors }: Style): Cell[][] {
  return generation.problems.map((problem) => [
    { text: placeOf(problem) },
    { text: problem.code, paint: colors.red },
    { text: messageOf(problem) },
  ]);
}

function tierWords({ tool, lastGood }: Entry): string {
  return lastGood === true ? `${tool.tier}, last good` : tool.tier;
}

function printTables(generation: Generation, style: Style): string[] {
  const { entries, views, omissions, problems, number } = generation;
  const { width, colors } = style;
  const { bold, dim } = colors;
  const lines = [
    `${bold(count(entries.size, 'tool'))} ${dim(`(generation ${number})`)}`,
    ...indentColumns(toolRows(generation, style), width),
  ];
  if (views.size > 0)
    lines.push('', bold(count(views.size, 'view')), ...indentColumns(viewRows(generation, style), width));
  const omitted = omissions.length + generation.viewOmissions.length;
  if (omitted > 0) {
    lines.push(
      '',
      bold(count(omitted, 'omission')),
      ...wrapColumns([...omissionRows(generation, style), ...viewOmissionRows(generation, style)], width).flat(),
    );
  }
  if (problems.length > 0) {
    lines.push(
      '',
      bold(count(problems.length, 'problem')),
      ...wrapColumns(problemRows(generation, style), width).flat(),
    );
  }
  return lines;
}

/** Tab-separated, the kind of the record first, so that `awk -F'\t' '$1 == "tool"'` picks one. */
function printRecords({ entries, views, omissions, viewOmissions, problems }: Generation): string[] {
  return [
    ...Array.from(entries.values(), (entry) =>
      record('tool', entry.name, entry.binding.arm, tierWords(entry), entry.tool.title, entry.tool.description),
    ),
    ...Array.from(views.values(), ({ id, form, tier, title, description }) =>
      record('view', id, form, tier, title, description),
    ),
    ...omissions.map(({ id, code, reason, document }) => record('omission', id, code, document, reason)),
    ...viewOmissions.map(({ id, code, reason, document }) => record('view omission', id, code, document, reason)),
    ...problems.map((problem) => record('problem', placeOf(problem), problem.code, problem.message)),
  ];
}

function record(...fields: string[]): string {
  return fields.map(visible).join('\t');
}

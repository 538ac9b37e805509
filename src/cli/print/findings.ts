import type { CheckReport } from '../../check/check.js';
import type { Finding } from '../../check/rule.js';
import { byCodeUnits } from '../../code-units.js';
import type { Generation } from '../../projection/generation.js';
import { visible } from '../../visible.js';
import { wrapText } from './columns.js';
import { messageOf } from './generation.js';
import { jsonText } from './plain.js';
import { count, type Style } from './style.js';

/** The findings of each document together, in the order of its lines, each with what to do, and a summary line. */
export function printFindings(report: CheckReport, generation: Generation, style: Style): string[] {
  const lines: string[] = [];
  for (const [document, found] of groupedByDocument(report.findings)) {
    lines.push(
      style.colors.underline(visible(document)),
      ...found.flatMap((one, i) => rows(one, found[i + 1], style)),
      '',
    );
  }
  return [...lines, summaryOf(report, generation)];
}

/** `1 error, 0 warnings; 3 tools served` */
export function summaryOf({ findings, silenced }: CheckReport, { entries }: Generation): string {
  const { errors, warnings } = tally(findings);
  const counts = [count(errors, 'error'), count(warnings, 'warning')];
  if (silenced.length > 0) counts.push(`${silenced.length} silenced by the config`);
  return `${counts.join(', ')}; ${count(entries.size, 'tool')} served`;
}

/** Documents in the order of their first finding, so that one with an error comes before one with warnings only. */
function groupedByDocument(findings: readonly Finding[]): ReadonlyMap<string, Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const document = finding.document ?? '(instance)';
    const group = groups.get(document);
    if (group === undefined) groups.set(document, [finding]);
    else group.push(finding);
  }
  for (const group of groups.values()) group.sort(byLine);
  return groups;
}

function byLine(a: Finding, b: Finding): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) || byCodeUnits(a.rule, b.rule);
}

/** Cells before the message: the place and the severity. */
const indent = 2 + 7 + 1 + 7 + 2;

/** What to do is said once where the next finding is of the same kind. At a terminal long lines are broken below the message. */
function rows(finding: Finding, next: Finding | undefined, { colors, terminal, width }: Style): string[] {
  const { line, column, severity, rule, name, fix } = finding;
  const place = line === undefined ? '-' : `${line}:${column ?? 1}`;
  const word = (severity === 'error' ? colors.red : colors.yellow)(severity.padEnd(7));
  const room = Math.max(20, width - indent);
  const broken = (text: string): string[] => (terminal ? wrapText(text, room).map((line) => line.trimEnd()) : [text]);
  const [first = '', ...others] = broken(`${messageOf(finding)}  ${rule} ${name}`);
  const toDo = next?.rule === rule && next.fix === fix ? [] : broken(`to do: ${visible(fix)}`).map(colors.dim);
  return [`  ${place.padEnd(7)} ${word}  ${first}`, ...[...others, ...toDo].map((text) => ' '.repeat(indent) + text)];
}

/** The stable JSON form of `check`. */
export function printFindingsJson({ findings, silenced }: CheckReport, generation: Generation): string {
  return jsonText({
    generation: generation.number,
    digest: generation.digest,
    ...tally(findings),
    findings: findings.map(findingJson),
    silenced: silenced.map((one) => ({ ...findingJson(one), reason: one.reason })),
  });
}

function findingJson(finding: Finding): object {
  const { rule, name, code, severity, message, fix, document, instance, pointer, line, column, subject } = finding;
  return { rule, name, code, severity, message, fix, document, instance, pointer, line, column, subject };
}

function tally(findings: readonly Finding[]): { errors: number; warnings: number } {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: findings.length - errors };
}

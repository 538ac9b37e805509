import type { CheckReport } from '../../check/check.js';
import type { Finding } from '../../check/rule.js';
import type { Generation } from '../../projection/generation.js';
import { messageOf } from './generation.js';
import { jsonText, visible } from './plain.js';
import { count, type Style } from './style.js';

/** The findings of each document together, each with what to do, and a summary line. */
export function printFindings({ findings, silenced }: CheckReport, generation: Generation, style: Style): string[] {
  const lines: string[] = [];
  for (const [document, found] of groupedByDocument(findings)) {
    lines.push(
      style.colors.underline(visible(document)),
      ...found.flatMap((one, i) => rows(one, found[i + 1], style)),
      '',
    );
  }
  const { errors, warnings } = tally(findings);
  const counts = [count(errors, 'error'), count(warnings, 'warning')];
  if (silenced.length > 0) counts.push(`${silenced.length} silenced by the config`);
  return [...lines, `${counts.join(', ')}; ${count(generation.entries.size, 'tool')} served`];
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
  return groups;
}

/** What to do is said once where the next finding is of the same kind. */
function rows(finding: Finding, next: Finding | undefined, { colors }: Style): string[] {
  const { line, column, severity, rule, name, fix } = finding;
  const place = line === undefined ? '-' : `${line}:${column ?? 1}`;
  const word = (severity === 'error' ? colors.red : colors.yellow)(severity.padEnd(7));
  const row = `  ${place.padEnd(7)} ${word}  ${messageOf(finding)}  ${colors.dim(`${rule} ${name}`)}`;
  if (next?.rule === rule && next.fix === fix) return [row];
  return [row, `${' '.repeat(19)}${colors.dim(`to do: ${visible(fix)}`)}`];
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

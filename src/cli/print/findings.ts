import { codes, type Diagnostic } from '../../diagnostic.js';
import type { Generation } from '../../projection/generation.js';
import { messageOf, placeOf } from './generation.js';
import { jsonText } from './plain.js';
import { count, type Style } from './style.js';

/** The findings, grouped by code with the remedy under each group, and a summary line. `findings` is in the order of `check`. */
export function printFindings(findings: readonly Diagnostic[], generation: Generation, { colors }: Style): string[] {
  const lines: string[] = [];
  for (const [i, finding] of findings.entries()) {
    const paint = finding.severity === 'error' ? colors.red : colors.yellow;
    lines.push(`${placeOf(finding)}: ${paint(`${finding.severity} ${finding.code}`)}: ${messageOf(finding)}`);
    const next = findings[i + 1];
    if (next?.code === finding.code && next.severity === finding.severity) continue;
    lines.push(colors.dim(`  to do: ${codes[finding.code].remedy}`), '');
  }
  const { errors, warnings } = tally(findings);
  lines.push(
    `${count(errors, 'error')}, ${count(warnings, 'warning')}; ${count(generation.entries.size, 'tool')} served`,
  );
  return lines;
}

/** The stable JSON form of `check`. */
export function printFindingsJson(findings: readonly Diagnostic[], generation: Generation): string {
  return jsonText({
    generation: generation.number,
    digest: generation.digest,
    ...tally(findings),
    findings: findings.map(({ code, severity, message, document, pointer, line, column, subject }) => ({
      code,
      severity,
      message,
      remedy: codes[code].remedy,
      document,
      pointer,
      line,
      column,
      subject,
    })),
  });
}

function tally(findings: readonly Diagnostic[]): { errors: number; warnings: number } {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: findings.length - errors };
}

import { byCodeUnits } from '../code-units.js';
import { codes, type Diagnostic } from '../diagnostic.js';
import type { Generation } from '../projection/generation.js';
import type { Rule } from './rule.js';
import { inputsReach } from './rules/inputs-reach.js';
import { noOmissions } from './rules/no-omissions.js';
import { noProblems } from './rules/no-problems.js';

export const rules: readonly Rule[] = [noProblems, noOmissions, inputsReach];

/** What all rules find: errors first, then by code in the order of the table, then by place. An error makes `check` fail. */
export function check(generation: Generation): Diagnostic[] {
  return rules.flatMap((rule) => rule.check(generation)).sort(compareFindings);
}

const codeOrder = new Map(Object.keys(codes).map((code, i) => [code, i]));

function compareFindings(a: Diagnostic, b: Diagnostic): number {
  return (
    Number(a.severity === 'warning') - Number(b.severity === 'warning') ||
    (codeOrder.get(a.code) ?? 0) - (codeOrder.get(b.code) ?? 0) ||
    byCodeUnits(a.document ?? '', b.document ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    byCodeUnits(a.pointer ?? '', b.pointer ?? '') ||
    byCodeUnits(a.message, b.message)
  );
}

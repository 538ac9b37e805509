import { codes, type ProblemCode } from '../../diagnostic.js';
import { shapeStep } from '../advice/shape-advice.js';
import type { Rule } from '../rule.js';

/** One rule for each code of a problem: everything in the instance can be determined (tool-node.md §3). */
export const problemRules: readonly Rule[] = Object.entries(codes).flatMap(([code, { kind, summary, remedy }]) =>
  kind === 'problem' ? ruleOf(code as ProblemCode, summary, remedy) : [],
);

function ruleOf(name: ProblemCode, summary: string, fix: string): Rule {
  return {
    name,
    severity: 'error',
    summary,
    why: 'What cannot be determined cannot be served: `serve` does not start on it, so no config can silence it.',
    fix,
    check: ({ generation }) =>
      generation.problems
        .filter(({ code }) => code === name)
        .map((found) => ({ ...found, fix: shapeStep(found.message) ?? fix })),
  };
}

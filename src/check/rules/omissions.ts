import { codes, isCurable, type OmissionCode } from '../../diagnostic.js';
import { adviceFor } from '../advice/advice.js';
import { placeKey } from '../node-place.js';
import type { Found, Rule } from '../rule.js';

/**
 * One rule for each code of an omission: an error where a change of the node would cure it, whatever the host has; else a warning
 * (tool-node.md §3).
 */
export const omissionRules: readonly Rule[] = Object.entries(codes).flatMap(([code, { kind, summary, remedy }]) =>
  kind === 'omission' ? ruleOf(code as OmissionCode, summary, remedy) : [],
);

function ruleOf(name: OmissionCode, summary: string, fix: string): Rule {
  return {
    name,
    severity: isCurable(name) ? 'error' : 'warning',
    summary,
    why: isCurable(name)
      ? 'No host can ever serve the Tool as it is written, so nobody who lists the tools sees it.'
      : 'Whoever lists the tools does not see it. Here or now that may be right; it is said so that it does not go unnoticed.',
    fix,
    check: ({ generation, nodes, members }) => {
      const omissions = generation.omissions.filter(({ code }) => code === name);
      if (omissions.length === 0) return [];
      const byPlace = new Map(nodes.map((node) => [placeKey(node), node]));
      return omissions.map((omission): Found => {
        const { id, iri, code, reason, document, instance, pointer } = omission;
        const { types = new Map(), verdicts = new Map() } = members.get(instance ?? '') ?? {};
        const advice = adviceFor(code, byPlace.get(placeKey(omission))?.tool, { reason, types, verdicts });
        return {
          code,
          message: `${id}: ${reason}`,
          fix: advice.steps.join(' '),
          document,
          ...(instance === undefined ? {} : { instance }),
          pointer: `${pointer}${advice.pointer ?? ''}`,
          subject: iri,
        };
      });
    },
  };
}

import { isCurable } from '../../diagnostic.js';
import type { Rule } from '../rule.js';

/** Every omission: an error where a change of the node would cure it, whatever the host has; else a warning (tool-node.md §3). */
export const noOmissions: Rule = {
  id: 'no-omissions',
  summary: 'Every Tool is served; what only the host or an option keeps back is a warning.',
  check: ({ omissions }) =>
    omissions.map(({ id, iri, code, reason, document, pointer }) => ({
      code,
      severity: isCurable(code) ? 'error' : 'warning',
      message: `${id}: ${reason}`,
      document,
      pointer,
      subject: iri,
    })),
};

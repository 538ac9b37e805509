import { confirmationProperty } from '../../../schemas/declaration.js';
import type { Diagnostic } from '../../diagnostic.js';
import type { Rule } from '../rule.js';

/** An optional input without an arg is left out of the inputSchema, which an author may not have meant (tool-node.md P8). */
export const inputsReach: Rule = {
  id: 'inputs-reach',
  summary: 'Every input of a served Tool reaches the process.',
  check: ({ entries }) =>
    [...entries.values()].flatMap(({ id, iri, document, tool, binding }): Diagnostic[] => {
      const reached = new Set(binding.slots.map(({ name }) => name));
      const lost = tool.io.inputs.filter(({ name }) => !reached.has(name) && name !== confirmationProperty);
      return lost.map(({ name }) => ({
        code: 'unreachable-input',
        severity: 'warning',
        message: `${id}: its optional input "${name}" has no arg, so it is left out of the inputSchema`,
        document,
        subject: iri,
      }));
    }),
};

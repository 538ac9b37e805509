import { confirmationProperty } from '../../../schemas/declaration.js';
import { nodePlace, servedNodes } from '../node-place.js';
import type { Rule } from '../rule.js';

/** tool-node.md P8. */
export const inputLeftOut: Rule = {
  name: 'input-left-out',
  severity: 'warning',
  summary: 'Every input of a served Tool reaches the process.',
  why: 'An optional input without an arg is left out of the inputSchema: the model cannot give it, although the node reads as if it could.',
  fix: 'Give the input an arg (a flag, a position or stdin), or remove it.',
  example: {
    language: 'json',
    text: '{ "name": "note", "schema": "https://w3id.org/toolgraph/types.schema.json#/$defs/Word" }',
  },
  check: (instance) =>
    servedNodes(instance).flatMap(({ node, entry: { declaration } }) => {
      const reached = new Set(Object.keys(declaration.inputSchema.properties ?? {}));
      return node.tool.io.inputs.flatMap(({ name }, i) =>
        reached.has(name) || name === confirmationProperty
          ? []
          : {
              message: `${node.tool.id}: its optional input "${name}" has no arg, so it is left out of the inputSchema`,
              ...nodePlace(node, `/io/inputs/${i}`),
            },
      );
    }),
};

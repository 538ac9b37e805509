import { nodePlace, servedNodes } from '../node-place.js';
import type { Rule } from '../rule.js';

/** Forge's rule: schemas are valid JSON Schema 2020-12. */
export const invalidSchema: Rule = {
  name: 'invalid-schema',
  severity: 'error',
  summary: 'Every schema of a served Tool is a valid JSON Schema 2020-12, by its meta-schema.',
  why: 'Some hosts drop every tool of a server for one invalid schema, and no argument can be validated against it. Most of what is wrong in a type is an unportable-schema already; this looks at the result once more.',
  fix: 'Correct the keyword in the type that the message names the place of.',
  example: { language: 'json', text: '{ "$defs": { "Name": { "type": "object", "dependencies": 5 } } }' },
  check: (instance) =>
    servedNodes(instance).flatMap(({ node, entry: { name } }) => {
      const fault = instance.schemaFaults.get(name);
      return fault === undefined ? [] : { message: `${node.tool.id}: its ${fault}`, ...nodePlace(node, '/io') };
    }),
};

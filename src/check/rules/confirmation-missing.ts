import { confirmationProperty, type Declaration } from '../../../schemas/declaration.js';
import { nodePlace, servedNodes } from '../node-place.js';
import type { Rule } from '../rule.js';

/** tool-node.md P13, and Forge's rule of the same content. */
export const confirmationMissing: Rule = {
  name: 'confirmation-missing',
  severity: 'error',
  summary:
    'A Tool that asks for a confirmation carries the required property user_confirmed, and no other Tool takes one.',
  why: 'A call without the confirmation of the user is refused only where requiresConfirmation says so. An input of that name alone looks like a gate and is none.',
  fix: 'State "requiresConfirmation": true, and leave the input out: toolgraph adds the property.',
  example: {
    language: 'json',
    text: '{ "io": { "inputs": [{ "name": "user_confirmed", "schema": "https://w3id.org/toolgraph/types.schema.json#/$defs/Flag" }] } }',
  },
  check: (instance) => [
    ...servedNodes(instance)
      .filter(({ node, entry }) => node.tool.requiresConfirmation === true && !isGated(entry.declaration))
      .map(({ node }) => ({
        message: `${node.tool.id}: it requires a confirmation, and its declaration does not ask for ${confirmationProperty}`,
        ...nodePlace(node, '/requiresConfirmation'),
      })),
    ...instance.nodes
      .filter(({ tool }) => tool.requiresConfirmation !== true)
      .flatMap((node) =>
        node.tool.io.inputs.flatMap(({ name }, i) =>
          name === confirmationProperty
            ? {
                message: `${node.tool.id}: it takes ${confirmationProperty} without "requiresConfirmation": true, so nothing refuses a call without it`,
                ...nodePlace(node, `/io/inputs/${i}`),
              }
            : [],
        ),
      ),
  ],
};

function isGated({ inputSchema: { properties, required } }: Declaration): boolean {
  const property = Object(Object(properties)[confirmationProperty]) as { readonly const?: unknown };
  return property.const === true && Array.isArray(required) && required.includes(confirmationProperty);
}

import type { Json } from '../../../schemas/declaration.js';
import { escapeStep } from '../../json-pointer.js';
import { nodePlace } from '../node-place.js';
import type { Rule } from '../rule.js';
import { masked, secretsIn } from '../secret-text.js';

export const secretLiteral: Rule = {
  name: 'secret-literal',
  severity: 'error',
  summary: 'No node holds a secret: a key, a token, or a password in a command or a URL.',
  why: 'Nodes are committed, exported and shown by `toolgraph why`; a secret in one is public, and argv is visible to every process of the host.',
  fix: 'Revoke the secret, let the tool read it from an environment variable, and name that in requires.env and in the config.',
  example: { language: 'json', text: '{ "invoke": { "shell": "deploy --token 4f9a1c77e0b2" } }' },
  check: ({ nodes }) =>
    nodes.flatMap((node) =>
      strings(node.tool as unknown as Json, '').flatMap(({ text, at }) => {
        const [found] = secretsIn(text);
        return found === undefined
          ? []
          : {
              message: `${node.tool.id}: ${found.what} (${masked(found.text)}) stands in its ${at.slice(1).replaceAll('/', '.')}`,
              ...nodePlace(node, at),
            };
      }),
    ),
};

function strings(value: Json, at: string): { readonly text: string; readonly at: string }[] {
  if (typeof value === 'string') return [{ text: value, at }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => strings(inner as Json, `${at}/${escapeStep(key)}`));
}

import type { Json } from '../../../schemas/declaration.js';
import { escapeStep } from '../../json-pointer.js';
import { nodePlace } from '../node-place.js';
import type { Rule } from '../rule.js';

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
        const found = secretIn(text);
        return found === undefined
          ? []
          : {
              message: `${node.tool.id}: ${found.what} (${masked(found.text)}) stands in its ${at.slice(1).replaceAll('/', '.')}`,
              ...nodePlace(node, at),
            };
      }),
    ),
};

/** By the prefixes that the issuers give their tokens, so that they can be found. */
const secrets: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})/u],
  ['a token of GitLab', /\bglpat-[A-Za-z0-9_-]{20,}/u],
  ['a key of AWS', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/u],
  ['a token of Slack', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/u],
  ['a key of Google', /\bAIza[A-Za-z0-9_-]{35}/u],
  ['a key of OpenAI or Anthropic', /\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{20,}/u],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}/u],
  ['a JSON Web Token', /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+/u],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/u],
  ['a password in a URL', /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@<>${}]+:(?![<${*x])[^\s/@<>${}]{3,}@/u],
  [
    'the value of an option for a secret',
    /(?<=(?:^|\s)--(?:password|passwd|token|api-?key|secret|client-secret|access-token|auth-token)[ =])(?=[^\s]*\d)["']?[A-Za-z0-9_+/.][A-Za-z0-9_+/.-]{7,}/iu,
  ],
];

function secretIn(text: string): { readonly what: string; readonly text: string } | undefined {
  for (const [what, pattern] of secrets) {
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) return { what, text: found };
  }
  return undefined;
}

/** Enough to find it, too little to use it. */
function masked(secret: string): string {
  return `${secret.slice(0, Math.min(8, Math.floor(secret.length / 3)))}…`;
}

function strings(value: Json, at: string): { readonly text: string; readonly at: string }[] {
  if (typeof value === 'string') return [{ text: value, at }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => strings(inner as Json, `${at}/${escapeStep(key)}`));
}

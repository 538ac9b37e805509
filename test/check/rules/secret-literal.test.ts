import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../schemas/tool.js';
import { secretLiteral } from '../../../src/check/rules/secret-literal.js';
import { iriOf, node } from '../../cli/generation-builder.js';
import { checked, found, messages } from '../checked-instance.js';

function judged(fields: Partial<Tool>): string[] {
  return messages(secretLiteral, checked({ nodes: [node('a', fields)] }));
}

// Put together here, so that no scanner takes this file for a leak.
const secrets: readonly (readonly [what: string, secret: string])[] = [
  ['a token of GitHub', `ghp_${'a1B2'.repeat(9)}`],
  ['a token of GitLab', `glpat-${'a1B2'.repeat(5)}`],
  ['a key of AWS', `AKIA${'A1B2'.repeat(4)}`],
  ['a token of Slack', `xoxb-${'1234567890'}`],
  ['a key of Google', `AIza${'a1B2c'.repeat(7)}`],
  ['a key of OpenAI or Anthropic', `sk-proj-${'a1B2'.repeat(6)}`],
  ['a token of npm', `npm_${'a1B2'.repeat(9)}`],
  ['a JSON Web Token', `eyJ${'a1B2'.repeat(4)}.eyJ${'a1B2'.repeat(4)}.sig`],
  ['a private key', `-----BEGIN ${'RSA'} PRIVATE KEY-----`],
];

describe('secret-literal', () => {
  it.each(secrets)('finds %s in a command, and does not repeat it', (what, secret) => {
    const [message] = judged({ invoke: { shell: `run --with ${secret}` } });
    expect(message).toMatch(new RegExp(`^a: ${what} \\(.{1,8}…\\) stands in its invoke.shell$`));
    expect(message).not.toContain(secret);
  });

  it('finds a password in a URL and the value of an option, wherever they stand', () => {
    const fields = {
      description: 'See https://ada:s3cret@example.org/',
      invoke: { shell: 'x --api-key=4f9a1c77e0b2' },
    };
    expect(found(secretLiteral, checked({ nodes: [node('a', fields)] }))).toEqual([
      {
        message: 'a: a password in a URL (https:…) stands in its description',
        document: 'graph/tools/a.json',
        pointer: '/description',
        subject: iriOf('a'),
      },
      expect.objectContaining({
        message: 'a: the value of an option for a secret (4f9a…) stands in its invoke.shell',
        pointer: '/invoke/shell',
      }),
    ]);
  });

  it.each([
    'deploy --token $TOKEN',
    'deploy --token <token>',
    'deploy --token-file secrets/token1.txt',
    'deploy --token --verbose2',
    'psql postgres://user:$PASSWORD@db/x',
    'psql postgres://user:****@db/x',
    'psql postgres://user:<password>@db/x',
    'curl https://example.org:8080/a@b',
    'task-1234567890123456789012345',
  ])('finds nothing in %s', (shell) => {
    expect(judged({ invoke: { shell } })).toEqual([]);
  });
});

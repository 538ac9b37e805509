import { describe, expect, it } from 'vitest';
import { renderRules } from '../../scripts/rules-page.js';
import { rules } from '../../src/check/rule-table.js';
import { projectFile } from '../repository/source-files.js';

describe('The page of rules', () => {
  it('says of a rule what it asks, why, what to do, and shows something that breaks it', () => {
    const page = renderRules([
      {
        name: 'hidden-text',
        severity: 'error',
        summary: 'No text hides a thing.',
        why: 'A model reads <it>.',
        fix: 'Remove it.',
        example: { language: 'json', text: '{ "a": 1 }' },
      },
    ]);
    expect(page.slice(page.indexOf('| id |'))).toBe(`| id | name | default | what it is about |
| --- | --- | --- | --- |
| [TG205](#tg205-hidden-text) | \`hidden-text\` | error | No text hides a thing. |

## TG205 hidden-text

No text hides a thing.

Default: error.

**Why.** A model reads \\<it>.

**What to do.** Remove it.

Breaks it:

\`\`\`json
{ "a": 1 }
\`\`\`
`);
  });

  it('has a section for every rule', () => {
    const headings = [...projectFile('docs/rules.md').matchAll(/^## TG\d{3} (\S+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(rules.map(({ name }) => name));
  });
});

import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { check } from '../../../src/check/check.js';
import { printFindings, printFindingsJson } from '../../../src/cli/print/findings.js';
import { problem } from '../../../src/diagnostic.js';
import { entry, generation, omission } from '../generation-builder.js';

const plain = { terminal: false, width: 80, colors: pc.createColors(false) };

const mixed = generation(
  [entry('a'), entry('b')],
  [omission('deploy', 'shell-syntax', '"|" needs a shell'), omission('old', 'tier', 'deprecated is not served')],
  [
    problem('unreadable', 'expected "}"', { document: 'graph/x.json', line: 3, column: 5 }),
    problem('unreadable', 'expected ","', { document: 'graph/y.json', line: 1, column: 2 }),
  ],
);

describe('printFindings', () => {
  it('prints a line for each finding, what to do under each group, and a summary', () => {
    expect(printFindings(check(mixed), mixed, plain)).toEqual([
      'graph/x.json:3:5: error unreadable: expected "}"',
      'graph/y.json:1:2: error unreadable: expected ","',
      '  to do: Do what the message says: correct the syntax, the permissions or the path, or make the folder that is missing.',
      '',
      'graph/tools/deploy.json: error shell-syntax: deploy: "|" needs a shell',
      '  to do: Write plain words, or put the line into a script and name the script.',
      '',
      'graph/tools/old.json: warning tier: old: deprecated is not served',
      '  to do: Serve the tier with --tiers or the config.',
      '',
      '3 errors, 1 warning; 2 tools served',
    ]);
  });

  it('prints only the summary where nothing is found', () => {
    const one = generation([entry('a')]);
    expect(printFindings([], one, plain)).toEqual(['0 errors, 0 warnings; 1 tool served']);
  });

  it('shows the escape sequences of a hostile document in place of sending them', () => {
    const hostile = problem('unreadable', 'bad \u001b]0;owned\u0007', { document: 'graph/\u001b[2J.json' });
    const lines = printFindings([hostile], generation([]), { ...plain, terminal: true });
    expect(lines[0]).toBe('graph/\\u001b[2J.json: error unreadable: bad \\u001b]0;owned\\u0007');
  });

  it('is coloured where colours are on', () => {
    const colors = pc.createColors(true);
    const [line] = printFindings([problem('unreadable', 'bad')], generation([]), { ...plain, colors });
    expect(line).toBe(`(instance): ${colors.red('error unreadable')}: bad`);
  });
});

describe('printFindingsJson', () => {
  it('is stable, in this order of keys', () => {
    const found = [problem('unreadable', 'bad', { document: 'graph/x.json', line: 3, column: 5 })];
    expect(printFindingsJson(found, generation([]))).toBe(
      [
        '{',
        '  "generation": 4,',
        `  "digest": "${'d'.repeat(64)}",`,
        '  "errors": 1,',
        '  "warnings": 0,',
        '  "findings": [',
        '    {',
        '      "code": "unreadable",',
        '      "severity": "error",',
        '      "message": "bad",',
        '      "remedy": "Do what the message says: correct the syntax, the permissions or the path, or make the folder that is missing.",',
        '      "document": "graph/x.json",',
        '      "line": 3,',
        '      "column": 5',
        '    }',
        '  ]',
        '}',
      ].join('\n'),
    );
  });
});

import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { check } from '../../../src/check/check.js';
import type { Finding, SilencedFinding } from '../../../src/check/rule.js';
import { printFindings, printFindingsJson } from '../../../src/cli/print/findings.js';
import { problem } from '../../../src/diagnostic.js';
import { checked } from '../../check/checked-instance.js';
import { entry, generation, omission } from '../generation-builder.js';

const plain = { terminal: false, width: 80, colors: pc.createColors(false) };

const mixed = generation(
  [entry('a'), entry('b')],
  [omission('deploy', 'shell-syntax', '"|" needs a shell'), omission('old', 'tier', 'deprecated is not served')],
  [
    problem('unreadable', 'expected "}"', { document: 'graph/x.json', line: 3, column: 5 }),
    problem('unreadable', 'expected ","', { document: 'graph/x.json', line: 11, column: 22 }),
  ],
);

const bad: Finding = {
  rule: 'TG001',
  name: 'unreadable',
  code: 'unreadable',
  severity: 'error',
  message: 'bad',
  fix: 'Mend it.',
  document: 'graph/x.json',
  line: 3,
  column: 5,
};

function report(findings: readonly Finding[], silenced: readonly SilencedFinding[] = []) {
  return { findings, silenced };
}

describe('printFindings', () => {
  it('prints the findings of each document together, what to do once for several of a kind, and a summary', () => {
    expect(printFindings(check(checked({ generation: mixed })), mixed, plain)).toEqual([
      'graph/x.json',
      '  3:5     error    expected "}"  TG001 unreadable',
      '  11:22   error    expected ","  TG001 unreadable',
      '                   to do: Do what the message says: correct the syntax, the permissions or the path, or make the folder that is missing.',
      '',
      'graph/tools/deploy.json',
      '  -       error    deploy: "|" needs a shell  TG105 shell-syntax',
      '                   to do: Write plain words, or put the line into a script and name the script.',
      '',
      'graph/tools/old.json',
      '  -       warning  old: deprecated is not served  TG109 tier',
      '                   to do: Serve the tier with --tiers or the config.',
      '',
      '3 errors, 1 warning; 2 tools served',
    ]);
  });

  it('prints only the summary where nothing is found', () => {
    expect(printFindings(report([]), generation([entry('a')]), plain)).toEqual(['0 errors, 0 warnings; 1 tool served']);
  });

  it('counts what the config silences, and shows none of it', () => {
    const silenced = [{ ...bad, reason: 'not here' }];
    expect(printFindings(report([], silenced), generation([entry('a')]), plain)).toEqual([
      '0 errors, 0 warnings, 1 silenced by the config; 1 tool served',
    ]);
  });

  it('shows the escape sequences of a hostile document in place of sending them', () => {
    const hostile = { ...bad, message: 'bad \u001b]0;owned\u0007', document: 'graph/\u001b[2J.json' };
    const lines = printFindings(report([hostile]), generation([]), { ...plain, terminal: true });
    expect(lines.slice(0, 2)).toEqual([
      'graph/\\u001b[2J.json',
      '  3:5     error    bad \\u001b]0;owned\\u0007  TG001 unreadable',
    ]);
  });

  it('has the findings of a document in the order of its lines', () => {
    const found = [bad, { ...bad, severity: 'warning', line: 1 }, { ...bad, line: 3, column: 1 }] as const;
    const lines = printFindings(report(found), generation([]), plain).filter((line) => /^ {2}\d/.test(line));
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(['1:5', '3:1', '3:5']);
  });

  it('breaks long lines at a terminal, below the message', () => {
    const long = { ...bad, message: 'expected a closing brace at the end of the object', fix: 'Close the object.' };
    expect(printFindings(report([long]), generation([]), { ...plain, terminal: true, width: 50 }).slice(1, 5)).toEqual([
      '  3:5     error    expected a closing brace at the',
      '                   end of the object  TG001',
      '                   unreadable',
      '                   to do: Close the object.',
    ]);
    const widths = Array.from({ length: 60 }, (_, i) => i + 30);
    const lines = widths.flatMap((width) =>
      printFindings(report([long]), generation([]), { ...plain, terminal: true, width }),
    );
    expect(lines.filter((line) => line.endsWith(' '))).toEqual([]);
  });

  it('is coloured where colours are on', () => {
    const colors = pc.createColors(true);
    const [heading, line] = printFindings(report([bad]), generation([]), { ...plain, colors });
    expect(heading).toBe(colors.underline('graph/x.json'));
    expect(line).toBe(`  3:5     ${colors.red('error  ')}  bad  TG001 unreadable`);
  });
});

describe('printFindingsJson', () => {
  it('is stable, in this order of keys', () => {
    const { line, column, ...unplaced } = bad;
    const silenced = [{ ...unplaced, severity: 'warning', reason: 'not here' } as const];
    expect(JSON.parse(printFindingsJson(report([bad], silenced), generation([])))).toEqual({
      generation: 4,
      digest: 'd'.repeat(64),
      errors: 1,
      warnings: 0,
      findings: [
        {
          rule: 'TG001',
          name: 'unreadable',
          code: 'unreadable',
          severity: 'error',
          message: 'bad',
          fix: 'Mend it.',
          document: 'graph/x.json',
          line,
          column,
        },
      ],
      silenced: [
        {
          rule: 'TG001',
          name: 'unreadable',
          code: 'unreadable',
          severity: 'warning',
          message: 'bad',
          fix: 'Mend it.',
          document: 'graph/x.json',
          reason: 'not here',
        },
      ],
    });
    const keys = [...printFindingsJson(report([bad]), generation([])).matchAll(/^ *"(\w+)":/gm)].map(([, key]) => key);
    expect(keys).toEqual([
      ...['generation', 'digest', 'errors', 'warnings', 'findings'],
      ...['rule', 'name', 'code', 'severity', 'message', 'fix', 'document', 'line', 'column', 'silenced'],
    ]);
  });
});

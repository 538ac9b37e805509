import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/cli/print/columns.js';
import { beginLines, printGeneration, summaryLine } from '../../../src/cli/print/generation.js';
import { problem } from '../../../src/diagnostic.js';
import { entry, generation, omission } from '../generation-builder.js';

const colors = pc.createColors(false);
const terminal = { terminal: true, width: 60, colors };
const pipe = { terminal: false, width: 60, colors };

const mixed = generation(
  [entry('git-log'), { ...entry('word-count', { tier: 'experimental' }), lastGood: true }],
  [omission('deploy', 'command-not-found', 'no command "deploy" on PATH')],
  [problem('unreadable', 'expected "}"', { document: 'graph/tools/word-count.json', line: 3, column: 5 })],
);

describe('printGeneration', () => {
  it('prints three tables at a terminal, descriptions cut to its width', () => {
    expect(printGeneration(mixed, terminal)).toEqual([
      '2 tools (generation 4)',
      '  git_log     shell  stable                   Title of git-…',
      '  word_count  shell  experimental, last good  Title of word…',
      '',
      '1 omission',
      '  deploy  command-not-found  no command "deploy" on PATH',
      '',
      '1 problem',
      '  graph/tools/word-count.json:3:5  unreadable  expected "}"',
    ]);
  });

  it.each([30, 60])('never cuts a problem or the reason of an omission at a terminal of %i cells', (width) => {
    const reason = 'it needs the environment variable GH_TOKEN, not set or not listed under "env" in the config';
    const message = 'unknown key "titel"; did you mean "title"? (a key of your own must be mapped in the @context)';
    const document = 'graph/tools/a-document-with-a-rather-long-name.json';
    const wrong = generation(
      [],
      [omission('deploy', 'unmet-env', reason)],
      [problem('invalid-node', message, { document })],
    );
    const lines = printGeneration(wrong, { ...terminal, width });
    for (const whole of [reason, message, document]) {
      expect(lines.join('').replaceAll(' ', '')).toContain(whole.replaceAll(' ', ''));
    }
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  it('prints no empty tables', () => {
    expect(printGeneration(generation([]), terminal)).toEqual(['0 tools (generation 4)']);
  });

  it('prints records separated by tabs, whole, into a pipe', () => {
    expect(printGeneration(mixed, pipe)).toEqual([
      'tool\tgit_log\tshell\tstable\tTitle of git-log\tWhat git-log does.',
      'tool\tword_count\tshell\texperimental, last good\tTitle of word-count\tWhat word-count does.',
      'omission\tdeploy\tcommand-not-found\tgraph/tools/deploy.json\tno command "deploy" on PATH',
      'problem\tgraph/tools/word-count.json:3:5\tunreadable\texpected "}"',
    ]);
  });

  it.each([terminal, pipe])('shows what a hostile description would do to a terminal or a record', (style) => {
    const hostile = generation(
      [entry('a', { title: 'T\tT', description: 'x\u001b[2J\n\u202ey' })],
      [omission('b', 'tier', '\u009b31m')],
      [problem('invalid-node', '\u001b]8;;http://evil\u0007', { document: 'a\nb.json' })],
    );
    const lines = printGeneration(hostile, { ...style, width: 200 });
    expect(lines.join('\n').replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\u202e]/u);
    const record = lines.find((line) => line.includes('x\\u001b'));
    expect(record).toContain('T\\tT');
    expect(record).toContain('x\\u001b[2J\\n\\u202ey');
  });

  it.each([20, 40, 80, 200])('prints no line wider than %i cells', (width) => {
    for (const line of printGeneration(mixed, { ...terminal, width })) {
      expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(width, '2 tools (generation 4)'.length));
    }
  });
});

describe('beginLines', () => {
  it('says how to begin where there is nothing at all, and only there', () => {
    expect(beginLines(generation([]))).toEqual([
      expect.stringMatching(/five lines .* README as graph\/tools\/<id>\.json$/),
    ]);
    expect(beginLines(generation([entry('a')]))).toEqual([]);
    expect(beginLines(generation([], [omission('a', 'tier', 'x')]))).toEqual([]);
    expect(beginLines(generation([], [], [problem('unreadable', 'x')]))).toEqual([]);
  });
});

describe('summaryLine', () => {
  it('counts, and names the generation and the instance', () => {
    expect(summaryLine(mixed, 'demo')).toBe('toolgraph: 2 tools, 1 omission, 1 problem (generation 4, instance demo)');
    expect(summaryLine(generation([]), 'demo')).toBe(
      'toolgraph: 0 tools, 0 omissions, 0 problems (generation 4, instance demo)',
    );
  });
});

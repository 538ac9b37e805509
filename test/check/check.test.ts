import { describe, expect, it } from 'vitest';
import { check } from '../../src/check/check.js';
import { codes, isCurable, type OmissionCode, problem } from '../../src/diagnostic.js';
import { entry, generation, iriOf, omission } from '../cli/generation-builder.js';

const omissionCodes = Object.entries(codes).flatMap(([code, row]) =>
  row.kind === 'omission' ? [code as OmissionCode] : [],
);

describe('check', () => {
  it('finds nothing in a generation without omissions and problems', () => {
    expect(check(generation([entry('a')]))).toEqual([]);
  });

  it('reports a problem as it is, with its place', () => {
    const found = problem('invalid-node', 'expected a string', {
      document: 'a.json',
      pointer: '/id',
      line: 3,
      column: 5,
    });
    expect(check(generation([], [], [found]))).toEqual([found]);
  });

  it('reports an omission with the document, the pointer and the Tool', () => {
    expect(check(generation([], [omission('deploy', 'shell-syntax', '"|" needs a shell')]))).toEqual([
      {
        code: 'shell-syntax',
        severity: 'error',
        message: 'deploy: "|" needs a shell',
        document: 'graph/tools/deploy.json',
        pointer: '',
        subject: iriOf('deploy'),
      },
    ]);
  });

  it.each(omissionCodes)('tells an error from a warning by whether a change of the node would cure it: %s', (code) => {
    const [finding] = check(generation([], [omission('a', code, 'why')]));
    expect(finding?.severity).toBe(isCurable(code) ? 'error' : 'warning');
  });

  it('calls errors exactly the five omissions that tool-node.md §3 names', () => {
    const failing = omissionCodes.filter(
      (code) => check(generation([], [omission('a', code, 'why')]))[0]?.severity === 'error',
    );
    expect(failing).toEqual(['mcp-only', 'shell-syntax', 'interpreter-slot', 'unreachable-input', 'unsafe-argv-input']);
  });

  it('sorts errors before warnings, then by code, then by place, whatever the order of the generation', () => {
    const problems = [
      problem('duplicate-id', 'two', { document: 'b.json' }),
      problem('unreadable', 'bad', { document: 'b.json', line: 10, column: 1 }),
      problem('unreadable', 'bad', { document: 'b.json', line: 9, column: 1 }),
      problem('unreadable', 'bad', { document: 'a.json', line: 99, column: 1 }),
    ];
    const omissions = [omission('x', 'tier', 'experimental'), omission('w', 'mcp-only', 'mcp')];
    const sorted = check(generation([], omissions, problems));
    expect(sorted.map(({ code, document, line }) => [code, document, line])).toEqual([
      ['unreadable', 'a.json', 99],
      ['unreadable', 'b.json', 9],
      ['unreadable', 'b.json', 10],
      ['duplicate-id', 'b.json', undefined],
      ['mcp-only', 'graph/tools/w.json', undefined],
      ['tier', 'graph/tools/x.json', undefined],
    ]);
    expect(check(generation([], omissions.toReversed(), problems.toReversed()))).toEqual(sorted);
  });

  it('leaves the generation as it was', () => {
    const one = generation([], [], [problem('unreadable', 'b'), problem('unreadable', 'a')]);
    check(one);
    expect(one.problems.map(({ message }) => message)).toEqual(['b', 'a']);
  });
});

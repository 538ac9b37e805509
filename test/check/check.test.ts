import { describe, expect, it } from 'vitest';
import { check } from '../../src/check/check.js';
import { problem } from '../../src/diagnostic.js';
import { entry, generation, omission } from '../cli/generation-builder.js';

describe('check', () => {
  it('finds nothing in a generation without omissions and problems', () => {
    expect(check(generation([entry('a')]))).toEqual([]);
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

import { describe, expect, it } from 'vitest';
import { noProblems } from '../../../src/check/rules/no-problems.js';
import { problem } from '../../../src/diagnostic.js';
import { entry, generation } from '../../cli/generation-builder.js';

describe('no-problems', () => {
  it('reports a problem as it is, with its place', () => {
    const found = problem('invalid-node', 'expected a string', {
      document: 'a.json',
      pointer: '/id',
      line: 3,
      column: 5,
    });
    expect(noProblems.check(generation([entry('a')], [], [found]))).toEqual([found]);
  });
});

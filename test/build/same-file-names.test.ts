import { describe, expect, it } from 'vitest';
import { sameFileNames } from '../../src/build/same-file-names.js';
import { entry, generation } from '../cli/generation-builder.js';

describe('sameFileNames', () => {
  it('finds nothing where every name has its own file', () => {
    expect(sameFileNames(generation([entry('a'), entry('b')]))).toEqual([]);
  });

  it('names two names that differ in case alone', () => {
    expect(sameFileNames(generation([entry('Ab'), entry('ab')]))).toMatchObject([
      {
        code: 'name-collision',
        severity: 'error',
        message: 'ab and Ab would be one file where case is not told apart; change one of the ids',
        document: 'graph/tools/ab.json',
      },
    ]);
  });
});

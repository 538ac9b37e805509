import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtendedSubjects } from '../../src/store/extended-subjects.js';

const iri = fc
  .array(fc.constantFrom('a', 'b', '/', '-', '0', '~', '\ud83d\ude00'), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''));

describe('ExtendedSubjects', () => {
  it('may concern a Tool exactly when one is the Tool, lies under it, or is a part of it', () => {
    fc.assert(
      fc.property(fc.array(iri, { maxLength: 12 }), iri, fc.array(iri, { maxLength: 2 }), (subjects, tool, parts) => {
        const expected = subjects.some(
          (subject) => subject === tool || subject.startsWith(`${tool}/`) || parts.includes(subject),
        );
        expect(new ExtendedSubjects(subjects).mayConcern(tool, parts)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('counts each subject once', () => {
    expect(new ExtendedSubjects(['a', 'b', 'a']).size).toBe(2);
    expect(new ExtendedSubjects([]).mayConcern('a', ['b'])).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { unfinishedDescription } from '../../../src/check/rules/unfinished-description.js';
import { node } from '../../cli/generation-builder.js';
import { checked, messages } from '../checked-instance.js';

function judged(description: string): string[] {
  return messages(unfinishedDescription, checked({ nodes: [node('a', { description })] }));
}

describe('unfinished-description', () => {
  it.each([
    ['Counts words, lines and', 'ends in "and"'],
    ['Counts the', 'ends in "the"'],
    ['Counts words,', 'ends in ","'],
    ['Counts these:\n', 'ends in ":"'],
    ['Counts words...', 'ends in "..."'],
    ['Counts words…', 'ends in "…"'],
    ['Counts words (lines too.', 'opens a parenthesis and does not close it'],
    ['Counts with `wc', 'opens a code span and does not close it'],
  ])('warns of %j', (description, why) => {
    expect(judged(description)).toEqual([`a: its description ${why}`]);
  });

  it.each(['Counts words.', 'Counts words', 'Which branch it is in', 'Uses 1) `wc` and a) bytes', 'Brand', '…'])(
    'finds nothing in %j',
    (description) => {
      expect(judged(description)).toEqual([]);
    },
  );
});

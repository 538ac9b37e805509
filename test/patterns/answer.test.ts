import { describe, expect, it } from 'vitest';
import { answerQuestions } from '../../src/patterns/answer.js';
import { answerQuestion } from '../../src/patterns/answer-question.js';
import type { WordQuestion } from '../../src/patterns/question.js';

describe('A string that patterns ask for', () => {
  it.each<[WordQuestion, string]>([
    [{ matching: ['^[a-c]+$'], notMatching: '^[ab]+$', min: 0 }, 'c'],
    [{ matching: [], notMatching: '^\\d', min: 0 }, ''],
    [{ matching: ['^x*$'], min: 3, max: 5 }, 'xxx'],
    [{ matching: ['^a', 'b$'], min: 0 }, 'ab'],
    [{ matching: ['^[^]$'], notMatching: '^[\\u0000-\\uFFFF]$', min: 0 }, '\u{10000}'],
  ])('%j', async (question, word) => {
    expect(await answerQuestion({ kind: 'word', question })).toEqual({ kind: 'word', word });
  });

  it.each<WordQuestion>([
    { matching: ['^[a-z]+$'], notMatching: '^[a-z][a-z]*$', min: 0 },
    { matching: ['^[0-9]$'], notMatching: '^\\d$', min: 0 },
    { matching: ['^a{4}$'], min: 0, max: 3 },
  ])('is not there: %j', async (question) => {
    expect(await answerQuestion({ kind: 'word', question })).toEqual({ kind: 'none' });
  });

  it.each<WordQuestion>([
    { matching: ['(a)\\1'], min: 0 },
    { matching: ['('], min: 0 },
    { matching: ['a'.repeat(2001)], min: 0 },
    { matching: ['a'], min: 0, max: 10_000_000 },
  ])('is undecided where automata do not decide it', async (question) => {
    expect(await answerQuestion({ kind: 'word', question })).toEqual({ kind: 'undecided' });
  });
});

describe('Questions to the thread', () => {
  it('are answered in their order', async () => {
    const answers = await answerQuestions([
      { kind: 'matches', pattern: '^a', text: 'ab' },
      { kind: 'matches', pattern: '^a', text: 'ba' },
      { kind: 'word', question: { matching: ['^q$'], min: 0 } },
    ]);
    expect(answers).toEqual([
      { kind: 'matches', matches: true },
      { kind: 'matches', matches: false },
      { kind: 'word', word: 'q' },
    ]);
  });

  it('that take too long are undecided, and the next is answered', async () => {
    const answers = await answerQuestions(
      [
        { kind: 'matches', pattern: '^(a+)+$', text: `${'a'.repeat(60)}b` },
        { kind: 'matches', pattern: 'a', text: 'a' },
      ],
      { timeoutMs: 1000 },
    );
    expect(answers).toEqual([{ kind: 'undecided' }, { kind: 'matches', matches: true }]);
  });

  it('are undecided when the time for all is over', async () => {
    expect(await answerQuestions([{ kind: 'matches', pattern: 'a', text: 'a' }], { totalMs: 0 })).toEqual([
      { kind: 'undecided' },
    ]);
  });
});

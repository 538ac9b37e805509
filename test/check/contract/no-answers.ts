import type { PatternAnswers } from '../../../src/check/contract/pattern-question.js';

/** Decides nothing: patterns are then equal only as text. */
export const noAnswers: PatternAnswers = { matches: () => undefined, word: () => undefined };

import type { PatternAnswers } from '../check/contract/pattern-question.js';

/** Answers can lead to other questions: a word that one pattern gives is tried against another. */
const maxRounds = 6;

/** What a comparison gives that has an answer to all that it asks of patterns, as far as there is one. */
export async function withPatternAnswers<T>(compare: (patterns: PatternAnswers) => T): Promise<T> {
  const { PatternQuestions } = await import('../check/contract/pattern-question.js');
  const patterns = new PatternQuestions();
  for (let round = 1; ; round++) {
    const found = compare(patterns);
    const questions = patterns.take();
    if (questions.length === 0 || round === maxRounds) return found;
    const { answerQuestions } = await import('../patterns/answer.js');
    for (const [i, answer] of (await answerQuestions(questions)).entries()) {
      const question = questions[i];
      if (question !== undefined) patterns.put(question, answer);
    }
  }
}

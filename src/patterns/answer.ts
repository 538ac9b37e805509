import { BoundedThread } from './bounded-thread.js';
import type { PatternAnswer, PatternQuestion } from './question.js';

export interface AnswerOptions {
  /** For one question, in milliseconds. @default 5000 */
  readonly timeoutMs?: number;
  /** For all together, in milliseconds; those that are left then are undecided. @default 60000 */
  readonly totalMs?: number;
}

/**
 * The answer to each question, in their order, in a thread of its own that has ended when this returns. What is not answered in time is
 * `undecided`. Never rejects because of a pattern.
 */
export async function answerQuestions(
  questions: readonly PatternQuestion[],
  { timeoutMs = 5000, totalMs = 60_000 }: AnswerOptions = {},
): Promise<PatternAnswer[]> {
  const thread = new BoundedThread<PatternQuestion, PatternAnswer | 'ready'>(
    'question-worker.js',
    (reply) => reply === 'ready',
  );
  const end = performance.now() + totalMs;
  const answers: PatternAnswer[] = [];
  try {
    for (const question of questions) {
      let answer: PatternAnswer = { kind: 'undecided' };
      const take = (reply: PatternAnswer | 'ready'): boolean => {
        if (reply !== 'ready') answer = reply;
        return true;
      };
      if (performance.now() < end) await thread.ask(question, timeoutMs, take);
      answers.push(answer);
    }
    return answers;
  } finally {
    await thread.end();
  }
}

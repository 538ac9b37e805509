import type { PatternAnswer, PatternQuestion, WordQuestion } from '../../patterns/question.js';

/** What a comparison asks of regular expressions; it runs none itself. Undefined: it is not decided, or not yet. */
export interface PatternAnswers {
  /** Whether a search with flag u finds the pattern in the text. */
  matches(pattern: string, text: string): boolean | undefined;
  /** A string that the question asks for; `none` when there is no such string. */
  word(question: WordQuestion): { readonly word: string } | 'none' | undefined;
}

/** Questions that one comparison may ask: a server can list any number of patterns. */
const maxQuestions = 2000;

/** Notes what is asked and not answered yet, so that the comparison can be made again with the answers. */
export class PatternQuestions implements PatternAnswers {
  readonly #answers = new Map<string, PatternAnswer>();
  readonly #open = new Map<string, PatternQuestion>();

  matches(pattern: string, text: string): boolean | undefined {
    const found = this.#ask({ kind: 'matches', pattern, text });
    return found?.kind === 'matches' ? found.matches : undefined;
  }

  word(question: WordQuestion): { readonly word: string } | 'none' | undefined {
    const found = this.#ask({ kind: 'word', question: { ...question, matching: [...question.matching].sort() } });
    if (found?.kind === 'none') return 'none';
    return found?.kind === 'word' ? found : undefined;
  }

  /** What was asked since the last time. */
  take(): PatternQuestion[] {
    const questions = [...this.#open.values()];
    this.#open.clear();
    return questions;
  }

  put(question: PatternQuestion, answer: PatternAnswer): void {
    this.#answers.set(JSON.stringify(question), answer);
    // That a found word is what was asked for need not be asked again.
    if (question.kind !== 'word' || answer.kind !== 'word') return;
    const { matching, notMatching } = question.question;
    for (const pattern of matching) this.#know(pattern, answer.word, true);
    if (notMatching !== undefined) this.#know(notMatching, answer.word, false);
  }

  #know(pattern: string, text: string, matches: boolean): void {
    const question: PatternQuestion = { kind: 'matches', pattern, text };
    this.#answers.set(JSON.stringify(question), { kind: 'matches', matches });
  }

  #ask(question: PatternQuestion): PatternAnswer | undefined {
    const key = JSON.stringify(question);
    const known = this.#answers.get(key);
    if (known === undefined && this.#open.size + this.#answers.size < maxQuestions) this.#open.set(key, question);
    return known;
  }
}

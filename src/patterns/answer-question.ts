import type { PatternAnswer, PatternQuestion, WordQuestion } from './question.js';

const maxPatternLength = 2000;

/**
 * Answers one question. Runs in a thread: a pattern from outside can take any time. Never throws; what automata do not decide is
 * `undecided`.
 */
export async function answerQuestion(question: PatternQuestion): Promise<PatternAnswer> {
  try {
    if (question.kind === 'word') return await findWord(question.question);
    return { kind: 'matches', matches: new RegExp(question.pattern, 'u').test(question.text) };
  } catch {
    return { kind: 'undecided' };
  }
}

async function findWord({ matching, notMatching, min, max = Infinity }: WordQuestion): Promise<PatternAnswer> {
  const patterns = notMatching === undefined ? matching : [...matching, notMatching];
  if (patterns.some((pattern) => pattern.length > maxPatternLength)) return { kind: 'undecided' };
  const { complement, intersect, searchLanguage, strings } = await import('./language.js');
  const { shortestWord } = await import('./shortest-word.js');
  let language = strings();
  if (min > 0 || max !== Infinity) {
    language = intersect(language, searchLanguage(`^[^]{${min},${max === Infinity ? '' : max}}$`));
  }
  for (const pattern of matching) language = intersect(language, searchLanguage(pattern));
  if (notMatching !== undefined) language = intersect(language, complement(searchLanguage(notMatching)));
  const word = shortestWord(language);
  return word === undefined ? { kind: 'none' } : { kind: 'word', word };
}

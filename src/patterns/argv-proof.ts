import type { ArgvVerdict } from './verdict.js';

/** In UTF-16 code units. A longer pattern is not analysed. */
export const maxPatternLength = 2000;

/**
 * Decides what a `pattern` lets into argv (DESIGN decision 7). As in Ajv, the pattern is an unanchored search with flag `u`.
 * Never throws: what finite automata do not decide, or not within the bounds, is `undecided`. Time is not bounded here; a pattern
 * from outside is analysed with `analysePatterns`.
 */
export async function proveArgv(pattern: string): Promise<ArgvVerdict> {
  if (pattern.length > maxPatternLength) return undecided(`it is longer than ${maxPatternLength} characters`);
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    return undecided(`it is not a regular expression with flag u: ${messageOf(error)}`);
  }
  const { intersect, isTooLarge, searchLanguage, shellActiveStrings, strings } = await import('./language.js');
  const { shortestWord } = await import('./shortest-word.js');
  try {
    const language = searchLanguage(pattern);
    const counterexample = shortestWord(intersect(language, shellActiveStrings()));
    if (counterexample !== undefined) return { kind: 'unsafe', counterexample };
    return shortestWord(intersect(language, strings())) === undefined ? { kind: 'empty' } : { kind: 'safe' };
  } catch (error) {
    return undecided(isTooLarge(error) ? 'its automaton is too large' : messageOf(error));
  }
}

function undecided(why: string): ArgvVerdict {
  return { kind: 'undecided', why };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

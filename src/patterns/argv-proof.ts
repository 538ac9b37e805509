import type { NFA } from 'refa';
import { errorMessage } from '../error-message.js';
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
    return undecided(`it is not a regular expression with flag u: ${errorMessage(error)}`);
  }
  const language = await import('./language.js');
  const { shortestWord } = await import('./shortest-word.js');
  try {
    const matching = language.searchLanguage(pattern);
    const shortest = (others: NFA): string | undefined => shortestWord(language.intersect(matching, others));
    const counterexample = shortest(language.shellActiveStrings());
    if (counterexample !== undefined) return { kind: 'unsafe', counterexample };
    if (shortest(language.strings()) === undefined) return { kind: 'empty' };
    const optionLike = ifDecided(() => shortest(language.optionLikeStrings()));
    const parentPath = ifDecided(() => shortest(language.parentPathStrings()));
    return {
      kind: 'safe',
      ...(optionLike === undefined ? {} : { optionLike }),
      ...(parentPath === undefined ? {} : { parentPath }),
    };
  } catch (error) {
    return undecided(language.isTooLarge(error) ? 'its automaton is too large' : errorMessage(error));
  }
}

/** What is asked of a pattern beside its safety: an automaton too large for that leaves it safe. */
function ifDecided(ask: () => string | undefined): string | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

function undecided(why: string): ArgvVerdict {
  return { kind: 'undecided', why };
}

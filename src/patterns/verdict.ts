/** What is known of one regular expression: how long it can take, and what it lets into argv. */
export interface PatternVerdict {
  readonly time: MatchTime;
  /** The argv proof (DESIGN decision 7). */
  readonly argv: ArgvVerdict;
  /** The analysis ran out of time or memory. On another day it may not: this verdict is not to be stored. */
  readonly provisional?: true;
}

/**
 * How the time of a search grows with the length of the string. `linear` is proved; `quadratic` is a polynomial of degree 2, or that
 * nothing worse was found; `polynomial` is one of degree 3 and more. Only the first two are served (DESIGN decision 16).
 */
export type MatchTime = 'linear' | 'quadratic' | 'polynomial' | 'exponential' | 'undecided';

export type ArgvVerdict =
  | {
      readonly kind: 'safe';
      /** A shortest string that matches and begins with `-`, if one does: such a value is refused at call time. */
      readonly optionLike?: string;
      /** A shortest string that matches, is no URL and has a path segment `..`, if one does. */
      readonly parentPath?: string;
    }
  /** A shortest string that matches and is shell-active. */
  | { readonly kind: 'unsafe'; readonly counterexample: string }
  /** It matches no string at all: a mistake in the type. */
  | { readonly kind: 'empty' }
  /** Outside of what finite automata decide, or too large: counts as unsafe. */
  | { readonly kind: 'undecided'; readonly why: string };

/** By pattern source. */
export type PatternVerdicts = ReadonlyMap<string, PatternVerdict>;

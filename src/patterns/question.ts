/** Asks for a string that matches all of `matching` and not `notMatching`, of `min` to `max` code points. */
export interface WordQuestion {
  readonly matching: readonly string[];
  readonly notMatching?: string;
  readonly min: number;
  /** Infinity, or absent: without a bound. */
  readonly max?: number;
}

/** One question about regular expressions, which are unanchored searches with flag u, as in Ajv. */
export type PatternQuestion =
  | { readonly kind: 'matches'; readonly pattern: string; readonly text: string }
  | { readonly kind: 'word'; readonly question: WordQuestion };

export type PatternAnswer =
  | { readonly kind: 'matches'; readonly matches: boolean }
  | { readonly kind: 'word'; readonly word: string }
  /** There is no such string. */
  | { readonly kind: 'none' }
  | { readonly kind: 'undecided' };

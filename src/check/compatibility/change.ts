import type { Json } from '../../../schemas/declaration.js';

/**
 * What can change of a tool, and whether it breaks callers: a call that was accepted is refused, or a result has what the caller was told it
 * would not have. What a caller may leave unread breaks nothing: words, hints, a value that is accepted in addition.
 */
const changeCodes = {
  removed: { breaks: true },
  'confirmation-added': { breaks: true },
  'confirmation-removed': { breaks: true },
  'input-required': { breaks: true },
  'input-removed': { breaks: true },
  'input-narrowed': { breaks: true },
  'output-removed': { breaks: true },
  'output-changed': { breaks: true },
  added: { breaks: false },
  'input-added': { breaks: false },
  'input-optional': { breaks: false },
  'input-widened': { breaks: false },
  'output-added': { breaks: false },
  'output-narrowed': { breaks: false },
  words: { breaks: false },
  hints: { breaks: false },
  run: { breaks: false },
  node: { breaks: false },
} as const satisfies Record<string, { readonly breaks: boolean }>;

export type ChangeCode = keyof typeof changeCodes;

/** One thing in which a tool is other than before. */
export interface Change {
  readonly code: ChangeCode;
  readonly breaks: boolean;
  /** One line. */
  readonly message: string;
  /** Arguments, or a result, that show it: of a change of values. */
  readonly example?: Json;
}

export function change(code: ChangeCode, message: string, example?: Json): Change {
  return { code, breaks: changeCodes[code].breaks, message, ...(example === undefined ? {} : { example }) };
}

/** A part of two declarations that could not be compared. */
export interface Undecided {
  /** One line. */
  readonly message: string;
}

export interface Changes {
  readonly changes: readonly Change[];
  readonly undecided: readonly Undecided[];
}

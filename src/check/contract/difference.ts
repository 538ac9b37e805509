import type { Json } from '../../../schemas/declaration.js';

/** `anyItem` and `anyOther` stand for every place that has no step of its own. */
export type Step = string | number | typeof anyItem | typeof anyOther;
export const anyItem: unique symbol = Symbol('any item');
export const anyOther: unique symbol = Symbol('any other property');

/** One thing that one schema accepts and another refuses. */
export interface Difference {
  readonly path: readonly Step[];
  /** `required`: a value without the property; `unknown`: a property that the other does not have; else what its value may be. */
  readonly kind: 'value' | 'type' | 'bound' | 'required' | 'unknown';
  /** What is accepted, in words: "null", "numbers above 10". */
  readonly what: string;
  /** JSON pointers into the two schemas. */
  readonly acceptedAt: string;
  readonly refusedAt: string;
  /** A whole value that the one accepts and the other refuses. */
  readonly example: Json;
}

/** A place where the comparison does not know. */
export interface Undecided {
  readonly path: readonly Step[];
  readonly keyword: string;
  /** Of which of the two schemas the keyword is. */
  readonly of: 'accepting' | 'refusing';
  readonly pointer: string;
}

/** What is in one schema beyond another. Nothing of either: all that the one accepts, the other accepts too. */
export interface Outcome {
  readonly differences: readonly Difference[];
  readonly undecided: readonly Undecided[];
}

export const contained: Outcome = { differences: [], undecided: [] };

export function isContained({ differences, undecided }: Outcome): boolean {
  return differences.length + undecided.length === 0;
}

export function together(outcomes: readonly Outcome[]): Outcome {
  return {
    differences: outcomes.flatMap(({ differences }) => differences),
    undecided: outcomes.flatMap(({ undecided }) => undecided),
  };
}

/** The difference with its example; without one it is not decided, and the keyword says where. */
export function shownBy(example: Json | undefined, told: Omit<Difference, 'example'>, keyword: string): Outcome {
  if (example !== undefined) return { differences: [{ ...told, example }], undecided: [] };
  return { differences: [], undecided: [{ path: told.path, keyword, of: 'refusing', pointer: told.refusedAt }] };
}

import type { Json } from '../../../schemas/declaration.js';
import { canonicalText } from './json-value.js';

/**
 * What a schema accepts: a union of alternatives, each of one JSON type. Two spellings of the same set have the same alternatives, whatever
 * keywords they are written with. What a keyword says that is not understood here stays with the alternative as `opaque`: the alternative
 * alone is then more than what the schema accepts, never less.
 */
export interface Acceptance {
  readonly alternatives: readonly Alternative[];
  /** JSON pointer of the schema that it was read from. */
  readonly pointer: string;
}

export type Alternative = ExactValue | NumberRange | StringRange | ArrayShape | ObjectShape;

interface Common {
  readonly pointer: string;
  readonly opaque: readonly Opaque[];
}

/** A constraint that is not understood. */
export interface Opaque {
  /** Two with the same key say the same; nothing else is known to say the same as one without. */
  readonly key?: string;
  readonly keyword: string;
  readonly pointer: string;
}

/** null, true and false are always this; anything else is where an enum or const says so. */
export interface ExactValue extends Common {
  readonly kind: 'value';
  readonly value: Json;
  /** Its canonical text. */
  readonly text: string;
}

export interface NumberRange extends Common {
  readonly kind: 'number';
  readonly min: number;
  /** `min` itself is not in it. */
  readonly minOpen: boolean;
  readonly max: number;
  readonly maxOpen: boolean;
  /** All are multiples of it; 1 for integers. */
  readonly step?: number;
}

export interface StringRange extends Common {
  readonly kind: 'string';
  /** In code points. */
  readonly min: number;
  readonly max: number;
  /** Each matches, as an unanchored search with flag u. */
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
}

export interface ArrayShape extends Common {
  readonly kind: 'array';
  readonly prefix: readonly Acceptance[];
  readonly rest: Acceptance;
  readonly min: number;
  readonly max: number;
  readonly unique: boolean;
}

export interface ObjectShape extends Common {
  readonly kind: 'object';
  readonly properties: ReadonlyMap<string, Acceptance>;
  /** Of every name that is not in `properties`. */
  readonly additional: Acceptance;
  readonly required: ReadonlySet<string>;
  readonly min: number;
  readonly max: number;
}

/** Whatever is JSON. There is one of it, so that it can be told by identity. */
export const anything: Acceptance = {
  pointer: '',
  get alternatives() {
    return everyType;
  },
};

export function nothing(pointer: string): Acceptance {
  return { alternatives: [], pointer };
}

export function isNothing({ alternatives }: Acceptance): boolean {
  return alternatives.length === 0;
}

export function exactly(value: Json, pointer: string): ExactValue {
  return { kind: 'value', value, text: canonicalText(value), pointer, opaque: [] };
}

const plain: Common = { pointer: '', opaque: [] };

export function anyNumber(): NumberRange {
  return { kind: 'number', ...plain, min: -Infinity, minOpen: false, max: Infinity, maxOpen: false };
}

export function anyString(): StringRange {
  return { kind: 'string', ...plain, min: 0, max: Infinity, patterns: [], formats: [] };
}

export function anyArray(): ArrayShape {
  return { kind: 'array', ...plain, prefix: [], rest: anything, min: 0, max: Infinity, unique: false };
}

export function anyObject(): ObjectShape {
  return {
    kind: 'object',
    ...plain,
    properties: new Map(),
    additional: anything,
    required: new Set(),
    min: 0,
    max: Infinity,
  };
}

const everyType: readonly Alternative[] = [
  exactly(null, ''),
  exactly(true, ''),
  exactly(false, ''),
  anyNumber(),
  anyString(),
  anyArray(),
  anyObject(),
];

export function itemAt({ prefix, rest }: ArrayShape, index: number): Acceptance {
  return prefix[index] ?? rest;
}

/** How many members an object can have that the shape names or lets be named. */
export function possibleMembers({ properties, additional }: ObjectShape): number {
  if (!isNothing(additional)) return Infinity;
  return [...properties.values()].filter((property) => !isNothing(property)).length;
}

export function propertyOf({ properties, additional }: ObjectShape, name: string): Acceptance {
  return properties.get(name) ?? additional;
}

/** The alternative in its one form; undefined when it holds no value. */
export function normalised(alternative: Alternative): Alternative | undefined {
  switch (alternative.kind) {
    case 'value':
      return alternative;
    case 'number':
      return normalNumber(alternative);
    case 'string':
      return alternative.min > alternative.max ? undefined : alternative;
    case 'array':
      return normalArray(alternative);
    case 'object':
      return normalObject(alternative);
  }
}

/**
 * Bounds of integers are closed, and multiples of the step. One beyond what a double holds exactly is none: generators of schemas write it
 * for "any integer", and toolgraph refuses such a number in a call.
 */
function normalNumber(range: NumberRange): NumberRange | undefined {
  let { min, minOpen, max, maxOpen } = range;
  const { step } = range;
  if (step !== undefined && Number.isInteger(step)) {
    const least = Math.ceil(min / step) * step;
    min = minOpen && least === min ? least + step : least;
    const most = Math.floor(max / step) * step;
    max = maxOpen && most === max ? most - step : most;
    [minOpen, maxOpen] = [false, false];
    if (min <= Number.MIN_SAFE_INTEGER) min = -Infinity;
    if (max >= Number.MAX_SAFE_INTEGER) max = Infinity;
  }
  if (min > max || (min === max && (minOpen || maxOpen))) return undefined;
  return { ...range, min: min + 0, minOpen, max: max + 0, maxOpen };
}

function normalArray(shape: ArrayShape): ArrayShape | undefined {
  const bare = shape.prefix.findIndex(isNothing);
  const prefix = bare === -1 ? shape.prefix : shape.prefix.slice(0, bare);
  const closed = bare !== -1 || isNothing(shape.rest);
  const max = closed ? Math.min(shape.max, prefix.length) : shape.max;
  return shape.min > max ? undefined : { ...shape, prefix, max };
}

function normalObject(shape: ObjectShape): ObjectShape | undefined {
  for (const name of shape.required) if (isNothing(propertyOf(shape, name))) return undefined;
  const min = Math.max(shape.min, shape.required.size);
  const max = Math.min(shape.max, possibleMembers(shape));
  return min > max ? undefined : { ...shape, min, max };
}

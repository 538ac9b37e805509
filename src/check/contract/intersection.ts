import {
  type Acceptance,
  type Alternative,
  type ArrayShape,
  anything,
  type ExactValue,
  isNothing,
  itemAt,
  type NumberRange,
  normalised,
  type ObjectShape,
  type Opaque,
  propertyOf,
  type StringRange,
} from './acceptance.js';
import { TooLargeError } from './effort.js';
import { holds } from './membership.js';
import type { PatternAnswers } from './pattern-question.js';

/** More alternatives than this make a schema too large to compare; the values of an enum are cheaper than others. */
const maxAlternatives = 256;
const maxValues = 4096;
const maxPairs = 1_000_000;

/** What both accept. Throws a TooLargeError when that takes too many alternatives. */
export function intersection(a: Acceptance, b: Acceptance, patterns: PatternAnswers): Acceptance {
  if (a === anything || isNothing(b)) return b;
  if (b === anything || isNothing(a)) return a;
  if (a.alternatives.length * b.alternatives.length > maxPairs) throw new TooLargeError('it has too many alternatives');
  const alternatives = a.alternatives.flatMap((left) =>
    b.alternatives.flatMap((right) => {
      const both = meet(left, right, patterns);
      return both === undefined ? [] : (normalised(both) ?? []);
    }),
  );
  checkCount(alternatives);
  return { alternatives, pointer: b.pointer };
}

/** Throws a TooLargeError for a union that is too large. */
export function checkCount(alternatives: readonly Alternative[]): void {
  const values = alternatives.filter(({ kind }) => kind === 'value').length;
  if (values > maxValues) throw new TooLargeError(`it names more than ${maxValues} values`);
  if (alternatives.length - values > maxAlternatives) {
    throw new TooLargeError(`it has more than ${maxAlternatives} alternatives`);
  }
}

/** The alternative with more that is not understood about it. */
export function withOpaque<T extends Alternative>(alternative: T, more: readonly Opaque[]): T {
  if (more.length === 0) return alternative;
  const isKnown = ({ key }: Opaque): boolean =>
    key !== undefined && alternative.opaque.some((known) => known.key === key);
  return { ...alternative, opaque: [...alternative.opaque, ...more.filter((found) => !isKnown(found))] };
}

/** Whether no value is in both, as far as that can be told. */
export function areDisjoint(a: Alternative, b: Alternative, patterns: PatternAnswers): boolean {
  if (a.kind === 'object' && b.kind === 'object') {
    const names = [...a.required].filter((name) => b.required.has(name));
    if (names.some((name) => areApart(propertyOf(a, name), propertyOf(b, name), patterns))) return true;
  }
  const both = meet(a, b, patterns);
  return both === undefined || normalised(both) === undefined;
}

function areApart(a: Acceptance, b: Acceptance, patterns: PatternAnswers): boolean {
  return a.alternatives.every((left) => b.alternatives.every((right) => areDisjoint(left, right, patterns)));
}

/** What is not understood at any depth. */
export function opaqueIn(acceptance: Acceptance): Opaque[] {
  return acceptance === anything ? [] : acceptance.alternatives.flatMap(opaqueOf);
}

export function opaqueOf(alternative: Alternative): Opaque[] {
  const { opaque } = alternative;
  if (alternative.kind === 'array') return [...opaque, ...[...alternative.prefix, alternative.rest].flatMap(opaqueIn)];
  if (alternative.kind !== 'object') return [...opaque];
  return [...opaque, ...[...alternative.properties.values(), alternative.additional].flatMap(opaqueIn)];
}

function meet(a: Alternative, b: Alternative, patterns: PatternAnswers): Alternative | undefined {
  if (b.kind === 'value') return valueIn(b, a, patterns);
  if (a.kind === 'value') return valueIn(a, b, patterns);
  const common = { pointer: b.pointer, opaque: withOpaque(a, b.opaque).opaque };
  if (a.kind === 'number' && b.kind === 'number') return { ...meetNumbers(a, b), ...common };
  if (a.kind === 'string' && b.kind === 'string') return { ...meetStrings(a, b), ...common };
  if (a.kind === 'array' && b.kind === 'array') return { ...meetArrays(a, b, patterns), ...common };
  if (a.kind === 'object' && b.kind === 'object') return { ...meetObjects(a, b, patterns), ...common };
  return undefined;
}

function valueIn(value: ExactValue, other: Alternative, patterns: PatternAnswers): Alternative | undefined {
  const found = holds({ ...other, opaque: [] }, value.value, patterns);
  if (found === 'no') return undefined;
  return withOpaque(value, found === 'yes' ? other.opaque : undecidedOf(other));
}

/** Why it is not known whether an alternative holds a value: what is not understood of it, or its patterns and formats. */
function undecidedOf(alternative: Alternative): Opaque[] {
  const { pointer } = alternative;
  if (alternative.kind === 'string') {
    const { patterns, formats, opaque } = alternative;
    return [
      ...opaque,
      ...patterns.map((pattern) => ({ key: `pattern ${JSON.stringify(pattern)}`, keyword: 'pattern', pointer })),
      ...formats.map((format) => ({ key: `format ${JSON.stringify(format)}`, keyword: 'format', pointer })),
    ];
  }
  return [...opaqueOf(alternative), { keyword: 'enum', pointer }];
}

function meetNumbers(a: NumberRange, b: NumberRange): NumberRange {
  const min = Math.max(a.min, b.min);
  const max = Math.min(a.max, b.max);
  const step = commonStep(a.step, b.step);
  return {
    ...a,
    min,
    minOpen: (a.min === min && a.minOpen) || (b.min === min && b.minOpen),
    max,
    maxOpen: (a.max === max && a.maxOpen) || (b.max === max && b.maxOpen),
    ...(step === undefined ? {} : { step }),
  };
}

/** The least number of which all common multiples are multiples. */
export function commonStep(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  let scale = 1;
  while (scale < 1e9 && !(Number.isInteger(a * scale) && Number.isInteger(b * scale))) scale *= 10;
  const [x, y] = [a * scale, b * scale];
  const step = Number.isSafeInteger(x) && Number.isSafeInteger(y) ? (x / divisor(x, y)) * y : Number.NaN;
  if (!Number.isSafeInteger(step)) throw new TooLargeError(`no common multiple of ${a} and ${b} was found`);
  return step / scale;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

function meetStrings(a: StringRange, b: StringRange): StringRange {
  return {
    ...a,
    min: Math.max(a.min, b.min),
    max: Math.min(a.max, b.max),
    patterns: [...new Set([...a.patterns, ...b.patterns])],
    formats: [...new Set([...a.formats, ...b.formats])],
  };
}

function meetArrays(a: ArrayShape, b: ArrayShape, patterns: PatternAnswers): ArrayShape {
  const length = Math.max(a.prefix.length, b.prefix.length);
  return {
    ...a,
    prefix: Array.from({ length }, (_, i) => intersection(itemAt(a, i), itemAt(b, i), patterns)),
    rest: intersection(a.rest, b.rest, patterns),
    min: Math.max(a.min, b.min),
    max: Math.min(a.max, b.max),
    unique: a.unique || b.unique,
  };
}

function meetObjects(a: ObjectShape, b: ObjectShape, patterns: PatternAnswers): ObjectShape {
  const names = new Set([...a.properties.keys(), ...b.properties.keys()]);
  return {
    ...a,
    properties: new Map(
      Array.from(names, (name) => [name, intersection(propertyOf(a, name), propertyOf(b, name), patterns)]),
    ),
    additional: intersection(a.additional, b.additional, patterns),
    required: new Set([...a.required, ...b.required]),
    min: Math.max(a.min, b.min),
    max: Math.min(a.max, b.max),
  };
}

import type { Json } from '../../../schemas/declaration.js';
import { isJsonObject } from '../../json-object.js';
import {
  type Acceptance,
  type Alternative,
  type ArrayShape,
  anything,
  type ExactValue,
  itemAt,
  type NumberRange,
  type ObjectShape,
  propertyOf,
  type StringRange,
} from './acceptance.js';
import { isExampleOf, isFormatRefusing } from './formats.js';
import { canonicalText } from './json-value.js';
import type { PatternAnswers } from './pattern-question.js';

/** `unknown`: a constraint decides that is not understood, or a pattern that nobody has tried yet. */
export type Membership = 'yes' | 'no' | 'unknown';

/** Whether the schema accepts the value. */
export function accepts({ alternatives }: Acceptance, value: Json, patterns: PatternAnswers): Membership {
  const text = canonicalText(value);
  let best: Membership = 'no';
  for (const alternative of alternatives) {
    const found = holds(alternative, value, patterns, text);
    if (found === 'yes') return 'yes';
    if (found === 'unknown') best = 'unknown';
  }
  return best;
}

export function holds(
  alternative: Alternative,
  value: Json,
  patterns: PatternAnswers,
  text = canonicalText(value),
): Membership {
  const found =
    alternative.kind === 'value' ? known(alternative.text === text) : holdsByShape(alternative, value, patterns);
  return found === 'yes' && alternative.opaque.length > 0 ? 'unknown' : found;
}

function holdsByShape(
  alternative: Exclude<Alternative, ExactValue>,
  value: Json,
  patterns: PatternAnswers,
): Membership {
  switch (alternative.kind) {
    case 'number':
      return known(typeof value === 'number' && isInRange(alternative, value));
    case 'string':
      return typeof value === 'string' ? stringHolds(alternative, value, patterns) : 'no';
    case 'array':
      return Array.isArray(value) ? arrayHolds(alternative, value, patterns) : 'no';
    case 'object':
      return isJsonObject(value) ? objectHolds(alternative, value, patterns) : 'no';
  }
}

export function isInRange({ min, minOpen, max, maxOpen, step }: NumberRange, value: number): boolean {
  if (value < min || (minOpen && value === min) || value > max || (maxOpen && value === max)) return false;
  return step === undefined || isMultiple(value, step);
}

/** As Ajv decides it: by the quotient of the two doubles. */
export function isMultiple(value: number, step: number): boolean {
  return Number.isInteger(value / step);
}

function stringHolds({ min, max, patterns, formats }: StringRange, value: string, answers: PatternAnswers): Membership {
  const length = [...value].length;
  if (length < min || length > max) return 'no';
  const matches = patterns.map((pattern) => answers.matches(pattern, value));
  if (matches.includes(false) || formats.some((format) => isFormatRefusing(format, value))) return 'no';
  const certain = !matches.includes(undefined) && formats.every((format) => isExampleOf(format, value));
  return certain ? 'yes' : 'unknown';
}

function arrayHolds(shape: ArrayShape, value: readonly Json[], patterns: PatternAnswers): Membership {
  if (value.length < shape.min || value.length > shape.max) return 'no';
  if (shape.unique && new Set(value.map(canonicalText)).size < value.length) return 'no';
  return all(value.map((item, i) => within(itemAt(shape, i), item, patterns)));
}

function objectHolds(
  shape: ObjectShape,
  value: { readonly [key: string]: Json },
  patterns: PatternAnswers,
): Membership {
  const members = Object.entries(value);
  if (members.length < shape.min || members.length > shape.max) return 'no';
  for (const name of shape.required) if (!Object.hasOwn(value, name)) return 'no';
  return all(members.map(([name, member]) => within(propertyOf(shape, name), member, patterns)));
}

function within(acceptance: Acceptance, value: Json, patterns: PatternAnswers): Membership {
  return acceptance === anything ? 'yes' : accepts(acceptance, value, patterns);
}

function all(found: readonly Membership[]): Membership {
  if (found.includes('no')) return 'no';
  return found.includes('unknown') ? 'unknown' : 'yes';
}

function known(holds: boolean): Membership {
  return holds ? 'yes' : 'no';
}

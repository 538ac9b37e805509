import type { Json, JsonSchema } from '../../../schemas/declaration.js';
import { anyNumber, anyString, type NumberRange, type StringRange } from './acceptance.js';
import { commonStep } from './intersection.js';

/** Formats of numbers; a string may have them without a meaning. */
const numberFormats: ReadonlySet<string> = new Set(['int32', 'int64', 'float', 'double']);

/** What the keywords for numbers say. `integer`: what the type says beside them. */
export function numberRange(schema: JsonSchema, integer: boolean, pointer: string): NumberRange {
  const [least, above] = [number(schema.minimum, -Infinity), number(schema.exclusiveMinimum, -Infinity)];
  const [most, below] = [number(schema.maximum, Infinity), number(schema.exclusiveMaximum, Infinity)];
  const multiple = typeof schema.multipleOf === 'number' ? schema.multipleOf : undefined;
  const step = commonStep(multiple, integer ? 1 : undefined);
  const format = typeof schema.format === 'string' && numberFormats.has(schema.format) ? schema.format : undefined;
  const opaque = format === undefined ? [] : [{ key: `format ${format}`, keyword: 'format', pointer }];
  return {
    ...anyNumber(),
    min: Math.max(least, above),
    minOpen: above >= least && above !== -Infinity,
    max: Math.min(most, below),
    maxOpen: below <= most && below !== Infinity,
    ...(step === undefined ? {} : { step }),
    opaque,
  };
}

/** What the keywords for strings say. */
export function stringRange({ minLength, maxLength, pattern, format }: JsonSchema): StringRange {
  return {
    ...anyString(),
    min: number(minLength, 0),
    max: number(maxLength, Infinity),
    patterns: typeof pattern === 'string' ? [pattern] : [],
    formats: typeof format === 'string' && !numberFormats.has(format) ? [format] : [],
  };
}

/** The number that a keyword has as its value, or what it is without one. */
export function number(value: Json | undefined, absent: number): number {
  return typeof value === 'number' ? value : absent;
}

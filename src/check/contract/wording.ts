import type { Json } from '../../../schemas/declaration.js';
import type { Alternative } from './acceptance.js';

/** What a value is, in words: `null`, `the string "a"`. */
export function exactWords(value: Json): string {
  const text = shortJson(value);
  if (value === null || typeof value === 'boolean') return text;
  if (typeof value === 'object') return Array.isArray(value) ? `the array ${text}` : `the object ${text}`;
  return `the ${typeof value} ${text}`;
}

/** JSON on one line, cut where it is longer than so many characters. */
export function shortJson(value: Json, longest = 60): string {
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** The values of an alternative by their type: `strings`. */
export function typeWords(alternative: Alternative): string {
  if (alternative.kind === 'number') return alternative.step === 1 ? 'integers' : 'numbers';
  if (alternative.kind !== 'value') return `${alternative.kind}s`;
  const { value } = alternative;
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'arrays';
  return Number.isInteger(value) ? 'integers' : `${typeof value}s`;
}

const units = { string: 'character', array: 'item', object: 'property' };

export function boundWords(type: keyof typeof units, direction: 'fewer' | 'more', bound: number): string {
  const unit = units[type];
  const plural = unit === 'property' ? 'properties' : `${unit}s`;
  return `${type}s of ${direction} than ${bound} ${bound === 1 ? unit : plural}`;
}

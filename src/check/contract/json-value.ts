import type { Json } from '../../../schemas/declaration.js';
import { byCodeUnits } from '../../code-units.js';
import { isJsonObject } from '../../json-object.js';

/** One text for all spellings of one JSON value: the keys of objects are sorted. Recursive: for values whose depth is bounded. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).sort(([a], [b]) => byCodeUnits(a, b));
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalText(member)}`).join(',')}}`;
  }
  // JSON.stringify writes -0 as 0, which are one value in JSON Schema.
  return JSON.stringify(value);
}

/** Depth and number of values, counted up to the bounds; without recursion, for values of any depth. */
export function isWithinBounds(value: Json, maxDepth: number, maxValues: number): boolean {
  let layer: readonly Json[] = [value];
  let values = 0;
  for (let depth = 0; layer.length > 0; depth++) {
    values += layer.length;
    if (depth > maxDepth || values > maxValues) return false;
    layer = layer.flatMap((member) =>
      typeof member === 'object' && member !== null ? (Object.values(member) as Json[]) : [],
    );
  }
  return true;
}

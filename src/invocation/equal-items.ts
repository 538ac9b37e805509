import { JsonValues, type Spend } from './json-values.js';

/**
 * The places of the first two items that are equal as JSON values, whatever the order of their members. Takes linear time, where Ajv compares
 * every two containers; its steps are told to `spend`. Pure.
 */
export function equalItems(items: readonly unknown[], spend: Spend): readonly [number, number] | undefined {
  const places = new JsonValues<number>();
  for (const [place, item] of items.entries()) {
    const before = places.get(item, spend);
    if (before !== undefined) return [before, place];
    places.set(item, place);
  }
  return undefined;
}

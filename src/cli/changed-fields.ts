import { isJsonObject } from '../json-object.js';

/**
 * The fields in which two nodes differ, as `io.inputs.only.schema`: members of objects, and items of lists that have a name. Pure; both are
 * JSON.
 */
export function changedFields(before: unknown, after: unknown): string[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => inField(key, before[key], after[key]));
  }
  const [earlier, later] = [byName(before), byName(after)];
  if (earlier !== undefined && later !== undefined) {
    const names = [...new Set([...earlier.keys(), ...later.keys()])];
    const fields = names.flatMap((name) => inField(name, earlier.get(name), later.get(name)));
    // The same items in another order.
    return fields.length > 0 || isSame(before, after) ? fields : [''];
  }
  return isSame(before, after) ? [] : [''];
}

function inField(key: string, before: unknown, after: unknown): string[] {
  return changedFields(before, after).map((field) => (field === '' ? key : `${key}.${field}`));
}

function byName(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!Array.isArray(value)) return undefined;
  const named = value.flatMap((item: unknown) =>
    isJsonObject(item) && typeof item.name === 'string' ? [[item.name, item] as const] : [],
  );
  return named.length === value.length ? new Map(named) : undefined;
}

/** Of two values from one store, which keeps the members of an object in one order. */
function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

import canonicalize from 'canonicalize';

/**
 * The places of the first two items that are equal as JSON values, whatever the order of their members. Takes linear time, where Ajv compares
 * every two containers. Pure.
 */
export function equalItems(items: readonly unknown[]): readonly [number, number] | undefined {
  const scalars = new Map<unknown, number>();
  const containers = new Map<unknown, number>();
  for (const [place, item] of items.entries()) {
    const isContainer = typeof item === 'object' && item !== null;
    const known = isContainer ? containers : scalars;
    const key = isContainer ? canonicalize(item) : item;
    const before = known.get(key);
    if (before !== undefined) return [before, place];
    known.set(key, place);
  }
  return undefined;
}

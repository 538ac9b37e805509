/**
 * The sorted items without those of `gone`, and with `added`, in order. Each is found by halves, and the rest is copied; where much
 * changes, all is sorted.
 */
export function mergeSorted<T>(
  items: readonly T[],
  gone: ReadonlySet<T>,
  added: readonly T[],
  compare: (a: T, b: T) => number,
): T[] {
  if ((gone.size + added.length) * 16 > items.length) {
    return [...items.filter((item) => !gone.has(item)), ...added].sort(compare);
  }
  const merged = [...items];
  const placeOf = (item: T) => firstNotBefore(merged, (other) => compare(other, item) < 0);
  for (const item of gone) {
    const at = merged.indexOf(item, placeOf(item));
    if (at !== -1) merged.splice(at, 1);
  }
  for (const item of added) merged.splice(placeOf(item), 0, item);
  return merged;
}

/** Index of the first item that is not before a place, by binary search: `isBefore` holds for those up to it. */
export function firstNotBefore<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = items[middle];
    if (other !== undefined && isBefore(other)) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Compare<T> = (a: T, b: T) => number;

/**
 * The sorted items without those of `gone`, and with `added`, in order. Each is found by halves, and the rest is copied; where much
 * changes, all is sorted.
 */
export function mergeSorted<T>(
  items: readonly T[],
  gone: ReadonlySet<T>,
  added: readonly T[],
  compare: Compare<T>,
): T[] {
  if ((gone.size + added.length) * 16 > items.length) {
    return [...items.filter((item) => !gone.has(item)), ...added].sort(compare);
  }
  const merged = [...items];
  for (const item of gone) {
    const at = merged.indexOf(item, firstNotBefore(merged, item, compare));
    if (at !== -1) merged.splice(at, 1);
  }
  for (const item of added) merged.splice(firstNotBefore(merged, item, compare), 0, item);
  return merged;
}

function firstNotBefore<T>(items: readonly T[], item: T, compare: Compare<T>): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = items[middle];
    if (other !== undefined && compare(other, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

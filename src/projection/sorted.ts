type Compare<T> = (a: T, b: T) => number;

/** The sorted items without those that `gone` holds, and with `added`, in order: one pass, whatever the number of changes. */
export function mergeSorted<T>(
  items: readonly T[],
  gone: ReadonlySet<T>,
  added: readonly T[],
  compare: Compare<T>,
): T[] {
  const incoming = [...added].sort(compare);
  const merged: T[] = [];
  let next = 0;
  for (const item of items) {
    if (gone.has(item)) continue;
    for (let other = incoming[next]; other !== undefined && compare(other, item) < 0; other = incoming[next]) {
      merged.push(other);
      next += 1;
    }
    merged.push(item);
  }
  merged.push(...incoming.slice(next));
  return merged;
}

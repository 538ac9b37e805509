/** The middle of the values, or the mean of the two in the middle. There must be one. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[half]];
  if (low === undefined || high === undefined) throw new Error('no values');
  return (low + high) / 2;
}

/** The items, begun at another one in each round, so that no case always follows the same neighbour. */
export function rotated<T>(items: readonly T[], round: number): T[] {
  const start = items.length === 0 ? 0 : round % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** The least of the values that is not below so large a share of them, such as 0.99: the nearest rank. There must be one. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const found = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (found === undefined) throw new Error('no values');
  return found;
}

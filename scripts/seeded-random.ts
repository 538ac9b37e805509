/** Numbers that are the same for the same seed: mulberry32, 32 bits of state, good enough to vary inputs. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the items, of which there must be one. */
  pick<T>(items: readonly T[]): T {
    const [item] = items.slice(this.between(0, items.length - 1));
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** Up to `count` different items, in a random order. */
  sample<T>(items: readonly T[], count: number): T[] {
    const left = [...items];
    const taken: T[] = [];
    while (taken.length < count && left.length > 0) taken.push(...left.splice(this.between(0, left.length - 1), 1));
    return taken;
  }
}

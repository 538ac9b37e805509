import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../scripts/seeded-random.js';

const seeds = fc.integer({ min: 0, max: 0xffffffff });

describe('A seeded random', () => {
  it('gives the same numbers for the same seed, and others for another', () => {
    const numbers = (seed: number): number[] => {
      const random = new SeededRandom(seed);
      return Array.from({ length: 20 }, () => random.next());
    };
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(numbers(seed)).toEqual(numbers(seed));
        expect(numbers(seed)).not.toEqual(numbers(seed + 1));
      }),
    );
  });

  it('stays between its bounds and reaches both', () => {
    const random = new SeededRandom(7);
    const values = new Set(Array.from({ length: 500 }, () => random.between(3, 6)));
    expect([...values].sort()).toEqual([3, 4, 5, 6]);
  });

  it('samples different items, at most as many as there are', () => {
    fc.assert(
      fc.property(seeds, fc.uniqueArray(fc.integer()), fc.nat(20), (seed, items, count) => {
        const sample = new SeededRandom(seed).sample(items, count);
        expect(sample).toHaveLength(Math.min(count, items.length));
        expect(new Set(sample).size).toBe(sample.length);
        expect(items).toEqual(expect.arrayContaining(sample));
      }),
    );
  });

  it('has nothing to pick from an empty array', () => {
    expect(() => new SeededRandom(1).pick([])).toThrow('nothing to pick from');
  });
});

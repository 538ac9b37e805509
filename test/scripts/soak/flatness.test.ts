import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastSquaresSlope, trend } from '../../../scripts/soak/flatness.js';

describe('The least-squares slope', () => {
  it('is that of a line, whatever its height', () => {
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }), (slope, height) => {
        const values = Array.from({ length: 20 }, (_, x) => height + slope * x);
        expect(leastSquaresSlope(values)).toBeCloseTo(slope);
      }),
    );
  });

  it('is not led by one peak in the middle', () => {
    expect(leastSquaresSlope([1, 1, 1, 90, 1, 1, 1])).toBeCloseTo(0);
  });

  it('of fewer than two values is 0', () => {
    expect([leastSquaresSlope([]), leastSquaresSlope([4])]).toEqual([0, 0]);
  });
});

describe('A trend', () => {
  it('is flat when only the warm-up rises', () => {
    const warming = Array.from({ length: 10 }, (_, i) => i * 5);
    const level = Array.from({ length: 20 }, (_, i) => 50 + (i % 2));
    const found = trend([...warming, ...level], 2);
    expect(found).toMatchObject({ first: 0, last: 51, highest: 51, isFlat: true });
    expect(Math.abs(found.growth)).toBeLessThan(1);
  });

  it('is not flat when it leaks, and flat up to what is allowed', () => {
    const leaking = Array.from({ length: 30 }, (_, i) => 50 + i);
    expect(trend(leaking, 18).isFlat).toBe(false);
    expect(trend(leaking, 18).growth).toBeCloseTo(19);
    expect(trend(leaking, 19.01).isFlat).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { benchRow } from '../../../scripts/bench/result.js';
import { median, percentile, rotated } from '../../../scripts/bench/statistics.js';

describe('The median', () => {
  it('is the middle value, or the mean of the two in the middle, whatever the order', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 1, 4, 2])).toBe(3);
    expect(median([7])).toBe(7);
  });

  it('sorts by value, not as text', () => {
    expect(median([100, 9, 20])).toBe(20);
  });

  it('of nothing is an error', () => {
    expect(() => median([])).toThrow('no values');
  });
});

describe('A percentile', () => {
  it('is the value at the nearest rank, whatever the order', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect([0, 0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([1, 50, 99, 100]);
    expect(percentile([3, 200, 1], 0.99)).toBe(200);
  });

  it('of nothing is an error', () => {
    expect(() => percentile([], 0.5)).toThrow('no values');
  });
});

describe('A rotation', () => {
  it('begins at another item each round and holds all of them', () => {
    expect([0, 1, 2, 3].map((round) => rotated(['a', 'b', 'c'], round).join(''))).toEqual(['abc', 'bca', 'cab', 'abc']);
    expect(rotated([], 4)).toEqual([]);
  });
});

describe('A row', () => {
  const head = { id: 'x', section: 'list', what: 'x', unit: 'ms' } as const;

  it('holds the median, the runs in their order, and the ratio of the medians', () => {
    const row = benchRow(head, [30, 10, 20], { what: 'floor', runs: [4, 8, 100] });
    expect(row).toEqual({
      ...head,
      median: 20,
      runs: [30, 10, 20],
      peer: { what: 'floor', median: 8, runs: [4, 8, 100] },
      ratio: 2.5,
    });
  });

  it('has four significant digits', () => {
    const row = benchRow(head, [1234.5678], { what: 'floor', runs: [0.0123456] });
    expect([row.median, row.peer?.median, row.ratio]).toEqual([1235, 0.01235, 100_000]);
  });

  it('has no ratio without a peer', () => {
    expect(benchRow(head, [1])).toEqual({ ...head, median: 1, runs: [1] });
  });
});

import { describe, expect, it } from 'vitest';
import { OrderedWork } from '../src/ordered-work.js';

describe('OrderedWork', () => {
  it('begins a piece only when the one before has ended, and goes on after one that failed', async () => {
    const work = new OrderedWork();
    const told: string[] = [];
    const first = work.add(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      told.push('first');
      throw new Error('no');
    });
    const second = work.add(async () => told.push('second'));
    await expect(first).rejects.toThrow('no');
    expect(await second).toBe(2);
    expect(told).toEqual(['first', 'second']);
  });

  it('has ended when the last piece has, also where that failed', async () => {
    const work = new OrderedWork();
    let isDone = false;
    const failing = work.add(async () => {
      isDone = true;
      throw new Error('no');
    });
    failing.catch(() => {});
    await work.ended();
    expect(isDone).toBe(true);
  });
});

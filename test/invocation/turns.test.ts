import { describe, expect, it } from 'vitest';
import { Turns } from '../../src/invocation/turns.js';

describe('Turns', () => {
  it('lets so many go on at once, and the others in the order in which they came', async () => {
    const turns = new Turns(2);
    const begun: number[] = [];
    const all = [0, 1, 2, 3].map((n) => turns.begin().then(() => begun.push(n)));
    await Promise.all(all.slice(0, 2));
    expect(begun).toEqual([0, 1]);
    turns.end();
    await all[2];
    expect(begun).toEqual([0, 1, 2]);
    turns.end();
    await all[3];
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it('gives no turn to one that was cancelled, before or while it waited', async () => {
    const turns = new Turns(1);
    expect(await turns.begin(AbortSignal.abort())).toBe(false);
    expect(await turns.begin()).toBe(true);
    const cancel = new AbortController();
    const cancelled = turns.begin(cancel.signal);
    const next = turns.begin();
    cancel.abort();
    expect(await cancelled).toBe(false);
    turns.end();
    expect(await next).toBe(true);
    turns.end();
    expect(await turns.begin()).toBe(true);
  });
});

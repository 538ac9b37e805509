import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Progress } from '../../src/invocation/progress.js';
import { ProgressNotifier } from '../../src/mcp/progress-notifier.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function notifier() {
  const sent: Progress[] = [];
  const progress = new ProgressNotifier(async (said) => void sent.push(said), 100);
  return { progress, sent };
}

describe('ProgressNotifier', () => {
  it('tells the first at once, then the latest at most once in an interval, and the last before the end', async () => {
    const { progress, sent } = notifier();
    for (let n = 1; n <= 1000; n++) progress.tell({ progress: n, total: 2000 });
    expect(sent).toEqual([{ progress: 1, total: 2000 }]);
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toEqual([
      { progress: 1, total: 2000 },
      { progress: 1000, total: 2000 },
    ]);
    progress.tell({ progress: 2000, total: 2000, message: 'done' });
    expect(sent).toHaveLength(2);
    await progress.finish();
    expect(sent[2]).toEqual({ progress: 2000, total: 2000, message: 'done' });
    progress.tell({ progress: 3000 });
    await vi.runAllTimersAsync();
    expect(sent).toHaveLength(3);
  });

  it('tells again at once after an interval without news', async () => {
    const { progress, sent } = notifier();
    progress.tell({ progress: 1 });
    await vi.advanceTimersByTimeAsync(100);
    progress.tell({ progress: 2 });
    expect(sent).toEqual([{ progress: 1 }, { progress: 2 }]);
    await progress.finish();
  });

  it('tells only what is further, and no number that JSON lacks', async () => {
    const { progress, sent } = notifier();
    for (const n of [5, 5, 3, Number.NaN, Number.POSITIVE_INFINITY]) progress.tell({ progress: n });
    progress.tell({ progress: 6, total: Number.NaN });
    await progress.finish();
    expect(sent).toEqual([{ progress: 5 }, { progress: 6 }]);
  });

  it('makes a message one bounded line', async () => {
    const { progress, sent } = notifier();
    progress.tell({ progress: 1, message: `a\n\u001b b\ud800${'😀'.repeat(200)}` });
    await progress.finish();
    const { message = '' } = sent[0] ?? {};
    expect(message).toMatch(/^a b \p{Extended_Pictographic}+…$/u);
    expect(message.length).toBeLessThanOrEqual(201);
  });
});

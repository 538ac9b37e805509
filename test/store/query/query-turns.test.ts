import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { QueryTurns } from '../../../src/store/query/query-turns.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const busy = expect.objectContaining({ name: 'QueryError', code: 'busy' });

it('a query that waits behind slow ones is told that they are busy, and those that come after it have their turn', async () => {
  const turns = new QueryTurns(() => 3);
  await turns.enter(undefined);
  const first = turns.enter(undefined);
  const refused = expect(first).rejects.toEqual(busy);
  await vi.advanceTimersByTimeAsync(29_000);
  const second = turns.enter(undefined);
  await vi.advanceTimersByTimeAsync(2_000);
  await refused;
  turns.leave();
  await second;
  await vi.advanceTimersByTimeAsync(60_000);
  turns.leave();
  await turns.enter(undefined);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HostLooks } from '../src/host-looks.js';

const times = { intervalMs: 10_000, quietMs: 100, atMostMs: 500 };
let looks: HostLooks;
let look: ReturnType<typeof vi.fn<() => Promise<void>>>;

beforeEach(() => {
  vi.useFakeTimers();
  look = vi.fn(async () => {});
  looks = new HostLooks(look, times);
});
afterEach(() => {
  looks.close();
  vi.useRealTimers();
});

const after = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('looks at the interval, and not before', async () => {
  await after(10_000);
  expect(look).toHaveBeenCalledTimes(0);
  await after(100);
  expect(look).toHaveBeenCalledTimes(1);
  await after(10_000);
  expect(look).toHaveBeenCalledTimes(2);
});

it('looks once for the hints of a burst: when it is over, or after a while', async () => {
  for (let n = 0; n < 3; n++) {
    looks.hint();
    await after(90);
  }
  expect(look).toHaveBeenCalledTimes(0);
  await after(10);
  expect(look).toHaveBeenCalledTimes(1);
  for (let n = 0; n < 6; n++) {
    looks.hint();
    await after(90);
  }
  expect(look).toHaveBeenCalledTimes(2);
});

it('looks again for a hint that came during a look, and rests in between for as long as the look deserves', async () => {
  look.mockImplementationOnce(() => new Promise((resolve) => setTimeout(resolve, 50)));
  looks.hint();
  await after(120);
  looks.hint();
  await after(30 + 499);
  expect(look).toHaveBeenCalledTimes(1);
  await after(1);
  expect(look).toHaveBeenCalledTimes(2);
});

it('looks no more when it is closed', async () => {
  looks.hint();
  looks.close();
  looks.hint();
  await after(60_000);
  expect(look).toHaveBeenCalledTimes(0);
});

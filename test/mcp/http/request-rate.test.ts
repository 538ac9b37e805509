import fc from 'fast-check';
import { Hono, type MiddlewareHandler } from 'hono';
import { describe, expect, it } from 'vitest';
import { limitAddressRate, limitServiceRate } from '../../../src/mcp/http/limit-rate.js';
import { AddressBuckets, RateBucket, rateKey } from '../../../src/mcp/http/request-rate.js';
import { ask } from './app-request.js';

describe('A bucket of requests', () => {
  it('lets a burst through, then so many each second', () => {
    const bucket = new RateBucket();
    const taken = (...times: number[]) => times.map((now) => Math.round(bucket.take({ perSecond: 2, burst: 3 }, now)));
    expect(taken(0, 0, 0, 0)).toEqual([0, 0, 0, 500]);
    expect(taken(499, 500, 500)).toEqual([1, 0, 500]);
    expect(taken(60_000, 60_000, 60_000, 60_000)).toEqual([0, 0, 0, 500]);
  });

  it('follows a change of the rate', () => {
    const bucket = new RateBucket();
    for (let n = 0; n < 10; n++) bucket.take({ perSecond: 1, burst: 100 }, 0);
    const slower = { perSecond: 1, burst: 2 };
    expect([bucket.take(slower, 0), bucket.take(slower, 0), bucket.take(slower, 0)]).toEqual([0, 0, 1000]);
  });

  it('never lets more through than the burst and the rate allow, and always does after the wait that it gave', () => {
    const rates = fc.record({ perSecond: fc.integer({ min: 1, max: 50 }), burst: fc.integer({ min: 1, max: 20 }) });
    fc.assert(
      fc.property(rates, fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 200 }), (rate, gaps) => {
        const bucket = new RateBucket();
        let now = 0;
        let passed = 0;
        for (const gap of gaps) {
          now += gap;
          const wait = bucket.take(rate, now);
          if (wait === 0) passed++;
          expect(passed).toBeLessThanOrEqual(rate.burst + (now * rate.perSecond) / 1000 + 1e-6);
        }
        const wait = bucket.take(rate, now);
        expect(wait === 0 ? 0 : bucket.take(rate, now + Math.ceil(wait))).toBe(0);
      }),
    );
  });
});

describe('The buckets of addresses', () => {
  it('are so many at most: the one that was quiet for the longest time goes', () => {
    const buckets = new AddressBuckets(2);
    const take = (key: string, now: number) => buckets.take(key, { perSecond: 1, burst: 1 }, now);
    expect([take('a', 0), take('b', 0), take('a', 1)]).toEqual([0, 0, 999]);
    expect(take('c', 1)).toBe(0);
    expect(buckets.size).toBe(2);
    // b was forgotten, a was not.
    expect([take('a', 1), take('b', 1)]).toEqual([999, 0]);
    for (let n = 0; n < 10_000; n++) take(`${n}`, 2);
    expect(buckets.size).toBe(2);
  });

  it.each([
    ['127.0.0.1', undefined],
    ['::1', undefined],
    ['::ffff:127.0.0.1', undefined],
    [undefined, undefined],
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['2001::', '2001:0:0:0'],
    ['::2', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('count %s as %s', (address, key) => {
    expect(rateKey(address)).toBe(key);
  });
});

describe('A service with a rate', () => {
  const rate = { perSecond: 0.25, burst: 2 };
  const app = (limit: MiddlewareHandler) => new Hono().use(limit).get('/x', (c) => c.text('served'));
  const statuses = async (asked: Hono, addresses: readonly string[]): Promise<number[]> => {
    const answers = [];
    for (const remoteAddress of addresses) answers.push((await ask(asked, '/x', { remoteAddress })).status);
    return answers;
  };

  it('refuses with 429 what one address sends too fast, and says when to come again; not another address, nor loopback', async () => {
    let now = 0;
    const asked = app(
      limitAddressRate(
        () => rate,
        () => now,
      ),
    );
    expect(await statuses(asked, ['203.0.113.7', '203.0.113.7', '203.0.113.7', '203.0.113.8'])).toEqual([
      200, 200, 429, 200,
    ]);
    expect(await statuses(asked, new Array(50).fill('127.0.0.1'))).toEqual(new Array(50).fill(200));
    now = 1;
    const refused = await ask(asked, '/x', { remoteAddress: '203.0.113.7' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '4']);
    now = 4_000;
    expect(await statuses(asked, ['203.0.113.7'])).toEqual([200]);
  });

  it('refuses what all send together', async () => {
    const asked = app(
      limitServiceRate(
        () => rate,
        () => 0,
      ),
    );
    expect(await statuses(asked, ['203.0.113.7', '127.0.0.1', '203.0.113.8', '127.0.0.1'])).toEqual([
      200, 200, 429, 429,
    ]);
  });
});

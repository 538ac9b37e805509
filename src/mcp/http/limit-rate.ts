import type { MiddlewareHandler } from 'hono';
import { socketOf } from './connection.js';
import { refuse } from './refusal.js';
import { AddressBuckets, RateBucket, type RequestRate, rateKey } from './request-rate.js';

/** Addresses that are counted at once: some hundred bytes each. */
const mostAddresses = 10_000;

/** Milliseconds of a clock that never goes back. */
type Clock = () => number;

/** Limits the requests of each remote address, loopback excepted. Before the token is looked at, so that who has none cannot send without end. */
export function limitAddressRate(rate: RequestRate, now: Clock = () => performance.now()): MiddlewareHandler {
  const buckets = new AddressBuckets(rate, mostAddresses);
  return limit((remote) => {
    const key = rateKey(remote);
    return key === undefined ? 0 : buckets.take(key, now());
  });
}

/** Limits all requests together. After the token was looked at, so that who has none takes nothing from those who have it. */
export function limitServiceRate(rate: RequestRate, now: Clock = () => performance.now()): MiddlewareHandler {
  const bucket = new RateBucket(rate, now());
  return limit(() => bucket.take(now()));
}

function limit(waitMs: (remoteAddress: string | undefined) => number): MiddlewareHandler {
  return async (c, next) => {
    const wait = waitMs(socketOf(c)?.remoteAddress);
    if (wait === 0) return next();
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    return refuse(c, 429, 'Too many requests: wait, and send fewer at once', { 'Retry-After': String(seconds) });
  };
}

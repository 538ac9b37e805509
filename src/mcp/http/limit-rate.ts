import type { MiddlewareHandler } from 'hono';
import { socketOf } from './connection.js';
import { AddressBuckets, RateBucket, type RequestRate, rateKey } from './request-rate.js';
import { rpcCodes, rpcError } from './rpc-error.js';

/** Addresses that are counted at once: some hundred bytes each. */
const mostAddresses = 10_000;

/** Milliseconds of a clock that never goes back. */
type Clock = () => number;

/** Limits the requests of each remote address, loopback excepted. Before the token is looked at, so that who has none cannot send without end. */
export function limitAddressRate(rate: () => RequestRate, now: Clock = () => performance.now()): MiddlewareHandler {
  const buckets = new AddressBuckets(mostAddresses);
  return limit((remote) => {
    const key = rateKey(remote);
    return key === undefined ? 0 : buckets.take(key, rate(), now());
  });
}

/** Limits all requests together. After the token was looked at, so that who has none takes nothing from those who have it. */
export function limitServiceRate(rate: () => RequestRate, now: Clock = () => performance.now()): MiddlewareHandler {
  const bucket = new RateBucket();
  return limit(() => bucket.take(rate(), now()));
}

function limit(waitMs: (remoteAddress: string | undefined) => number): MiddlewareHandler {
  return async (c, next) => {
    const wait = waitMs(socketOf(c)?.remoteAddress);
    if (wait === 0) return next();
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    const message = 'too many requests: wait, and send fewer';
    return rpcError({ status: 429, code: rpcCodes.refused, message, headers: { 'retry-after': String(seconds) } });
  };
}

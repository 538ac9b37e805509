import { hostOfAddress, isLoopback } from './authority.js';

/** Requests that may come: `perSecond` for ever, and `burst` at once. */
export interface RequestRate {
  readonly perSecond: number;
  readonly burst: number;
}

/** A token bucket: it holds `burst` at most, fills at `perSecond`, and each request takes one. Times are in ms of a clock that never goes back. */
export class RateBucket {
  #held = Number.POSITIVE_INFINITY;
  #atMs = 0;

  /** 0 when the request may come, else the ms after which one may; a refused request takes nothing. */
  take({ perSecond, burst }: RequestRate, nowMs: number): number {
    this.#held = Math.min(burst, this.#held + ((nowMs - this.#atMs) * perSecond) / 1000);
    this.#atMs = nowMs;
    if (this.#held < 1) return ((1 - this.#held) * 1000) / perSecond;
    this.#held -= 1;
    return 0;
  }
}

/** One bucket for each remote address, and for `most` of them: the one that was quiet for the longest time is forgotten, so is full again. */
export class AddressBuckets {
  readonly #most: number;
  /** The one that was used last is the last. */
  readonly #buckets = new Map<string, RateBucket>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** As `RateBucket.take`. `key`: of `rateKey`. */
  take(key: string, rate: RequestRate, nowMs: number): number {
    const bucket = this.#buckets.get(key) ?? new RateBucket();
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > this.#most && oldest !== undefined) this.#buckets.delete(oldest);
    return bucket.take(rate, nowMs);
  }
}

/**
 * By what a remote address is counted: itself, and of IPv6 its first 64 bits, which are what one subscriber is given (RFC 6177). Undefined for
 * loopback: all clients of this host, and all behind a proxy on it, have that address. Pure.
 */
export function rateKey(remoteAddress: string | undefined): string | undefined {
  const host = remoteAddress === undefined ? undefined : hostOfAddress(remoteAddress);
  if (host === undefined || isLoopback(host)) return undefined;
  if (!host.startsWith('[')) return host;
  const [head = '', tail] = host.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? 0 : tail.split(':').length;
  const zeros = tail === undefined ? 0 : 8 - groups.length - after;
  return [...groups, ...new Array<string>(zeros).fill('0'), ...(tail ?? '').split(':')].slice(0, 4).join(':');
}

/** When to look, in ms. */
export interface GatherTimes {
  /** A hint after this much quiet is acted on at once; any two other passes are this far apart. */
  readonly apartMs: number;
  /** Later hints are gathered until this much quiet, */
  readonly quietMs: number;
  /** or this long. */
  readonly atMostMs: number;
  /** A full scan follows the last hint by this much. */
  readonly fullAfterMs: number;
  /** A full scan is made at least this often. */
  readonly intervalMs: number;
}

export const defaultTimes: GatherTimes = {
  apartMs: 100,
  quietMs: 50,
  atMostMs: 250,
  fullAfterMs: 250,
  intervalMs: 10_000,
};

/** What one pass has to look at: everything, or the paths of which something was told since the last pass. */
export interface Pass {
  readonly full: boolean;
  readonly paths: ReadonlySet<string>;
}

/**
 * Decides when to look and at what (DESIGN decisions 4 and 5). Hints go in, passes come out; a hint is in the next pass
 * or in a full one, so none is lost, and N hints within 100 ms after quiet make at most two passes. Pure: the clock is an
 * argument, in ms, and never goes backwards.
 */
export class Gatherer {
  readonly #times: GatherTimes;
  #paths = new Set<string>();
  #everywhere = false;
  #firstPending: number | undefined;
  #pendingAtOnce = false;
  #lastHint = Number.NEGATIVE_INFINITY;
  #lastPass = Number.NEGATIVE_INFINITY;
  #lastFull = Number.NEGATIVE_INFINITY;
  #retryAt = Number.POSITIVE_INFINITY;
  #fullAt = Number.POSITIVE_INFINITY;
  #intervalMs: number;

  constructor(times: GatherTimes = defaultTimes) {
    this.#times = times;
    this.#intervalMs = times.intervalMs;
  }

  /** Something may have changed: at `path`, or anywhere. */
  hint(now: number, path?: string): void {
    this.#pend(now, now - this.#lastHint >= this.#times.apartMs);
    if (path === undefined) this.#everywhere = true;
    else this.#paths.add(path);
    this.#lastHint = now;
    this.#fullAt = now + this.#times.fullAfterMs;
  }

  /** Somebody waits for the result: look now, whatever the gathering says. */
  demand(now: number, paths?: Iterable<string>): void {
    this.#pend(now, true);
    this.#pendingAtOnce = true;
    if (paths === undefined) this.#everywhere = true;
    else for (const path of paths) this.#paths.add(path);
  }

  /** A pass put something back: look again in `ms`. */
  retryIn(now: number, ms: number): void {
    this.#retryAt = Math.min(this.#retryAt, now + ms);
  }

  /** Makes a full scan in `ms`. */
  fullIn(now: number, ms: number): void {
    this.#fullAt = Math.min(this.#fullAt, now + ms);
  }

  /** Makes full scans this often, or as often as the times say. */
  every(ms: number | undefined): void {
    this.#intervalMs = ms ?? this.#times.intervalMs;
  }

  /** When the next pass is due; it may be in the past. */
  nextAt(): number {
    const { apartMs, quietMs, atMostMs } = this.#times;
    if (this.#pendingAtOnce && this.#firstPending !== undefined) return this.#firstPending;
    const gathered =
      this.#firstPending === undefined
        ? Number.POSITIVE_INFINITY
        : Math.min(this.#lastHint + quietMs, this.#firstPending + atMostMs);
    const due = Math.min(gathered, this.#retryAt, this.#fullAt, this.#lastFull + this.#intervalMs);
    return Math.max(due, this.#lastPass + apartMs);
  }

  /** Begins a pass, which takes everything that is pending. */
  take(now: number): Pass {
    const isDue = this.#fullAt <= now || this.#lastFull + this.#intervalMs <= now;
    // The events of a burst lag behind it: looking at what was named so far would make a generation of each part.
    const isGathered = this.#firstPending !== undefined && !this.#pendingAtOnce;
    const full = isDue || this.#everywhere || isGathered;
    const pass = { full, paths: this.#paths };
    this.#paths = new Set();
    this.#everywhere = false;
    this.#firstPending = undefined;
    this.#pendingAtOnce = false;
    this.#retryAt = Number.POSITIVE_INFINITY;
    this.#lastPass = now;
    if (full) {
      this.#lastFull = now;
      // A full scan during a burst does not stand for the one after it.
      if (this.#fullAt <= now) this.#fullAt = Number.POSITIVE_INFINITY;
    }
    return pass;
  }

  #pend(now: number, atOnce: boolean): void {
    if (this.#firstPending !== undefined) return;
    this.#firstPending = now;
    this.#pendingAtOnce = atOnce;
  }
}

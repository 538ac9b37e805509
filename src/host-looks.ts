/** When the host is looked at, in ms. */
export interface HostLookTimes {
  /** Without a hint: what a link leads to, an installed Python module or the network tell nobody of a change. */
  readonly intervalMs: number;
  /** After a hint, once this long there was no other. */
  readonly quietMs: number;
  /** After the first hint, however many follow. */
  readonly atMostMs: number;
}

const defaultTimes: HostLookTimes = { intervalMs: 10_000, quietMs: 100, atMostMs: 500 };

/** After a look there is none for so many times as long as it took, but for no longer than the interval. */
const restFactor = 10;

/** Decides when the host is looked at again: after hints and at an interval, one look at a time, and never for a call. */
export class HostLooks {
  readonly #look: () => Promise<void>;
  readonly #times: HostLookTimes;
  readonly #interval: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  #firstHint: number | undefined;
  #restUntil = 0;
  #isLooking = false;
  #closed = false;

  /** `look` does not reject. */
  constructor(look: () => Promise<void>, times: HostLookTimes = defaultTimes) {
    this.#look = look;
    this.#times = times;
    this.#interval = setInterval(() => this.hint(), times.intervalMs).unref();
  }

  /** Something that the host was asked may have another answer now. */
  hint(): void {
    if (this.#closed) return;
    const now = performance.now();
    this.#firstHint ??= now;
    if (this.#isLooking) return;
    const { quietMs, atMostMs } = this.#times;
    const due = Math.max(Math.min(now + quietMs, this.#firstHint + atMostMs), this.#restUntil);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#lookNow(), due - now).unref();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#interval);
    clearTimeout(this.#timer);
  }

  async #lookNow(): Promise<void> {
    this.#firstHint = undefined;
    this.#isLooking = true;
    const startedAt = performance.now();
    await this.#look();
    const endedAt = performance.now();
    this.#restUntil = endedAt + Math.min(restFactor * (endedAt - startedAt), this.#times.intervalMs);
    this.#isLooking = false;
    if (this.#firstHint !== undefined) this.hint();
  }
}

import type { Progress } from '../invocation/progress.js';

/** Messages are cut at this many UTF-16 code units. */
const longestMessage = 200;

/**
 * Passes the progress of one call on: at most one notification in `intervalMs`, the last one always, and only what is further than what
 * was told before, as the protocol demands. Numbers that JSON does not have are dropped.
 */
export class ProgressNotifier {
  readonly #send: (progress: Progress) => Promise<void>;
  readonly #intervalMs: number;
  #last = Number.NEGATIVE_INFINITY;
  #latest: Progress | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasFinished = false;

  /** `send` must not reject. */
  constructor(send: (progress: Progress) => Promise<void>, intervalMs = 100) {
    this.#send = send;
    this.#intervalMs = intervalMs;
  }

  tell({ progress, total, message }: Progress): void {
    if (this.#hasFinished || !Number.isFinite(progress) || progress <= this.#last) return;
    this.#last = progress;
    this.#latest = {
      progress,
      ...(total !== undefined && Number.isFinite(total) ? { total } : {}),
      ...(message === undefined ? {} : { message: cut(message) }),
    };
    if (this.#timer === undefined) void this.#sendLatest();
  }

  /** To be awaited before the call is answered; nothing is told afterwards. */
  async finish(): Promise<void> {
    this.#hasFinished = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#sendLatest();
  }

  async #sendLatest(): Promise<void> {
    const latest = this.#latest;
    this.#latest = undefined;
    if (latest === undefined) return;
    if (!this.#hasFinished) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        void this.#sendLatest();
      }, this.#intervalMs);
    }
    await this.#send(latest);
  }
}

function cut(message: string): string {
  const words = message.replace(/[\s\p{Cc}\p{Surrogate}]+/gu, ' ').trim();
  if (words.length <= longestMessage) return words;
  return `${words.slice(0, longestMessage).replace(/\p{Surrogate}$/u, '')}…`;
}

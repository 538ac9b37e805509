import { QueryError } from './query-error.js';

type Settle = (error?: QueryError) => void;

/** Whoever has waited so long for a turn, in ms, is told so: behind many slow queries it could be minutes. */
const longestWaitMs = 30_000;

/** Lets queries run one after another, in the order in which they came. */
export class QueryTurns {
  readonly #mostWaiting: () => number;
  readonly #waiting = new Set<Settle>();
  #isTaken = false;
  #isClosed = false;

  constructor(mostWaiting: () => number) {
    this.#mostWaiting = mostWaiting;
  }

  get counts(): { readonly running: number; readonly waiting: number } {
    return { running: this.#isTaken ? 1 : 0, waiting: this.#waiting.size };
  }

  /**
   * Resolves when it may run; then `leave` has to be called. Rejects with a QueryError `busy` when too many wait or it has waited too long,
   * `cancelled` or `unavailable`.
   */
  async enter(signal: AbortSignal | undefined): Promise<void> {
    if (this.#isClosed) throw closed();
    if (signal?.aborted) throw cancelled();
    if (this.#isTaken) await this.#wait(signal);
    this.#isTaken = true;
  }

  leave(): void {
    this.#isTaken = false;
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#isTaken = true;
    next();
  }

  /** What waits, and what comes later, is refused. */
  close(): void {
    this.#isClosed = true;
    for (const settle of [...this.#waiting]) settle(closed());
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    const most = this.#mostWaiting();
    if (this.#waiting.size >= most) {
      throw new QueryError(
        'busy',
        `${most} queries are waiting already; try again later, or raise limits.waitingQueries`,
      );
    }
    return new Promise((resolve, reject) => {
      const cancel = () => settle(cancelled());
      const timer = setTimeout(() => settle(tooLong()), longestWaitMs);
      const settle: Settle = (error) => {
        clearTimeout(timer);
        this.#waiting.delete(settle);
        signal?.removeEventListener('abort', cancel);
        if (error === undefined) resolve();
        else reject(error);
      };
      this.#waiting.add(settle);
      signal?.addEventListener('abort', cancel, { once: true });
    });
  }
}

function tooLong(): QueryError {
  const words = `it has waited ${longestWaitMs / 1_000} s for those before it; try again later, or lower limits.queryMs`;
  return new QueryError('busy', words);
}

export function cancelled(): QueryError {
  return new QueryError('cancelled', 'it was cancelled');
}

export function closed(): QueryError {
  return new QueryError('unavailable', 'the service is closed');
}

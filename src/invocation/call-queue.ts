/** How many calls of one service go on at once. */
export interface CallLimits {
  /** Of all tools. */
  readonly concurrentCalls: number;
  readonly concurrentCallsPerTool: number;
  /** Calls that wait, of all tools; one tool has at most half of these places, so that its storm leaves some for the others. */
  readonly waitingCalls: number;
}

/** How many calls there are. */
export interface CallCounts {
  readonly running: number;
  readonly waiting: number;
}

export type Admission =
  /** It may run. `leave` has to be called when it has ended. */
  | { readonly kind: 'admitted'; readonly leave: () => void }
  | { readonly kind: 'cancelled' }
  /** As many wait as may. */
  | { readonly kind: 'busy'; readonly ofTool: CallCounts; readonly ofAll: CallCounts };

type Settle = (admission: Admission) => void;

/**
 * Lets calls run in their turn (X15): those of one tool in the order in which they came, the tools by rotation. The limits are asked for
 * at each decision, so a change of the config holds from the next one on.
 */
export class CallQueue {
  readonly #limits: () => CallLimits;
  /** By tool; a tool of which none runs is not in it. */
  readonly #running = new Map<string, number>();
  #runningOfAll = 0;
  /** By tool, the one whose turn is next first; a tool of which none waits is not in it. */
  readonly #waiting = new Map<string, Set<Settle>>();
  #waitingOfAll = 0;
  #isClosed = false;

  constructor(limits: () => CallLimits) {
    this.#limits = limits;
  }

  /** Of all tools. */
  get counts(): CallCounts {
    return { running: this.#runningOfAll, waiting: this.#waitingOfAll };
  }

  /** Resolves when the call may run, when `signal` comes before that, and at once when no more calls may wait. */
  async enter(tool: string, signal?: AbortSignal): Promise<Admission> {
    if (this.#isClosed || signal?.aborted) return { kind: 'cancelled' };
    this.#admitWaiting();
    if (!this.#waiting.has(tool) && this.#mayRun(tool)) return this.#admit(tool);
    const { waitingCalls } = this.#limits();
    const ofTool = { running: this.#running.get(tool) ?? 0, waiting: this.#waiting.get(tool)?.size ?? 0 };
    if (this.#waitingOfAll >= waitingCalls || ofTool.waiting >= Math.ceil(waitingCalls / 2)) {
      return { kind: 'busy', ofTool, ofAll: { running: this.#runningOfAll, waiting: this.#waitingOfAll } };
    }
    return this.#wait(tool, signal);
  }

  /** What waits, and what comes later, is cancelled. */
  close(): void {
    this.#isClosed = true;
    const all = [...this.#waiting.values()].flatMap((calls) => [...calls]);
    this.#waiting.clear();
    this.#waitingOfAll = 0;
    for (const settle of all) settle({ kind: 'cancelled' });
  }

  #wait(tool: string, signal: AbortSignal | undefined): Promise<Admission> {
    return new Promise((resolve) => {
      const settle = (admission: Admission) => {
        signal?.removeEventListener('abort', cancel);
        resolve(admission);
      };
      const cancel = () => {
        this.#forget(tool, settle);
        settle({ kind: 'cancelled' });
      };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiting.set(tool, (this.#waiting.get(tool) ?? new Set()).add(settle));
      this.#waitingOfAll += 1;
    });
  }

  #admitWaiting(): void {
    // A tool that is moved to the end is visited again by the same loop.
    for (const [tool, calls] of this.#waiting) {
      if (this.#runningOfAll >= this.#limits().concurrentCalls) return;
      const [next] = calls;
      if (next === undefined || !this.#mayRun(tool)) continue;
      this.#forget(tool, next);
      if (this.#waiting.delete(tool)) this.#waiting.set(tool, calls);
      next(this.#admit(tool));
    }
  }

  #mayRun(tool: string): boolean {
    const { concurrentCalls, concurrentCallsPerTool } = this.#limits();
    return this.#runningOfAll < concurrentCalls && (this.#running.get(tool) ?? 0) < concurrentCallsPerTool;
  }

  #admit(tool: string): Admission {
    this.#running.set(tool, (this.#running.get(tool) ?? 0) + 1);
    this.#runningOfAll += 1;
    return { kind: 'admitted', leave: () => this.#leave(tool) };
  }

  #leave(tool: string): void {
    const left = (this.#running.get(tool) ?? 0) - 1;
    if (left > 0) this.#running.set(tool, left);
    else this.#running.delete(tool);
    this.#runningOfAll -= 1;
    this.#admitWaiting();
  }

  #forget(tool: string, settle: Settle): void {
    const calls = this.#waiting.get(tool);
    if (calls?.delete(settle) !== true) return;
    this.#waitingOfAll -= 1;
    if (calls.size === 0) this.#waiting.delete(tool);
  }
}

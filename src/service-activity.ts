import type { OutcomeKind } from '../schemas/invocation.js';
import type { CallCounts } from './invocation/call-queue.js';
import type { QueryLoad } from './store/query/query-limits.js';

/** A call that has ended. */
export interface EndedCall {
  /** As the caller gave it: a name that is not served, too. */
  readonly name: string;
  readonly outcome: OutcomeKind;
  /** From its coming to its record. */
  readonly ms: number;
}

export interface ServiceLoad {
  readonly calls: CallCounts;
  readonly queries: QueryLoad;
}

/** Those who are told of something, each until the function that it was given is called. */
export class Listeners<T> {
  readonly #listeners = new Set<(told: T) => void>();

  add(listener: (told: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(told: T): void {
    for (const listener of this.#listeners) listener(told);
  }
}

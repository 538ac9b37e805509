/** A list as a client reads it. */
export interface ListState {
  /** The declarations as they stood on the wire. */
  readonly bytes: string;
  /** Of the generation. It rises with each change of what clients can see. */
  readonly number: number;
}

/**
 * Counts, from one rest of a client to the next, whether it was told as often as its list changed. At rest it has read the list after
 * everything that it was told, so what was told before belongs to the changes before. Pure.
 */
export class NotificationLedger {
  /** Changes of the list that no notification told of. */
  lost = 0;
  /** Notifications without a change, or more of them than there can have been changes. */
  doubled = 0;
  #last: ListState;
  #told = 0;

  constructor(first: ListState) {
    this.#last = first;
  }

  told(): void {
    this.#told += 1;
  }

  rest(now: ListState): void {
    const told = this.#told;
    const hasChanged = now.bytes !== this.#last.bytes;
    // Two notifications may be of a change and its undoing; there cannot have been more changes than generations.
    const most = told === 1 ? Number(hasChanged) : now.number - this.#last.number;
    if (told === 0 && hasChanged) this.lost += 1;
    if (told > most) this.doubled += told - most;
    this.#told = 0;
    this.#last = now;
  }
}

/** Pieces of work that happen one at a time, in the order in which they came. One that fails keeps no other from its turn. */
export class OrderedWork {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as the work does. */
  add<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Resolves when all that has come by now has ended, well or not. */
  async ended(): Promise<void> {
    await this.#last;
  }
}

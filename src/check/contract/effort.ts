/** A schema, or two of them together, are beyond what is compared. The message says which bound they exceed. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/** Schemas and parts of them that may be looked at for one comparison of all tools: some ten seconds of work. */
const defaultEffort = 300_000;

/** What is left of the work that one comparison may take: a server decides how many tools there are, and how large each is. */
export class Effort {
  #left: number;

  constructor(most = defaultEffort) {
    this.#left = most;
  }

  /** Throws a TooLargeError when nothing is left. */
  spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw new TooLargeError('all tools together take too long to compare');
  }
}

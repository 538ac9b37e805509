/**
 * Steps that the check of one value may take: each is 5 to 15 ns on one core, so that a check does not hold up the main thread for much
 * longer than 100 ms.
 */
export const checkStepsLimit = 10_000_000;

/** A value was not checked to its end, because that could take too long. The message is to be read after the path of `text`, or of the whole. */
export class Unchecked extends Error {
  /** The string, value or name of a property, at which the check ended. */
  readonly text: string | undefined;

  constructor(message: string, text?: string) {
    super(message);
    this.text = text;
  }
}

/** Counts what the check of one value takes, whatever keyword takes it. */
export class CheckBudget {
  #steps = 0;

  /** Before each value. */
  begin(): void {
    this.#steps = 0;
  }

  /** Throws `Unchecked` where there were too many steps. `told` says what takes them, in words. */
  spend(steps: number, told: string, text?: string): void {
    this.#steps += steps;
    if (this.#steps <= checkStepsLimit) return;
    const excess = `more than ${checkStepsLimit} steps of some 10 ns, and no check may take more`;
    const fault = `${text === undefined ? '' : 'is one string too many: '}with ${told} the check would take ${excess}`;
    throw new Unchecked(`${fault}. Give fewer or shorter values, or call more than once`, text);
  }
}

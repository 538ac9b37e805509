/** A sleep that can be ended early. Not by an abort signal, whose error costs more than a look at a file. */
export class Alarm {
  #end: (() => void) | undefined;
  #rang = false;

  /** Ends the sleep; when nobody sleeps, the next one ends at once. */
  ring(): void {
    if (this.#end === undefined) this.#rang = true;
    else this.#end();
  }

  /** For `ms`, or until it rings. One at a time. */
  sleep(ms: number): Promise<void> {
    if (this.#rang) {
      this.#rang = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#end = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#end = end;
    });
  }
}

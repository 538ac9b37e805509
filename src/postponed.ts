/** One piece of work that waits; the next one takes its place. It does not keep the process alive, and its failure is nobody's. */
export class Postponed {
  #timer: NodeJS.Timeout | undefined;

  after(ms: number, work: () => Promise<void>): void {
    this.cancel();
    this.#timer = setTimeout(() => void work().catch(() => {}), ms).unref();
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}

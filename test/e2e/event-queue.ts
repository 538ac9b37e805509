import { setTimeout as delay } from 'node:timers/promises';
import { patienceMs } from './deadline.js';

/** Events that came from outside, kept until a test asks for them. */
export class EventQueue<T> {
  /** All that ever came, taken or not. */
  readonly all: T[] = [];
  private readonly untaken: T[] = [];
  private readonly wakers = new Set<() => void>();

  constructor(private readonly what: string) {}

  push(event: T): void {
    this.all.push(event);
    this.untaken.push(event);
    for (const wake of this.wakers) wake();
  }

  /** Takes the first event that matches, waiting for it at most `withinMs`. */
  async next(matches: (event: T) => boolean = () => true, withinMs = patienceMs): Promise<T> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const index = this.untaken.findIndex(matches);
      const [event] = index === -1 ? [] : this.untaken.splice(index, 1);
      if (event !== undefined) return event;
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`no ${this.what} that matches within ${withinMs} ms; came: ${this.describe()}`);
      await this.changedWithin(left);
    }
  }

  /** Takes and returns all matching events that come while `windowMs` pass: for the claim that none, or only so many, come. */
  async during(windowMs: number, matches: (event: T) => boolean = () => true): Promise<T[]> {
    await delay(windowMs);
    return this.take(matches);
  }

  /** Takes and returns all matching events that have come. */
  take(matches: (event: T) => boolean = () => true): T[] {
    const taken = this.untaken.filter(matches);
    for (const event of taken) this.untaken.splice(this.untaken.indexOf(event), 1);
    return taken;
  }

  private async changedWithin(ms: number): Promise<void> {
    const woken = new AbortController();
    const wake = () => woken.abort();
    this.wakers.add(wake);
    await delay(ms, undefined, { signal: woken.signal }).catch(() => {});
    this.wakers.delete(wake);
  }

  private describe(): string {
    return JSON.stringify(this.all).slice(0, 500);
  }
}

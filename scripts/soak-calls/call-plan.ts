import type { SeededRandom } from '../seeded-random.js';
import { type Fault, faults } from './faults.js';

/** One call that a client is to make. */
export interface PlannedCall {
  /** Counted from 1. Its caller is named after it, and so its record is found. */
  readonly n: number;
  readonly fault: Fault;
  /** When it is cancelled, in ms after it was sent. */
  readonly cancelAfterMs?: number;
}

/** The end that the server of a client comes to: it is killed, or the client is, and the pipes between them close. */
export type Death = 'server killed' | 'client killed';

const weights = faults.reduce((sum, { weight }) => sum + weight, 0);
/** Of the calls of a client whose server may die, so many bring that about. */
const deathChance = 1 / 25;
/** Longer than a process takes to start, so that calls are cancelled before, while and after it does. */
const longestCancelMs = 150;

/** Decides what is called. The same seed gives the same calls; which client makes one is for the time to decide. */
export class CallPlan {
  readonly #random: SeededRandom;
  #n = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  next(): PlannedCall {
    return this.of(this.#anyFault());
  }

  /** A call of this kind. */
  of(fault: Fault): PlannedCall {
    const n = ++this.#n;
    if (fault.isCancelled !== true) return { n, fault };
    return { n, fault, cancelAfterMs: this.#random.between(0, longestCancelMs) };
  }

  #anyFault(): Fault {
    let left = this.#random.next() * weights;
    for (const fault of faults) {
      left -= fault.weight;
      if (left < 0) return fault;
    }
    return this.#random.pick(faults);
  }
}

/** Decides who dies when. */
export class DeathPlan {
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Who dies while the call is on its way, if anybody, and how many ms after it was sent. */
  next(): { readonly death: Death; readonly afterMs: number } | undefined {
    if (!this.#random.chance(deathChance)) return undefined;
    return { death: this.#random.pick(['server killed', 'client killed']), afterMs: this.#random.between(0, 60) };
  }
}

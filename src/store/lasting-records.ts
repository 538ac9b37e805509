import type { NumberedGeneration, RecordStore } from './record-store.js';
import { isDamage } from './store-error.js';

/**
 * The records of a process that goes on when their file is lost: a damaged one is set aside, one that somebody removed is begun anew,
 * and the numbers of generations go on from those that this process was given, because clients have seen them.
 */
export class LastingRecords implements RecordStore {
  readonly #open: () => RecordStore;
  readonly #onNotice: (words: string) => void;
  readonly #given = new Map<string, NumberedGeneration>();
  #records: RecordStore;

  /** `open` makes the folder, too, if need be. Throws what it throws; so does each method. */
  constructor(open: () => RecordStore, onNotice: (words: string) => void) {
    this.#open = open;
    this.#onNotice = onNotice;
    this.#records = open();
    if (this.notice !== undefined) onNotice(this.notice);
  }

  get notice(): string | undefined {
    return this.#records.notice;
  }

  get isLost(): boolean {
    return this.#records.isLost;
  }

  nextGeneration(key: string, digest: string, at: Date): number {
    if (this.#records.isLost) this.#openAgain();
    const number = this.#next(key, digest, at);
    this.#given.set(key, { number, digest });
    return number;
  }

  close(): void {
    this.#records.close();
  }

  #next(key: string, digest: string, at: Date): number {
    const given = this.#given.get(key);
    try {
      return this.#records.nextGeneration(key, digest, at, given);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#openAgain();
      return this.#records.nextGeneration(key, digest, at, given);
    }
  }

  #openAgain(): void {
    const lost = this.#records;
    this.#records = this.#open();
    lost.close();
    this.#onNotice(
      this.#records.notice ??
        'records.db was damaged or removed while it was in use; the one that is there now is used',
    );
  }
}

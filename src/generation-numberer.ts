import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import type { Projection } from './projection/generation.js';
import { differingParts, partsOf } from './projection/generation-parts.js';
import type { GenerationHistory, InstanceHistory } from './store/provenance/history.js';
import type { RecordStore } from './store/record-store.js';
import { StoreError } from './store/store-error.js';

/** How long a portion waits for the lock of another process in all, and between two attempts, in ms. */
const patienceMs = 10_000;
const pauseMs = 5;

type NumberingRecords = Pick<RecordStore, 'nextGeneration' | 'historyPortions' | 'putHistoryPortion'>;

/** Numbers one projection after another, and has what is other written into the history at once (docs/provenance.md). */
export class GenerationNumberer {
  readonly #records: NumberingRecords;
  #last: { readonly key: string; readonly number: number; readonly projection: Projection } | undefined;

  constructor(records: NumberingRecords) {
    this.#records = records;
  }

  /**
   * Writes what is much beforehand, in portions between which other processes can write, and this one does what else it has to do: a first
   * start writes all that there is. Rejects with a StoreError.
   */
  async prepare(history: InstanceHistory): Promise<void> {
    for (const portion of this.#records.historyPortions(history)) await this.#write(portion);
  }

  /** Throws a StoreError; then nothing of it is written. */
  number(key: string, projection: Projection, documents: Omit<GenerationHistory, 'parts'>): number {
    const last = this.#last?.key === key ? this.#last : undefined;
    const parts = {
      all: () => partsOf(projection),
      base: last?.number,
      difference: () =>
        last === undefined ? { gone: [], added: partsOf(projection) } : differingParts(last.projection, projection),
    };
    const history = { ...documents, parts };
    const number = this.#records.nextGeneration(key, projection.digest, new Date(), { history });
    this.#last = { key, number, projection };
    return number;
  }

  async #write(portion: InstanceHistory): Promise<void> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      try {
        this.#records.putHistoryPortion(portion, new Date());
        return await setImmediate();
      } catch (error) {
        const isLocked = error instanceof StoreError && error.code === 'busy';
        if (!isLocked || performance.now() >= deadline) throw error;
        await delay(pauseMs);
      }
    }
  }
}

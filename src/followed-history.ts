import { HistoryUpkeep } from './history-upkeep.js';
import type { Environment } from './instance/host.js';
import { type HistorySource, PendingHistory } from './pending-history.js';
import type { InstanceHistory } from './store/provenance/history.js';
import { ProvenanceSource } from './store/provenance/provenance-source.js';
import type { RecordStore } from './store/record-store.js';

export interface FollowedHistoryOptions extends HistorySource {
  /** Path from the instance that includes it; '' for that one itself. */
  readonly label: string;
  readonly records: RecordStore;
  readonly env: Environment;
  /** As in `UpkeepOptions`. Default: this instance alone. */
  readonly rootOf?: ((instance: string) => string | undefined) | undefined;
  readonly openState: () => string;
}

/** What is to be told of the documents of one instance: to its own records, and to those of the instance that includes it. */
export class FollowedHistory {
  readonly #options: FollowedHistoryOptions;
  readonly #own: PendingHistory;
  readonly #outer: PendingHistory;
  readonly #upkeep: HistoryUpkeep;

  constructor(options: FollowedHistoryOptions) {
    const { label, records, env, root, config, rootOf } = options;
    this.#options = options;
    this.#own = new PendingHistory(options, '');
    this.#outer = new PendingHistory(options, label);
    this.#upkeep = new HistoryUpkeep({
      ...{ records, env, rootOf: rootOf ?? ((instance) => (instance === '' ? root : undefined)) },
      retention: () => {
        const { historyRevisions, historyDays } = config().limits;
        return { revisions: historyRevisions, days: historyDays };
      },
    });
  }

  /** These documents may be other. */
  note(paths: Iterable<string>): void {
    const noted = [...paths];
    this.#own.note(noted);
    this.#outer.note(noted);
  }

  /** As in `PendingHistory`. */
  noteAll(): void {
    this.#own.noteAll();
    this.#outer.noteAll();
  }

  /** For its own records; `told` says that they were written. `digest`: of all documents, where it is at hand. */
  own(digest?: string): InstanceHistory {
    return this.#own.history(digest);
  }

  told(): void {
    this.#own.told();
  }

  /** For the records of the instance that includes it; `outerTold` says that they were written. */
  outer(): InstanceHistory {
    return this.#outer.history();
  }

  outerTold(): void {
    this.#outer.told();
  }

  /** As in `PendingHistory`, for its own records. */
  keep(digest: () => string): void {
    this.#own.keep(this.#options.records, digest);
  }

  /** Has git asked of the documents of which it was not asked yet. */
  askGit(): Promise<void> {
    return this.#upkeep.ask();
  }

  askGitSoon(): void {
    this.#upkeep.askSoon();
  }

  dropOld(): Promise<void> {
    return this.#upkeep.drop();
  }

  /** What its records tell, for whoever closes it. */
  openProvenance(): ProvenanceSource {
    const { openState, config } = this.#options;
    return new ProvenanceSource({ folder: openState(), base: config().base });
  }

  close(): Promise<void> {
    return this.#upkeep.close();
  }
}

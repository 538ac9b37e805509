import type { CallRecord } from '../invocation/call-record.js';
import type { NumberedGeneration } from './generation-table.js';
import type { InterruptedCall, KnownServer, Retention, ServerIdentity } from './invocation-table.js';
import type {
  AskedDocument,
  GenerationHistory,
  GitAnswer,
  HistoryRetention,
  InstanceHistory,
} from './provenance/history.js';
import type { RecordStore } from './record-store.js';
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

  nextGeneration(
    key: string,
    digest: string,
    at: Date,
    { history }: { readonly history?: GenerationHistory | undefined } = {},
  ): number {
    const given = this.#given.get(key);
    const number = this.#lasting((records) => records.nextGeneration(key, digest, at, { given, history }));
    this.#given.set(key, { number, digest });
    return number;
  }

  historyPortions(history: InstanceHistory): readonly InstanceHistory[] {
    return this.#lasting((records) => records.historyPortions(history));
  }

  putHistoryPortion(portion: InstanceHistory, at: Date): void {
    this.#lasting((records) => records.putHistoryPortion(portion, at));
  }

  keepDocumentsDigest(instance: string, digest: string): void {
    this.#lasting((records) => records.keepDocumentsDigest(instance, digest));
  }

  documentsForGit(which: 'unasked' | 'uncommitted', at: Date): readonly AskedDocument[] {
    return this.#lasting((records) => records.documentsForGit(which, at));
  }

  putGitAnswers(answers: ReadonlyMap<number, GitAnswer>, at: Date): void {
    this.#lasting((records) => records.putGitAnswers(answers, at));
  }

  dropHistory(retention: HistoryRetention, now: Date): number {
    return this.#lasting((records) => records.dropHistory(retention, now));
  }

  putCall(record: CallRecord, server: ServerIdentity): void {
    this.#lasting((records) => records.putCall(record, server));
  }

  setLeader(id: string, leader: ServerIdentity): void {
    this.#lasting((records) => records.setLeader(id, leader));
  }

  serversWithCalls(): readonly KnownServer[] {
    return this.#lasting((records) => records.serversWithCalls());
  }

  interrupt(server: KnownServer, at: Date): readonly InterruptedCall[] {
    return this.#lasting((records) => records.interrupt(server, at));
  }

  dropCalls(retention: Retention, now: Date): number {
    return this.#lasting((records) => records.dropCalls(retention, now));
  }

  checkpoint(): void {
    this.#lasting((records) => records.checkpoint());
  }

  close(): void {
    this.#records.close();
  }

  #lasting<T>(act: (records: RecordStore) => T): T {
    if (this.#records.isLost) this.#openAgain();
    try {
      return act(this.#records);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#openAgain();
      return act(this.#records);
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

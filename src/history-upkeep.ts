import { setTimeout as delay } from 'node:timers/promises';
import { askGit } from './instance/document-in-git.js';
import type { Environment } from './instance/host.js';
import { Postponed } from './postponed.js';
import type { AskedDocument, GitAnswer, HistoryRetention } from './store/provenance/history.js';
import type { RecordStore } from './store/record-store.js';
import { StoreError } from './store/store-error.js';

/** After this long without a new generation git is asked, in ms: a burst of saves is one question. */
const askMs = 1_000;
/** Between two transactions that drop rows, in ms: all else goes on meanwhile. */
const pauseMs = 20;

export interface UpkeepOptions {
  readonly records: RecordStore;
  readonly env: Environment;
  /** The folder of an instance, by its path from the one whose history it is; undefined when it is not served. */
  readonly rootOf: (instance: string) => string | undefined;
  readonly retention: () => HistoryRetention;
}

/**
 * What a history needs beside the rows of each generation, done when nobody waits: what git tells of documents, and dropping what is more
 * than is kept. What fails is tried again at the next occasion.
 */
export class HistoryUpkeep {
  readonly #options: UpkeepOptions;
  readonly #soon = new Postponed();
  readonly #closing = new AbortController();
  #asking: Promise<void> | undefined;

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  /** Asks git a while after the last call of this. */
  askSoon(): void {
    if (!this.#closing.signal.aborted) this.#soon.after(askMs, () => this.ask());
  }

  /** Asks git of all documents of which it was not asked, and of those that were in no commit. */
  ask(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Drops what is more, or older, than is kept. */
  drop(): Promise<void> {
    const { records, retention } = this.#options;
    return this.#surviving(async () => {
      while (!this.#closing.signal.aborted && records.dropHistory(retention(), new Date()) > 0) await delay(pauseMs);
    });
  }

  async close(): Promise<void> {
    this.#soon.cancel();
    this.#closing.abort();
    await this.#asking;
  }

  #ask(): Promise<void> {
    const { records } = this.#options;
    return this.#surviving(async () => {
      for (;;) {
        const asked = records.documentsForGit('unasked', new Date());
        if (asked.length === 0) break;
        await this.#put(asked);
        if (this.#closing.signal.aborted) return;
      }
      await this.#askAgain(records.documentsForGit('uncommitted', new Date()));
    });
  }

  /** A document that was in no commit may be in one when another commit is checked out: the newest one tells which that is. */
  async #askAgain([newest, ...others]: readonly AskedDocument[]): Promise<void> {
    if (newest === undefined) return;
    const head = await this.#put([newest]);
    const changed = others.filter((document) => document.instance !== newest.instance || document.head !== head);
    if (changed.length > 0 && !this.#closing.signal.aborted) await this.#put(changed);
  }

  /** Returns the commit that is checked out in the instance of the first of them. */
  async #put(asked: readonly AskedDocument[]): Promise<string | undefined> {
    const { records, env, rootOf } = this.#options;
    const answers = new Map<number, GitAnswer>();
    for (const instance of new Set(asked.map((document) => document.instance))) {
      const root = rootOf(instance);
      const documents = asked.filter((document) => document.instance === instance);
      const told = root === undefined ? undefined : await askGit(root, documents, env, this.#closing.signal);
      for (const { number, path } of documents) answers.set(number, told?.get(path) ?? notServed);
    }
    // What was broken off is no answer.
    if (!this.#closing.signal.aborted) records.putGitAnswers(answers, new Date());
    const [first] = answers.values();
    return first?.head;
  }

  async #surviving(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }
}

const notServed: GitAnswer = {
  state: 'unavailable',
  reason: 'its instance was not served any more when git was to be asked',
};

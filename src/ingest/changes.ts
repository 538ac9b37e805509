import { configFileName } from '../../schemas/config.js';
import { errorMessage } from '../error-message.js';
import { Alarm } from './alarm.js';
import { ChangeScanner, type FollowScan, type FoundChanges } from './changes-scan.js';
import { defaultTimes, Gatherer, type GatherTimes, type Pass } from './gather.js';
import type { ScanOptions, ScanResult } from './scan.js';
import { unwatchedPollMs } from './watch-failure.js';
import { WatchKeeper } from './watch-keeper.js';

export interface BatchInfo {
  /** The first batch comes whatever was found. */
  readonly first: boolean;
  /** `toolgraph.config.json` is new, gone or another one: read it, and call `reconfigure` if it is valid. */
  readonly configChanged: boolean;
}

export interface FollowOptions extends FollowScan {
  /**
   * Takes what was found. One at a time, in order: the next scan begins when it has ended (cases.md W12). If it
   * rejects, what it was given comes again with the next batch, a second later; if that fails too, later and later.
   */
  readonly onBatch: (scan: ScanResult, info: BatchInfo) => Promise<void>;
  /** Watching is not to be had, or a batch failed: once for each cause. What is wrong is dealt with; this only tells of it. */
  readonly onError: (error: unknown) => void;
  /** What `onError` was told of is over, in words. */
  readonly onRecovery?: (words: string) => void;
  readonly times?: Partial<GatherTimes>;
}

export interface FollowedChanges {
  /** Settles when the first batch has been taken; never rejects. */
  readonly first: Promise<void>;
  /** Neither does watching fail, nor taking what was found. */
  readonly isSound: boolean;
  /** Looks now, at everything or only at these paths, and settles when what was found has been taken. */
  lookNow(paths?: Iterable<string>): Promise<void>;
  /** Gives these documents, or all, again in the next batch, changed or not; those that are not there as removed. */
  reread(paths?: Iterable<string>): void;
  /** Other folders or limits, from the next batch on. */
  reconfigure(options: ScanOptions): void;
  /** Ends watching, after the batch that is being taken. */
  close(): Promise<void>;
}

const failedRetryMs = 1_000;
const lastFailedRetryMs = 8_000;
/** While a folder is missing nothing tells of its return, so it is looked for. */
const missingPollMs = 250;
/** A first batch waits this long for files that were put back, so that a service starts with all its tools. */
const firstAtMostMs = 500;

/** Follows the node folders and the config file of one instance until `close`. */
export function followChanges(options: FollowOptions): FollowedChanges {
  const loop = new ChangeLoop(options);
  // Not before this function has returned: onBatch may want what it returns.
  const ended = Promise.resolve().then(() => loop.run());
  return {
    first: loop.first,
    get isSound() {
      return loop.isSound;
    },
    lookNow: (paths) => loop.lookNow(paths),
    reread: (paths) => loop.reread(paths),
    reconfigure: (scan) => loop.reconfigure(scan),
    close: async () => {
      loop.stop();
      await ended;
    },
  };
}

class ChangeLoop {
  readonly #options: FollowOptions;
  readonly #gatherer: Gatherer;
  readonly #scanner: ChangeScanner;
  readonly #watch: WatchKeeper;
  readonly #waiting: { readonly since: number; readonly settle: () => void }[] = [];
  readonly first: Promise<void>;
  #firstDone: () => void = () => {};
  readonly #alarm = new Alarm();
  #stopped = false;
  #passes = 0;
  /** Why the last batch was not taken. */
  #failure: string | undefined;
  #failedRetryMs = failedRetryMs;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#gatherer = new Gatherer({ ...defaultTimes, ...options.times });
    this.#scanner = new ChangeScanner(options);
    this.#watch = new WatchKeeper(options.root, {
      onHint: (path) => this.#hint(path),
      onFailure: (failure) => {
        this.#options.onError(failure);
        this.#alarm.ring();
      },
      onRecovery: () => this.#options.onRecovery?.('the node folders are watched again'),
    });
    this.first = new Promise((resolve) => {
      this.#firstDone = resolve;
    });
  }

  get isSound(): boolean {
    return this.#failure === undefined && !this.#watch.isFailing;
  }

  async run(): Promise<void> {
    await this.#firstPass();
    while (!this.#stopped) {
      this.#gatherer.every(this.#pollMs());
      const waitMs = this.#gatherer.nextAt() - performance.now();
      if (waitMs > 0) await this.#alarm.sleep(waitMs);
      else await this.#pass();
    }
    await this.#watch.close();
    for (const { settle } of this.#waiting.splice(0)) settle();
  }

  lookNow(paths?: Iterable<string>): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#gatherer.demand(performance.now(), paths);
    this.#alarm.ring();
    return new Promise((settle) => this.#waiting.push({ since: this.#passes, settle }));
  }

  reread(paths?: Iterable<string>): void {
    this.#scanner.reread(paths);
    this.#gatherer.retryIn(performance.now(), 0);
    this.#alarm.ring();
  }

  reconfigure(scan: ScanOptions): void {
    this.#scanner.reconfigure(scan);
    this.#gatherer.demand(performance.now());
    this.#alarm.ring();
  }

  stop(): void {
    this.#stopped = true;
    this.#alarm.ring();
  }

  async #firstPass(): Promise<void> {
    const startedAt = performance.now();
    this.#gatherer.take(startedAt);
    let found = this.#look({ full: true, paths: new Set() });
    while (found?.scan.retryInMs !== undefined && performance.now() - startedAt < firstAtMostMs && !this.#stopped) {
      await this.#alarm.sleep(found.scan.retryInMs);
      found = this.#look({ full: false, paths: new Set() });
    }
    if (found !== undefined && !this.#stopped) await this.#deliver(found);
    this.#firstDone();
  }

  async #pass(): Promise<void> {
    this.#passes++;
    const found = this.#look(this.#gatherer.take(performance.now()));
    if (found?.isNews) await this.#deliver(found);
    else if (found !== undefined) this.#settle(found);
    const done = this.#waiting.filter(({ since }) => since < this.#passes);
    for (const waiter of done) {
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      waiter.settle();
    }
  }

  /** A scan is not meant to throw; if it does, what it would have found is found by the next one. */
  #look(pass: Pass): FoundChanges | undefined {
    try {
      return this.#scanner.look(pass);
    } catch (error) {
      this.#gatherer.fullIn(performance.now(), failedRetryMs);
      this.#options.onError(error);
      return undefined;
    }
  }

  async #deliver(found: FoundChanges): Promise<void> {
    const info = { first: this.#scanner.neverTaken, configChanged: found.configChanged };
    try {
      await this.#options.onBatch(found.scan, info);
      this.#scanner.taken();
      if (this.#failure !== undefined) this.#options.onRecovery?.('what had changed could be taken in');
      this.#failure = undefined;
      this.#failedRetryMs = failedRetryMs;
    } catch (error) {
      this.#gatherer.retryIn(performance.now(), this.#failedRetryMs);
      this.#failedRetryMs = Math.min(2 * this.#failedRetryMs, lastFailedRetryMs);
      const failure = errorMessage(error);
      if (failure !== this.#failure) this.#options.onError(error);
      this.#failure = failure;
    }
    this.#settle(found);
  }

  #settle({ scan }: FoundChanges): void {
    if (scan.retryInMs !== undefined) this.#gatherer.retryIn(performance.now(), scan.retryInMs);
    if (!this.#stopped) this.#watch.keep(this.#scanner.watched());
  }

  #pollMs(): number | undefined {
    if (this.#scanner.isFolderMissing) return missingPollMs;
    return this.#watch.isFailing ? unwatchedPollMs : undefined;
  }

  #hint(path?: string): void {
    if (path !== undefined && path !== configFileName && !this.#scanner.isOurs(path)) return;
    this.#gatherer.hint(performance.now(), path);
    this.#alarm.ring();
  }
}

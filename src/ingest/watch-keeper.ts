import { errnoOf } from '../instance/signature.js';
import type { IgnoreRules } from './ignore.js';
import { type FolderWatch, watchedIdentity, watchFolders } from './watch.js';
import { watchFailure } from './watch-failure.js';

/** After a failure a new watch is tried this soon; each that fails doubles it, up to the most. In ms. */
const firstRetryMs = 2_000;
const lastRetryMs = 300_000;

/** What is to be watched. */
export interface Watched {
  /** Paths of the node folders, relative to the instance. */
  readonly folders: readonly string[];
  readonly ignore: IgnoreRules;
  /** Absolute paths outside the node folders that are read through links. */
  readonly linkTargets: ReadonlySet<string>;
  /** By path: what tells each folder from another one made in its place. */
  readonly directories: ReadonlyMap<string, string>;
}

interface Listener {
  readonly onHint: (path?: string) => void;
  /** Something is not watched: once for each cause, until all is watched again. */
  readonly onFailure: (failure: Error) => void;
  /** All is watched, after a failure. */
  readonly onRecovery: () => void;
}

/**
 * Keeps one watch on what a scan last found, and begins a new one when a folder was deleted and made again: chokidar
 * then goes on listening to the deleted one (cases.md W4), and events alone cannot show it. A watch that fails is tried again,
 * less and less often: another process may give back what the operating system ran out of.
 */
export class WatchKeeper {
  readonly #root: string;
  readonly #listener: Listener;
  #watch: FolderWatch | undefined;
  #watched: Watched | undefined;
  #busy: Promise<void> | undefined;
  #closed = false;
  readonly #now: () => number;
  /** Counts the watches that were begun: what an earlier one still tells is not about this one. */
  #begun = 0;
  /** Codes of the failures that were told of; empty while all is watched. */
  readonly #failures = new Set<string>();
  /** The watch that is open now has failed. */
  #failed = false;
  #retryAt = Number.POSITIVE_INFINITY;
  #retryMs = firstRetryMs;

  /** `now` is a clock in ms. */
  constructor(root: string, listener: Listener, now: () => number = () => performance.now()) {
    this.#root = root;
    this.#listener = listener;
    this.#now = now;
  }

  /** There may be changes of which no event tells. */
  get isFailing(): boolean {
    return this.#failures.size > 0;
  }

  /** Never throws; while a watch is being opened, the next call sees to what changed meanwhile. To be called often while it fails. */
  keep(wanted: Watched): void {
    if (this.#closed || this.#busy !== undefined) return;
    const isSame = this.#watched !== undefined && !isMadeAnew(this.#watched, wanted, this.#root, this.#watch);
    this.#watched = wanted;
    if (isSame && this.#now() < this.#retryAt) {
      this.#watch?.follow(wanted.linkTargets);
      return;
    }
    this.#busy = this.#open(wanted).finally(() => {
      this.#busy = undefined;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#busy;
    await this.#watch?.close();
  }

  async #open(wanted: Watched): Promise<void> {
    const old = this.#watch;
    const number = ++this.#begun;
    const ofThisWatch = (act: () => void) => (number === this.#begun && !this.#closed ? act() : undefined);
    this.#watch = undefined;
    this.#failed = false;
    this.#retryAt = Number.POSITIVE_INFINITY;
    try {
      await old?.close();
      this.#watch = await watchFolders({
        root: this.#root,
        ...wanted,
        onHint: this.#listener.onHint,
        onError: (error) => ofThisWatch(() => this.#fail(error)),
        onReady: () => ofThisWatch(() => this.#recover()),
      });
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (!this.#failed) {
      this.#failed = true;
      this.#retryAt = this.#now() + this.#retryMs;
      this.#retryMs = Math.min(2 * this.#retryMs, lastRetryMs);
    }
    const code = errnoOf(error);
    if (this.#failures.has(code)) return;
    this.#failures.add(code);
    this.#listener.onFailure(watchFailure(code, error));
  }

  #recover(): void {
    if (this.#failed || this.#failures.size === 0) return;
    this.#failures.clear();
    this.#retryMs = firstRetryMs;
    this.#listener.onRecovery();
  }
}

function isMadeAnew(before: Watched, now: Watched, root: string, watch: FolderWatch | undefined): boolean {
  // Without a watch, opening it failed, and is tried again when its time has come.
  if (watch !== undefined && watch.identity !== watchedIdentity(root, now.folders)) return true;
  if (before.ignore !== now.ignore || before.folders.join('\n') !== now.folders.join('\n')) return true;
  for (const [path, identity] of now.directories) {
    const known = before.directories.get(path);
    if (known !== undefined && known !== identity) return true;
  }
  return false;
}

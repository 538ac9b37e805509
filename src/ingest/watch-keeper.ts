import type { IgnoreRules } from './ignore.js';
import { type FolderWatch, watchedIdentity, watchFolders } from './watch.js';

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
  readonly onError: (error: unknown) => void;
}

/**
 * Keeps one watch on what a scan last found, and begins a new one when a folder was deleted and made again: chokidar
 * then goes on listening to the deleted one (cases.md W4), and events alone cannot show it.
 */
export class WatchKeeper {
  readonly #root: string;
  readonly #listener: Listener;
  #watch: FolderWatch | undefined;
  #watched: Watched | undefined;
  #busy: Promise<void> | undefined;
  #closed = false;

  constructor(root: string, listener: Listener) {
    this.#root = root;
    this.#listener = listener;
  }

  /** Never throws; while a watch is being opened, the next call sees to what changed meanwhile. */
  keep(wanted: Watched): void {
    if (this.#closed || this.#busy !== undefined) return;
    const isSame = this.#watched !== undefined && !isMadeAnew(this.#watched, wanted, this.#root, this.#watch);
    this.#watched = wanted;
    if (isSame) {
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
    this.#watch = undefined;
    try {
      await old?.close();
      this.#watch = await watchFolders({ root: this.#root, ...wanted, ...this.#listener });
    } catch (error) {
      this.#listener.onError(error);
    }
  }
}

function isMadeAnew(before: Watched, now: Watched, root: string, watch: FolderWatch | undefined): boolean {
  // Opening failed, and was reported: scans are all there is, until the folders change.
  if (watch !== undefined && watch.identity !== watchedIdentity(root, now.folders)) return true;
  if (before.ignore !== now.ignore || before.folders.join('\n') !== now.folders.join('\n')) return true;
  for (const [path, identity] of now.directories) {
    const known = before.directories.get(path);
    if (known !== undefined && known !== identity) return true;
  }
  return false;
}

import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename } from 'node:path';
import type { HostFacts } from '../projection/host.js';
import type { InstanceConfig } from './config.js';
import type { Environment } from './host.js';
import { type HostPlaces, hostPlaces, type WhatMatters, watchedName } from './host-places.js';
import { directoryIdentity } from './signature.js';

interface Watched {
  /** Of the folder when it began to be watched. */
  readonly identity: string;
  readonly watcher: FSWatcher;
  names: ReadonlyMap<string, WhatMatters>;
}

/** What decides which folders are watched. */
interface Asked {
  readonly facts: HostFacts;
  readonly config: InstanceConfig;
  /** Of which modules are made, absolute. */
  readonly moduleFiles: ReadonlySet<string>;
}

const noFiles: ReadonlySet<string> = new Set();

/** After this long a folder that could not be watched is tried again, in ms. */
const retryMs = 60_000;

/** A host that only probes has ended the process before it watches anything, in ms. */
const beginMs = 200;

/**
 * Watches the folders that decide facts of the host, each for a few names in it and one level deep. Whatever fails is left to looking
 * at an interval, without a word: all that is lost is time.
 */
export class HostWatch {
  readonly #root: string;
  readonly #env: Environment;
  readonly #onHint: () => void;
  #asked: Asked | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #watched = new Map<string, Watched>();
  /** By folder, when to try again. */
  readonly #retryAt = new Map<string, number>();

  /** `root` is absolute. `onHint`: something that decides a fact has come, gone or changed, or may have. */
  constructor(root: string, env: Environment, onHint: () => void) {
    this.#root = root;
    this.#env = env;
    this.#onHint = onHint;
  }

  /** Watches, in a moment, what decides these facts. Facts that were asked for again say that other folders may be there. */
  follow(facts: HostFacts, config: InstanceConfig, moduleFiles: ReadonlySet<string> = noFiles): void {
    const last = this.#asked;
    if (facts === last?.facts && config === last.config && moduleFiles === last.moduleFiles) return;
    this.#asked = { facts, config, moduleFiles };
    this.#timer ??= setTimeout(() => this.#begin(), beginMs).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#keep(new Map());
  }

  #begin(): void {
    this.#timer = undefined;
    if (this.#asked !== undefined) {
      const { facts, config, moduleFiles } = this.#asked;
      this.#keep(hostPlaces(facts, config, this.#root, this.#env, moduleFiles));
    }
  }

  #keep(places: HostPlaces): void {
    for (const folder of this.#watched.keys()) if (!places.has(folder)) this.#drop(folder);
    for (const folder of this.#retryAt.keys()) if (!places.has(folder)) this.#retryAt.delete(folder);
    const begun = [...places].filter(([folder, names]) => this.#keepOne(folder, names));
    // What happened there before is not known.
    if (begun.length > 0) this.#onHint();
  }

  /** True when the folder is watched from now on. */
  #keepOne(folder: string, names: ReadonlyMap<string, WhatMatters>): boolean {
    const known = this.#watched.get(folder);
    const identity = folderIdentity(folder);
    if (known !== undefined && known.identity === identity) {
      known.names = names;
      return false;
    }
    this.#drop(folder);
    if (identity === undefined || (this.#retryAt.get(folder) ?? 0) > performance.now()) return false;
    try {
      const watcher = watch(folder, { persistent: false });
      watcher.on('change', (kind, name) => this.#take(folder, kind, name));
      watcher.on('error', () => this.#fail(folder));
      this.#watched.set(folder, { identity, watcher, names });
      return true;
    } catch {
      this.#fail(folder);
      return false;
    }
  }

  #take(folder: string, kind: string, changed: string | Buffer | null): void {
    const names = this.#watched.get(folder)?.names;
    if (names === undefined) return;
    // A folder that goes is told of by its own name.
    if (changed === basename(folder)) this.#drop(folder);
    else if (changed !== null) {
      const matters = names.get(watchedName(String(changed)));
      // Only "rename" tells of what comes and goes; a log file that is waited for is written to all the time.
      if (matters === undefined || (matters === 'existence' && kind !== 'rename')) return;
    }
    this.#onHint();
  }

  #fail(folder: string): void {
    this.#drop(folder);
    this.#retryAt.set(folder, performance.now() + retryMs);
  }

  #drop(folder: string): void {
    this.#watched.get(folder)?.watcher.close();
    this.#watched.delete(folder);
  }
}

function folderIdentity(folder: string): string | undefined {
  try {
    const stats = statSync(folder, { bigint: true });
    return stats.isDirectory() ? directoryIdentity(stats) : undefined;
  } catch {
    return undefined;
  }
}

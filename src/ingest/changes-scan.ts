import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { configFileName } from '../../schemas/config.js';
import { byCodeUnits } from '../code-units.js';
import { maxConfigBytes } from '../instance/config.js';
import { realPath } from '../instance/containment.js';
import { fileSignature } from '../instance/signature.js';
import type { SourceFile } from './document.js';
import type { Pass } from './gather.js';
import { FolderScanner, folderChangedAtMs, type ScanOptions, type ScanResult } from './scan.js';
import { FollowedFiles } from './scan-files.js';
import type { Watched } from './watch-keeper.js';

export interface FollowScan {
  /** Absolute path of the instance. */
  readonly root: string;
  readonly scan: ScanOptions;
  /** Documents of an earlier run, by path: the signature for which each need not be read again. */
  readonly seeds?: Iterable<readonly [path: string, signature: string]>;
  /** Of the config file as it was read; undefined when there was none. */
  readonly configSignature?: string | undefined;
}

export interface FoundChanges {
  readonly scan: ScanResult;
  readonly configChanged: boolean;
  /** Whether there is anything that the last taken batch did not say. */
  readonly isNews: boolean;
}

/** Scans the folders and the config file, and holds what was found until it has been taken. */
export class ChangeScanner {
  readonly #root: string;
  readonly #folders: FolderScanner;
  readonly #config = new FollowedFiles(Date.now);
  #changed = new Map<string, SourceFile>();
  #removed = new Set<string>();
  #configChanged = false;
  #configProblem: string | undefined;
  /** What could not be looked at: as last found, and as last taken. */
  #state = '';
  #takenState: string | undefined;
  isFolderMissing = false;

  constructor({ root, scan, seeds, configSignature }: FollowScan) {
    this.#root = root;
    this.#folders = new FolderScanner(root, scan);
    for (const [path, signature] of seeds ?? []) this.#folders.seed(path, signature);
    if (configSignature !== undefined) this.#config.seed(configFileName, configSignature, '.');
  }

  /** Whether no batch has been taken yet. */
  get neverTaken(): boolean {
    return this.#takenState === undefined;
  }

  look(pass: Pass): FoundChanges {
    const found = this.#folders.scan(pass.paths, pass.full);
    const concernsConfig = pass.full || pass.paths.has(configFileName) || this.#config.unsettled().length > 0;
    const configRetryMs = concernsConfig ? this.#lookAtConfig() : undefined;
    for (const file of found.changed) {
      this.#removed.delete(file.path);
      this.#changed.set(file.path, file);
    }
    for (const path of found.removed) {
      this.#changed.delete(path);
      this.#removed.add(path);
    }
    this.isFolderMissing = found.missingFolders.length > 0;
    const problems = [...found.unreadable].map(([path, { message }]) => [path, message]);
    this.#state = JSON.stringify([problems, found.missingFolders, found.kept]);
    const scan: ScanResult = {
      ...found,
      changed: [...this.#changed.values()].sort((a, b) => byCodeUnits(a.path, b.path)),
      removed: [...this.#removed].sort(),
      retryInMs: earlier(found.retryInMs, configRetryMs),
    };
    const isNews =
      this.#configChanged || this.#changed.size > 0 || this.#removed.size > 0 || this.#state !== this.#takenState;
    return { scan, configChanged: this.#configChanged, isNews };
  }

  /** What `look` returned last has been taken. */
  taken(): void {
    this.#changed = new Map();
    this.#removed = new Set();
    this.#configChanged = false;
    this.#takenState = this.#state;
  }

  reread(paths?: Iterable<string>): void {
    this.#folders.reread(paths);
  }

  reconfigure(options: ScanOptions): void {
    this.#folders.reconfigure(options);
  }

  /** Whether a path, relative to the instance, may be a document. */
  isOurs(path: string): boolean {
    return this.#folders.isOurs(path);
  }

  /** What to watch, as of the last scan. */
  watched(): Watched {
    return this.#folders.watched();
  }

  /** Returns after how many ms to look again, if the file was put back. */
  #lookAtConfig(): number | undefined {
    const absolute = realPath(join(this.#root, configFileName));
    const stats = absolute && lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
    if (absolute && stats) {
      const found = { path: configFileName, absolute, signature: fileSignature(stats), folder: '.' };
      this.#config.look(found, maxConfigBytes);
    } else if (realPath(this.#root) !== undefined) {
      this.#config.miss(configFileName, folderChangedAtMs(join(this.#root, configFileName)));
    }
    const { changed, removed, retryInMs } = this.#config.take();
    const problem = this.#config.unreadable.get(configFileName)?.message;
    if (changed.length > 0 || removed.length > 0 || problem !== this.#configProblem) this.#configChanged = true;
    this.#configProblem = problem;
    return retryInMs;
  }
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

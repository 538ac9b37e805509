import { lstatSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FSWatcher } from 'chokidar';
import { configFileName } from '../../schemas/config.js';
import { isInFolder, isWithin, pathInFolder, realPath } from '../instance/containment.js';
import { directoryIdentity, errnoOf } from '../instance/signature.js';
import { formatOf } from './document-kind.js';
import type { IgnoreRules } from './ignore.js';

export interface WatchOptions {
  /** Absolute path of the instance. */
  readonly root: string;
  /** Paths of the node folders, relative to the instance. */
  readonly folders: readonly string[];
  readonly ignore: IgnoreRules;
  /** Absolute paths outside the node folders that are read through links. */
  readonly linkTargets: Iterable<string>;
  /** Something may have changed: at a path relative to the instance, or anywhere. */
  readonly onHint: (path?: string) => void;
  /** Watching does not work, or not everywhere; called once for each code of the operating system. */
  readonly onError: (error: unknown) => void;
  /** All that there is now is watched, but for what `onError` was told of. */
  readonly onReady: () => void;
}

export interface FolderWatch {
  /** What the root and the node folders were when this watch began: a folder made anew needs a new watch. */
  readonly identity: string;
  /** Also watches these absolute paths. */
  follow(targets: Iterable<string>): void;
  close(): Promise<void>;
}

/**
 * Hints from chokidar, which loses and invents events under load and so is never believed (DESIGN decision 4). The root
 * is watched too, one level deep: the config file is in it, and a node folder that comes back. Nothing is known of what
 * happens before chokidar is ready, so it hints at everything then.
 */
export async function watchFolders(options: WatchOptions): Promise<FolderWatch> {
  const identity = watchedIdentity(options.root, options.folders);
  const { watch } = await import('chokidar');
  const root = realPath(options.root);
  const folders = root === undefined ? [] : foldersWithin(root, options.folders);
  const folderOf = (path: string) => folders.find(({ real }) => path.startsWith(real + sep));
  const settings = { ignoreInitial: true, followSymlinks: false, ignorePermissionErrors: true, atomic: false } as const;
  const followed = new Set(options.linkTargets);

  // chokidar would watch the whole parent of a path that is not there, so it is given only what is.
  const below = watch([...folders.map(({ real }) => real), ...followed], {
    ...settings,
    ignored: (path, stats) => {
      const folder = folderOf(path);
      if (folder === undefined) return false;
      const inner = pathInFolder(folder, path);
      return options.ignore.isIgnored(folder.path, inner) || (stats?.isFile() === true && formatOf(inner) === 'other');
    },
  });
  const top = watch(root ?? [], {
    ...settings,
    depth: 0,
    ignored: (path) => !isTopPath(root ?? '', path, options.folders),
  });
  below.on('all', (event, path) => {
    const folder = folderOf(path);
    const isFile = event === 'add' || event === 'change' || event === 'unlink';
    options.onHint(folder !== undefined && isFile ? pathInFolder(folder, path) : undefined);
  });
  top.on('all', (_event, path) => options.onHint(basename(path) === configFileName ? configFileName : undefined));
  const report = onceForEachCode(options.onError);
  const unready = new Set([below, top]);
  for (const watcher of [below, top]) {
    watcher.on('error', report).on('ready', () => {
      options.onHint();
      if (unready.delete(watcher) && unready.size === 0) options.onReady();
    });
  }
  return {
    identity,
    follow: (targets) => {
      const added = [...targets].filter((target) => !followed.has(target));
      for (const target of added) followed.add(target);
      if (added.length > 0) below.add(added);
    },
    close: () => closeAll([below, top]),
  };
}

/** A link that leads out is never read (cases.md W7), and to watch all that lies there could take minutes. */
function foldersWithin(root: string, folders: readonly string[]): { readonly path: string; readonly real: string }[] {
  return folders.flatMap((path) => {
    const real = realPath(join(root, path));
    return real === undefined || !isWithin(root, real) ? [] : [{ path, real }];
  });
}

/** What the root and the node folders are now; another text means that at least one of them was made anew. */
export function watchedIdentity(root: string, folders: readonly string[]): string {
  const identities = ['.', ...folders].map((path) => {
    const real = realPath(join(root, path));
    if (real === undefined) return 'missing';
    try {
      return `${real}:${directoryIdentity(lstatSync(real, { bigint: true }))}`;
    } catch {
      return 'missing';
    }
  });
  return identities.join('\n');
}

function isTopPath(root: string, path: string, folders: readonly string[]): boolean {
  if (path === root) return true;
  const name = relative(root, path);
  return name === configFileName || folders.some((folder) => isInFolder(name, folder));
}

async function closeAll(watchers: readonly FSWatcher[]): Promise<void> {
  // chokidar adds the parent of the last path that goes, even after close(), and add() opens a closed watcher again: it would
  // keep the process alive.
  for (const watcher of watchers) watcher.add = () => watcher;
  // It also forgets a watch that it has opened when it is closed before the promise that brings it has been read, which all are
  // when a new turn of the event loop begins.
  await nextTurn();
  const closing = watchers.map((watcher) => watcher.close());
  // close() takes the listeners away, and an error that a pending read still brings would then end the process.
  for (const watcher of watchers) watcher.on('error', () => {});
  await Promise.all(closing);
}

function onceForEachCode(onError: (error: unknown) => void): (error: unknown) => void {
  const reported = new Set<string>();
  return (error) => {
    const code = errnoOf(error);
    if (reported.has(code)) return;
    reported.add(code);
    onError(error);
  };
}

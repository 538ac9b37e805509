import { randomUUID } from 'node:crypto';
import { readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../instance/signature.js';
import { BuildError, errnoWords } from './build-error.js';

/**
 * A link that leads nowhere: unlike a file, it is made together with what it says, `<id of the process that builds>.<id of the lock>`.
 * It is only ever taken from its place by a rename to a name of its own, `<lockName>.<id>`, so that two processes never take one lock.
 * What was taken and turns out to be the lock of a living build counts there as it did in its place.
 */
const lockName = '.toolgraph-build.lock';
/** Stale locks that are taken over in a row; nobody leaves so many. */
const maxTurns = 100;

/**
 * Runs `act` while no other process that asks in this way builds into the folder. The lock of a process that has ended without
 * giving it back is taken over.
 *
 * @throws BuildError where another build has it, or the folder cannot be written.
 */
export function withBuildLock<T>(folder: string, act: () => T): T {
  const own = `${process.pid}.${randomUUID()}`;
  acquire(folder, own);
  try {
    return act();
  } finally {
    release(folder, own);
  }
}

function acquire(folder: string, own: string): void {
  const lock = join(folder, lockName);
  for (let turn = 0; turn < maxTurns; turn++) {
    if (placeLock(folder, own)) {
      // Whoever made a lock before us and still builds has it here if it is not in its place.
      const other = takenLocks(folder).find(({ content }) => content !== own && !isStale(content));
      if (other === undefined) return;
      release(folder, own);
      throw isHeld(folder, other.path, other.content);
    }
    const holder = contentOf(lock);
    if (holder === undefined) continue;
    if (!isStale(holder)) throw isHeld(folder, lock, holder);
    const taken = take(folder);
    if (taken === undefined) continue;
    if (!isStale(taken.content)) throw isHeld(folder, taken.path, taken.content);
    rmSync(taken.path, { force: true });
  }
  throw isHeld(folder, lock, contentOf(lock) ?? '');
}

/** False where a lock is there. */
function placeLock(folder: string, own: string): boolean {
  try {
    symlinkSync(own, join(folder, lockName));
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw new BuildError(`${folder} cannot be written (${errnoWords(error)}); nothing was changed`);
  }
}

/** Gives back our own lock, wherever it stands, and what is left of builds that have ended. */
function release(folder: string, own: string): void {
  try {
    if (contentOf(join(folder, lockName)) === own) take(folder);
    for (const { path, content } of takenLocks(folder)) {
      if (content === own || isStale(content)) rmSync(path, { force: true });
    }
  } catch {
    // The folder is gone or cannot be written any more. A lock that stays is stale when this process has ended.
  }
}

interface TakenLock {
  readonly path: string;
  readonly content: string;
}

/** Takes the lock from its place, whosever it is now; undefined where there is none any more. */
function take(folder: string): TakenLock | undefined {
  const path = join(folder, `${lockName}.${randomUUID()}`);
  try {
    renameSync(join(folder, lockName), path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw new BuildError(`${folder} cannot be written (${errnoWords(error)}); nothing was changed`);
  }
  const content = contentOf(path);
  return content === undefined ? undefined : { path, content };
}

function takenLocks(folder: string): TakenLock[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const content = name.startsWith(`${lockName}.`) ? contentOf(path) : undefined;
    return content === undefined ? [] : [{ path, content }];
  });
}

/** What a lock says; the empty text where it is not a lock of ours, and undefined where nothing is. */
function contentOf(lock: string): string | undefined {
  try {
    return readlinkSync(lock);
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? undefined : '';
  }
}

function holderOf(content: string): number | undefined {
  const holder = Number(/^(\d+)(?:\.|$)/.exec(content)?.[1]);
  return Number.isSafeInteger(holder) && holder > 0 ? holder : undefined;
}

function isStale(content: string): boolean {
  const holder = holderOf(content);
  if (holder === undefined) return false;
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return errnoOf(error) === 'ESRCH';
  }
}

function isHeld(folder: string, lock: string, content: string): BuildError {
  return new BuildError(
    `another build (process ${holderOf(content) ?? 'unknown'}) is writing to ${folder}; wait for it to end. Where there is none, remove ${lock}`,
  );
}

import { readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../instance/signature.js';
import { BuildError, errnoWords } from './build-error.js';

/** A link that leads nowhere: unlike a file, it is made together with what it says, the id of the process that builds. */
const lockName = '.toolgraph-build.lock';

/**
 * Runs `act` while no other process that asks in this way builds into the folder. The lock of a process that has ended without
 * giving it back is taken over.
 *
 * @throws BuildError where another build has it, or the folder cannot be written.
 */
export function withBuildLock<T>(folder: string, act: () => T): T {
  const lock = join(folder, lockName);
  const holder = holderOf(lock);
  if (holder !== undefined && !isRunning(holder)) rmSync(lock, { force: true });
  try {
    symlinkSync(String(process.pid), lock);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST')
      throw new BuildError(`${folder} cannot be written (${errnoWords(error)}); nothing was changed`);
    throw new BuildError(
      `another build (process ${holderOf(lock) ?? 'unknown'}) is writing to ${folder}; wait for it to end. Where there is none, remove ${lock}`,
    );
  }
  try {
    return act();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** The id of the process that has the lock; undefined when nobody has, or it is not a lock of ours. */
function holderOf(lock: string): number | undefined {
  try {
    const holder = Number(readlinkSync(lock));
    return Number.isSafeInteger(holder) && holder > 0 ? holder : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}

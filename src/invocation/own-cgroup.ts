import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cgroupFolder, ownCgroupOwner, ownCgroupPrefix } from './cgroup-folder.js';

/** Of the list of members, which is read in one go: many thousands of them. */
const listBytes = 256 * 1024;

/** A control group that this process and all that stems from it are in, wherever that has gone: setsid(2) does not lead out of it. */
export class OwnCgroup {
  readonly #parent: string;
  readonly #folder: string;
  readonly #members: number;
  readonly #buffer = Buffer.alloc(listBytes);

  private constructor(parent: string, folder: string) {
    this.#parent = parent;
    this.#folder = folder;
    this.#members = openSync(join(folder, 'cgroup.procs'), 'r');
  }

  /**
   * Makes the group and enters it, which takes 10 to 30 ms. Undefined where the host does not let this user do so: outside of Linux, without
   * version 2 of control groups, or in a group that is not delegated.
   */
  static join(): OwnCgroup | undefined {
    // The first process of a container adopts what others leave behind, so that its children tell nothing.
    if (process.platform !== 'linux' || process.pid === 1) return undefined;
    try {
      const parent = ownFolder();
      if (parent === undefined) return undefined;
      removeEmptyGroups(parent);
      const folder = join(parent, `${ownCgroupPrefix}${process.pid}`);
      // A server that was killed may have had this id.
      mkdirSync(folder, { recursive: true });
      try {
        writeFileSync(join(folder, 'cgroup.procs'), String(process.pid));
        return new OwnCgroup(parent, folder);
      } catch {
        rmdirSync(folder);
        return undefined;
      }
    } catch {
      return undefined;
    }
  }

  /** Kills all that is in the group of a server that has gone, and gives the ids. None where another process has its id by now. */
  static endOf(server: number): number[] {
    if (process.platform !== 'linux' || isAlive(server)) return [];
    try {
      const parent = ownFolder();
      if (parent === undefined) return [];
      const folder = join(parent, `${ownCgroupPrefix}${server}`);
      const members = membersIn(readFileSync(join(folder, 'cgroup.procs'), 'latin1'));
      if (members.length > 0) killMembers(folder, members);
      return members;
    } catch {
      // ENOENT: it had none here.
      return [];
    }
  }

  /** Ids of all processes in it but this one. */
  members(): number[] {
    const length = readSync(this.#members, this.#buffer, 0, listBytes, 0);
    return membersIn(this.#buffer.toString('latin1', 0, length));
  }

  /** Leaves the group, kills whoever is still in it, and removes it. */
  close(): void {
    try {
      writeFileSync(join(this.#parent, 'cgroup.procs'), String(process.pid));
      killMembers(this.#folder, this.members());
      closeSync(this.#members);
      rmdirSync(this.#folder);
    } catch {
      // What was killed may take a moment to go; the next server removes the folder.
    }
  }
}

function ownFolder(): string | undefined {
  return cgroupFolder(readFileSync('/proc/self/mountinfo', 'latin1'), readFileSync('/proc/self/cgroup', 'latin1'));
}

/** Without this process, and those of other namespaces, which are 0 here. */
function membersIn(list: string): number[] {
  return list
    .split('\n')
    .flatMap((line) => (line === '' || line === '0' || line === String(process.pid) ? [] : [Number(line)]));
}

/** All at once, so that none of them can start another meanwhile; one by one where the system is older than Linux 5.14. */
function killMembers(folder: string, members: readonly number[]): void {
  try {
    // Without creating it: it is there, or the system has none.
    writeFileSync(join(folder, 'cgroup.kill'), '1', { flag: 'r+' });
  } catch {
    for (const pid of members) process.kill(pid, 'SIGKILL');
  }
}

/** Those of servers that have gone. The system removes none that has members. */
function removeEmptyGroups(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = ownCgroupOwner(name);
    if (pid === undefined || isAlive(pid)) continue;
    try {
      rmdirSync(join(parent, name));
    } catch {
      // EBUSY: a process that it left behind lives on.
    }
  }
}

/** One that is about to enter its group must find it. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

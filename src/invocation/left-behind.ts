import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NotedLeader } from './leftovers.js';
import { type FoundProcess, foundProcess, orphansOf } from './orphans.js';
import { OwnCgroup } from './own-cgroup.js';
import { isGone } from './process-identity.js';

const dyingMs = 500;
const pollMs = 20;

/** Processes that had left the group of a call and outlived its program: a daemon does (X5). */
export interface LeftBehind {
  /** Ids of those that live on. */
  readonly alive: readonly number[];
  /** Ids of those that were ended. */
  readonly ended: readonly number[];
}

const nothing: LeftBehind = { alive: [], ended: [] };

let isPermitted = false;
let isTried = false;
let cgroup: OwnCgroup | undefined;

/**
 * Lets this process enter a control group of its own before it runs the first tool, where the host allows that. For the command line only:
 * a program that uses toolgraph as a library has other processes, which are not to be taken for those of tools.
 */
export function permitOwnCgroup(): void {
  isPermitted = true;
}

/** To be called before each start. */
export function enterOwnCgroup(): void {
  if (!isPermitted || isTried) return;
  isTried = true;
  cgroup = OwnCgroup.join();
  if (cgroup !== undefined) process.once('exit', () => cgroup?.close());
}

/** Whether nothing that a tool starts can be lost sight of. */
export function hasOwnCgroup(): boolean {
  return cgroup !== undefined;
}

/**
 * Kills what is left in the control group of a server that was killed, where this process may have such a group itself. Gives the ids; none
 * where it is not certain that the server has gone, or another process has its id by now.
 */
export async function endLeftOfServer({ pid, identity }: NotedLeader): Promise<readonly number[]> {
  if (!isPermitted || pid === process.pid || !(await isGone(pid, identity))) return [];
  return OwnCgroup.endOf(pid);
}

let spawner: number | undefined;

/** The id of the process that starts others for this one: as long as there is one it is in the control group, and no tool has started it. */
export function noteSpawner(pid: number | undefined): void {
  spawner = pid;
}

let ending: Promise<unknown> = Promise.resolve();

/**
 * Kills what calls that have ended have left behind in the control group; `certain` are ids that are known to be of this call, and `leaders`
 * those of the processes that still run for others. What may be of another one of these is left alone until that has ended. Gives nothing where
 * there is no control group. Takes some microseconds where nothing was left.
 */
export async function endLeftBehind(certain: readonly number[], leaders: () => number[]): Promise<LeftBehind> {
  if (cgroup === undefined || orphansNow(cgroup, certain, leaders()).length === 0) return nothing;
  const group = cgroup;
  const mine = ending.then(() => endOrphans(group, certain, leaders));
  ending = mine.catch(() => {});
  return mine;
}

async function endOrphans(group: OwnCgroup, certain: readonly number[], leaders: () => number[]): Promise<LeftBehind> {
  const seen = new Set<number>();
  const deadline = performance.now() + dyingMs;
  for (;;) {
    const alive = orphansNow(group, certain, leaders()).map(({ pid }) => pid);
    if (alive.length === 0 || performance.now() >= deadline) {
      return { alive: alive.sort((a, b) => a - b), ended: [...seen].filter((pid) => !alive.includes(pid)) };
    }
    for (const pid of alive) {
      seen.add(pid);
      kill(pid);
    }
    await sleep(pollMs);
  }
}

function orphansNow(group: OwnCgroup, certain: readonly number[], leaders: readonly number[]): FoundProcess[] {
  const running = new Set(leaders);
  const members = group.members();
  if (members.every((pid) => running.has(pid) || pid === spawner)) return [];
  const processes = members.flatMap((pid) => processNow(pid) ?? []);
  const orphans = orphansOf(processes, { self: process.pid, leaders: running });
  if (orphans.length === 0) return [];
  const others = leaders.flatMap((pid) => processNow(pid)?.start ?? []);
  const earliest = Math.min(...others);
  return orphans.filter(({ pid, start }) => start < earliest || certain.includes(pid));
}

function processNow(pid: number): FoundProcess | undefined {
  try {
    return foundProcess(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return undefined;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // ESRCH: it has gone. EPERM: it runs as another user, and is told as alive.
  }
}

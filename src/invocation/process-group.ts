import { setTimeout as sleep } from 'node:timers/promises';
import { listProcesses, type ProcessLine } from './process-list.js';

const dyingMs = 500;
const pollMs = 20;

/** Sends a signal to every process of a group. False when none is left. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    // ESRCH: nobody is left. EPERM: what is left runs as another user, and killGroup reports it.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Kills what is left of a group. Gives the ids of those that live on half a second later, sorted: members that KILL does not reach
 * (another user's, or stuck in the kernel), and processes of `watched` that had left the group before.
 */
export async function killGroup(group: number, watched: readonly number[]): Promise<number[]> {
  const hadMembers = signalGroup(group, 'SIGKILL');
  if (!hadMembers && watched.length === 0) return [];
  const deadline = performance.now() + dyingMs;
  for (;;) {
    // Asking the kernel is cheap and almost always the whole answer; only EPERM and zombies need the look at each process.
    if (watched.length === 0 && !signalGroup(group, 0)) return [];
    const left = (await listProcesses()).filter((line) => line.group === group || watched.includes(line.pid));
    if (left.length === 0 || performance.now() >= deadline) return left.map(({ pid }) => pid).sort((a, b) => a - b);
    await sleep(pollMs);
  }
}

/** Ids of all processes that stem from `ancestor`, found by parent. Pure. */
export function descendantsOf(ancestor: number, processes: readonly ProcessLine[]): number[] {
  const found = new Set([ancestor]);
  for (const id of found) {
    for (const { pid, parent } of processes) if (parent === id) found.add(pid);
  }
  found.delete(ancestor);
  return [...found];
}

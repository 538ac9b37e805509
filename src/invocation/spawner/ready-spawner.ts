import { hasOwnCgroup, noteSpawner } from '../left-behind.js';
import { Spawner } from './spawner.js';

/** After so many spawners that could not be started no other one is tried. */
const mostFailures = 3;

let isPermitted = false;
let failures = 0;
let isBeginning = false;
let current: { readonly spawner: Spawner; readonly isInCgroup: boolean } | undefined;

/** Lets this process keep a spawner once it starts processes: for a server, which starts many. It takes some 12 MB of memory of its own. */
export function permitSpawner(): void {
  isPermitted = true;
}

/**
 * The spawner; undefined where there is none yet, and has one started then for those who come later. Only on Linux, where fork(2) is what takes
 * the time, and sockets need no file.
 */
export function readySpawner(): Spawner | undefined {
  if (!isPermitted || process.platform !== 'linux') return undefined;
  const isInCgroup = hasOwnCgroup();
  if (current?.spawner.isEnded === false && current.isInCgroup === isInCgroup) return current.spawner;
  // What it starts is in the control group in which it is itself.
  current?.spawner.end();
  current = undefined;
  if (!isBeginning && failures < mostFailures) void begin(isInCgroup);
  return undefined;
}

async function begin(isInCgroup: boolean): Promise<void> {
  isBeginning = true;
  const spawner = await Spawner.begin().catch(() => undefined);
  isBeginning = false;
  if (spawner === undefined) {
    failures += 1;
    return;
  }
  failures = 0;
  noteSpawner(spawner.pid);
  current = { spawner, isInCgroup };
}

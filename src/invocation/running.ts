import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf, signalGroup } from './process-group.js';
import { listProcesses } from './process-list.js';

/** Why a running process was told to end. */
export type StopReason = 'timeout' | 'cancelled';

/** Time from TERM to KILL, in milliseconds. */
const graceMs = 2000;
/** Time in which the processes that stem from one that is told to end are looked for, in milliseconds. */
const lookMs = 10_000;
/** Time after KILL in which even a process that hangs in the kernel is waited for, in milliseconds. */
const giveUpMs = 1000;

/** One process that leads its own group, from its start until it and its group are gone. */
export class RunningProcess {
  readonly group: number;
  #timer: NodeJS.Timeout | undefined;
  #giveUp: () => void = () => {};
  #finish: () => void = () => {};
  #isPastTerm = false;
  stopReason: StopReason | undefined;
  /** Ids of the processes that stemmed from it when it was told to end, those that had left its group too: once they are known. */
  descendants: Promise<readonly number[]> = Promise.resolve([]);
  /** Resolves when KILL was sent and the process has not ended within a second: nothing more can be done. */
  readonly unkillable = new Promise<void>((resolve) => {
    this.#giveUp = resolve;
  });
  readonly finished = new Promise<void>((resolve) => {
    this.#finish = resolve;
  });

  constructor(
    group: number,
    readonly owner: object | undefined,
  ) {
    this.group = group;
    killAllAtExit();
    running.add(this);
  }

  /**
   * TERM to the group, and KILL when the process has not ended after the grace. The first reason stays. Once the parents are gone nothing
   * tells any more which processes came from here, so they are noted first. The group is stopped meanwhile: what it starts after it was
   * looked at would be missed.
   */
  stop(reason: StopReason): void {
    if (this.stopReason !== undefined) return;
    this.stopReason = reason;
    signalGroup(this.group, 'SIGSTOP');
    this.descendants = this.#look();
    void this.descendants.then(() => this.#terminate());
  }

  /** On a host that is busy a look takes seconds. One that fails, or hangs, must not keep the call. */
  async #look(): Promise<readonly number[]> {
    const looked = listProcesses().then(
      (processes) => descendantsOf(this.group, processes),
      () => [],
    );
    const late = new AbortController();
    try {
      return await Promise.race([looked, delay(lookMs, [], { signal: late.signal })]);
    } finally {
      late.abort();
    }
  }

  /** The grace begins here, and not with the look: it is for the process, which was stopped until now. */
  #terminate(): void {
    if (this.#isPastTerm) return;
    signalGroup(this.group, 'SIGTERM');
    signalGroup(this.group, 'SIGCONT');
    this.#timer = setTimeout(() => this.kill(), graceMs);
  }

  /** KILL to the group, at once. */
  kill(): void {
    this.stopReason ??= 'cancelled';
    this.#isPastTerm = true;
    signalGroup(this.group, 'SIGKILL');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#giveUp, giveUpMs);
  }

  /** The process has ended: no signal is due any more. */
  ended(): void {
    this.#isPastTerm = true;
    clearTimeout(this.#timer);
  }

  /** Its group is gone too, or was given up. */
  finish(): void {
    running.delete(this);
    this.#finish();
  }
}

const running = new Set<RunningProcess>();

/** Ids of the processes that run, which are those of their groups. */
export function runningLeaders(): number[] {
  return [...running].map(({ group }) => group);
}

const endedOwners = new WeakSet<object>();

/** Whether `killAll` was called for this owner: a call that was still being checked then must not start a process now. */
export function hasEnded(owner: object | undefined): boolean {
  return owner !== undefined && endedOwners.has(owner);
}

/**
 * Kills every running process and its group before it returns; their calls then end as `cancelled`. With an owner, only those of its
 * calls (`CallSettings.owner`), and none of its calls starts a process afterwards. The promise resolves when all of them are gone (P16).
 */
export async function killAll(owner?: object): Promise<void> {
  if (owner !== undefined) endedOwners.add(owner);
  const chosen = [...running].filter((child) => owner === undefined || child.owner === owner);
  for (const child of chosen) child.kill();
  await Promise.all(chosen.map((child) => child.finished));
}

let exitHandled = false;

/** A group of its own does not end with its parent, so a process.exit anywhere must take the children along. */
function killAllAtExit(): void {
  if (exitHandled) return;
  exitHandled = true;
  process.once('exit', () => void killAll());
}

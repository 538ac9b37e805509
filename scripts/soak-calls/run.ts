import { kill } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Era } from '../protocol-era.js';
import { SeededRandom } from '../seeded-random.js';
import type { ServerFigures } from '../soak/server-meter.js';
import { CallInstance } from './call-instance.js';
import { compareRecords, describeCall, type Fate, type MadeCall, type RecordFaults } from './call-ledger.js';
import { CallPlan, DeathPlan, type PlannedCall } from './call-plan.js';
import { callOfSleeper } from './called-tools.js';
import { CallingClient } from './calling-client.js';
import { settlingFaults } from './faults.js';
import { judgeLeft, numbersIn } from './left-processes.js';
import { markedProcesses } from './marked-processes.js';

export interface CallSoakOptions {
  /** The built `main.js`. */
  readonly cli: string;
  readonly seed: number;
  readonly calls: number;
  /** @default 8 */
  readonly clients?: number;
  /** What is not over by then, in ms, never will be: to stop what is deaf to TERM takes two seconds. @default 30000 */
  readonly restMs?: number;
  /** Is told of each fault as it is found. */
  readonly onFault: (fault: string) => void;
  /** Takes what the servers say. */
  readonly log?: (client: string, text: string) => void;
}

export interface CallClientFigures {
  readonly client: string;
  /** How often its server, or it, was killed. */
  readonly deaths: number;
  /** Of a server that was never killed; of the others none. */
  readonly samples: readonly ServerFigures[];
}

export interface CallSoakOutcome {
  readonly calls: number;
  readonly seconds: number;
  /** How many calls ended so: `ran`, the code of an error, `cancelled`, `server killed`, `client killed`. */
  readonly ends: ReadonlyMap<string, number>;
  readonly records: number;
  readonly interrupted: number;
  readonly faults: RecordFaults;
  readonly orphans: number;
  readonly reportedSurvivors: number;
  readonly untoldSurvivors: number;
  /** Servers that did not end after their client. */
  readonly stuckServers: number;
  /** Files that are left in the temporary folder when all servers have ended. */
  readonly leftFiles: number;
  readonly clients: readonly CallClientFigures[];
}

/** Every fourth client dies now and then, or its server does; the servers of the others are measured. */
const mortalEvery = 4;
const defaultClients = 8;
/** Calls that a client has under way at once. */
const lanes = 8;
/** Between two samples of memory and descriptors, which are taken when no call is under way. */
const callsPerRest = 200;
/** Between two edits of the instance, in ms. */
const shortestEditMs = 50;
const longestEditMs = 500;
const defaultRestMs = 30_000;
const pollMs = 100;

/** Makes calls that misbehave, by the seed, on servers that share one instance, and says what was lost, left or grew. */
export async function soakCalls(options: CallSoakOptions): Promise<CallSoakOutcome> {
  const instance = new CallInstance(new SeededRandom(options.seed));
  const soak = new CallSoak(options, instance);
  try {
    return await soak.run();
  } finally {
    soak.kill();
    instance.remove();
  }
}

class CallSoak {
  readonly #options: CallSoakOptions;
  readonly #instance: CallInstance;
  readonly #random: SeededRandom;
  readonly #plan: CallPlan;
  readonly #deaths: DeathPlan;
  readonly #clients: CallingClient[] = [];
  readonly #samples: ServerFigures[][] = [];
  readonly #made: (PlannedCall & { readonly fate: () => Fate })[] = [];
  readonly #named = new Set<number>();
  #planned = 0;
  #orphans = 0;
  #reported = 0;
  #untold = 0;

  constructor(options: CallSoakOptions, instance: CallInstance) {
    this.#options = options;
    this.#instance = instance;
    this.#plan = new CallPlan(new SeededRandom(options.seed));
    // How often these are asked depends on the time, so the calls must not.
    this.#deaths = new DeathPlan(new SeededRandom(options.seed));
    this.#random = new SeededRandom(options.seed);
  }

  async run(): Promise<CallSoakOutcome> {
    const began = performance.now();
    const { calls, clients = defaultClients } = this.#options;
    for (let i = 0; i < clients; i++) await this.#startClient(i);
    while (this.#planned < calls) {
      await this.#makeCalls(Math.min(this.#planned + callsPerRest, calls));
      await this.#rest();
      await this.#sample();
    }
    await Promise.all(this.#clients.map((client) => client.stop()));
    return this.#outcome((performance.now() - began) / 1000);
  }

  /** Leaves no process of its own. */
  kill(): void {
    for (const client of this.#clients) client.kill();
    for (const { pid } of this.#marked()) kill(pid, 'SIGKILL');
  }

  async #startClient(i: number): Promise<void> {
    const era: Era = i % 2 === 0 ? '2025-11-25' : '2026-07-28';
    const { cli, log } = this.#options;
    const client = await CallingClient.start({
      ...{ cli, root: this.#instance.root, era },
      env: { ...process.env, TMPDIR: this.#instance.temporary },
      onErrorText: (text) => {
        for (const number of numbersIn(text)) this.#named.add(number);
        log?.(labelOf(i), text);
      },
    });
    this.#clients.push(client);
    this.#samples.push([]);
  }

  /** Until so many have been made in all. */
  async #makeCalls(until: number): Promise<void> {
    const editing = new AbortController();
    const edits = this.#editUntil(editing.signal);
    const all = this.#clients.flatMap((client, i) =>
      Array.from({ length: lanes }, () => this.#callUntil(client, isMortal(i), until)),
    );
    await Promise.all(all);
    editing.abort();
    await edits;
    for (const client of this.#clients) await client.settled();
  }

  async #callUntil(client: CallingClient, mortal: boolean, until: number): Promise<void> {
    while (this.#planned < until) {
      this.#planned += 1;
      const call = this.#plan.next();
      const death = mortal ? this.#deaths.next() : undefined;
      const made = this.#make(client, call);
      if (death !== undefined) void delay(death.afterMs).then(() => client.die(death.death));
      await made;
    }
  }

  async #make(client: CallingClient, call: PlannedCall): Promise<void> {
    this.#made.push({ ...call, fate: await client.call(call) });
  }

  async #editUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#instance.edit();
      await delay(this.#random.between(shortestEditMs, longestEditMs), undefined, { signal }).catch(() => {});
    }
  }

  /** Waits until nothing of a call is under way, and judges what still runs. */
  async #rest(): Promise<void> {
    const deadline = performance.now() + (this.#options.restMs ?? defaultRestMs);
    const isLate = (): boolean => performance.now() > deadline;
    while (!isLate() && this.#instance.records().some(({ outcome }) => outcome === null)) await delay(pollMs);
    let left = judgeLeft(this.#marked(), this.#calls(), this.#named);
    while (!isLate() && left.orphans.length > 0) {
      await delay(pollMs);
      left = judgeLeft(this.#marked(), this.#calls(), this.#named);
    }
    this.#orphans += left.orphans.length;
    this.#reported += left.reported.length;
    this.#untold += left.untold.length;
    for (const { pid, argv } of left.orphans) {
      const call = this.#calls().find(({ n }) => n === callOfSleeper(argv));
      const of = call === undefined ? 'of no known call' : `of ${describeCall(call)}`;
      this.#options.onFault(`orphan ${pid}: ${argv.join(' ')}, ${of}`);
    }
    for (const { pid } of Object.values(left).flat()) kill(pid, 'SIGKILL');
  }

  async #sample(): Promise<void> {
    const measured = [...this.#clients.entries()].filter(([i]) => !isMortal(i));
    await Promise.all(
      measured.map(async ([i, client]) => {
        for (const fault of settlingFaults) await this.#make(client, this.#plan.of(fault));
        this.#samples[i]?.push(await client.figures());
      }),
    );
  }

  /** All but the servers. */
  #marked() {
    const servers = new Set(this.#clients.map(({ server }) => server));
    return markedProcesses('TMPDIR', this.#instance.temporary).filter(({ pid }) => !servers.has(pid));
  }

  #calls(): MadeCall[] {
    return this.#made.map((call) => ({ ...call, fate: call.fate() }));
  }

  #outcome(seconds: number): CallSoakOutcome {
    const calls = this.#calls();
    const records = this.#instance.records();
    const faults = compareRecords(calls, records);
    for (const [kind, found] of Object.entries(faults)) {
      for (const fault of found) this.#options.onFault(`${kind}: ${fault}`);
    }
    const ends = new Map<string, number>();
    for (const { fate } of calls) ends.set(endOf(fate), (ends.get(endOf(fate)) ?? 0) + 1);
    return {
      ...{ calls: calls.length, seconds, ends, faults, records: records.length },
      interrupted: records.filter(({ outcome }) => outcome === 'interrupted').length,
      ...{ orphans: this.#orphans, reportedSurvivors: this.#reported, untoldSurvivors: this.#untold },
      stuckServers: this.#clients.reduce((sum, { stuck }) => sum + stuck, 0),
      leftFiles: this.#instance.leftFiles().length,
      clients: this.#clients.map(({ deaths }, i) => ({
        ...{ client: labelOf(i), deaths },
        samples: this.#samples[i] ?? [],
      })),
    };
  }
}

function isMortal(i: number): boolean {
  return i % mortalEvery === mortalEvery - 1;
}

function labelOf(i: number): string {
  return `client ${i + 1}`;
}

function endOf(fate: Fate): string {
  if (fate.kind === 'answered') return fate.end;
  return fate.kind === 'cancelled' ? 'cancelled' : fate.death;
}

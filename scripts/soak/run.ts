import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../seeded-random.js';
import { type Burst, BurstPlan } from './bursts.js';
import type { ExpectedTool } from './node-file.js';
import type { ProcessFigures } from './process-figures.js';
import { SoakInstance } from './soak-instance.js';
import { type Log, WatchingClient } from './watching-client.js';

export interface SoakOptions {
  /** The built `main.js`. */
  readonly cli: string;
  readonly seed: number;
  /** No burst begins after this many ms, */
  readonly forMs: number;
  /** or after this many bursts. */
  readonly bursts: number;
  /** A client that does not see the truth by then never will. @default 20000 */
  readonly deadlineMs?: number;
  /** Is told of each fault as it is found. */
  readonly onFault: (fault: string) => void;
  /** Takes what the servers say, and which burst begins when. */
  readonly log?: Log;
}

export interface ClientFigures {
  readonly client: string;
  readonly notifications: number;
  readonly lost: number;
  readonly doubled: number;
  readonly samples: readonly ProcessFigures[];
}

export interface Latency {
  /** The name of the burst. */
  readonly burst: string;
  readonly ms: number;
}

export interface SoakOutcome {
  readonly bursts: number;
  readonly edits: number;
  /** One a client and burst whose view was not what the folder says in time. */
  readonly differences: number;
  /** Bursts after which the four digests were not equal in time. */
  readonly digestSplits: number;
  /** From the end of a burst until the last client sees it, for each burst that changes the list. */
  readonly latencies: readonly Latency[];
  readonly clients: readonly ClientFigures[];
}

const firstFiles = 150;
const defaultDeadlineMs = 20_000;
/** After the views are right: the full scan after the last event, and what it could bring, are over. In ms. */
const settleMs = 450;
/** Collecting all garbage after each burst would hide how a server does without. */
const burstsPerSample = 4;
/** So many bursts with a fault end the soak: the rest would repeat it. */
const mostFaults = 10;

/** Edits one instance by the seed, while four servers beside it have a client each, two of either era. */
export async function soak(options: SoakOptions): Promise<SoakOutcome> {
  const { cli, log = () => {} } = options;
  const plan = new BurstPlan(new SeededRandom(options.seed));
  const instance = new SoakInstance(plan.firstFiles(firstFiles));
  const clients: WatchingClient[] = [];
  try {
    for (const [i, era] of (['2025-11-25', '2026-07-28', '2025-11-25', '2026-07-28'] as const).entries()) {
      clients.push(await WatchingClient.start(cli, instance.root, era, `${era} #${(i >> 1) + 1}`, log));
    }
    const outcome = await new Soak(options, plan, instance, clients).run();
    await Promise.all(clients.map((client) => client.stop()));
    return outcome;
  } finally {
    for (const client of clients) client.kill();
    instance.remove();
  }
}

class Soak {
  readonly #options: SoakOptions;
  readonly #plan: BurstPlan;
  readonly #instance: SoakInstance;
  readonly #clients: readonly WatchingClient[];
  readonly #samples: ProcessFigures[][];
  readonly #latencies: Latency[] = [];
  #expected: ReadonlyMap<string, ExpectedTool> = new Map();
  #bursts = 0;
  #edits = 0;
  #differences = 0;
  #digestSplits = 0;
  #faults = 0;

  constructor(options: SoakOptions, plan: BurstPlan, instance: SoakInstance, clients: readonly WatchingClient[]) {
    this.#options = options;
    this.#plan = plan;
    this.#instance = instance;
    this.#clients = clients;
    this.#samples = clients.map(() => []);
  }

  async run(): Promise<SoakOutcome> {
    const end = performance.now() + this.#options.forMs;
    this.#expected = this.#instance.expected(this.#expected);
    await this.#sample();
    while (performance.now() < end && this.#bursts < this.#options.bursts && this.#faults < mostFaults) {
      await this.#burst(this.#plan.next(this.#instance.files()));
    }
    return {
      bursts: this.#bursts,
      edits: this.#edits,
      differences: this.#differences,
      digestSplits: this.#digestSplits,
      latencies: this.#latencies,
      clients: this.#clients.map(({ label, notifications, ledger: { lost, doubled } }, i) => {
        return { client: label, notifications, lost, doubled, samples: this.#samples[i] ?? [] };
      }),
    };
  }

  async #burst(burst: Burst): Promise<void> {
    const before = this.#clients.map(countsOf);
    for (const { label } of this.#clients) this.#options.log?.(label, `--- burst ${this.#bursts + 1}: ${burst.name}\n`);
    await this.#instance.apply(burst);
    this.#bursts += 1;
    this.#edits += burst.edits.length;
    this.#expected = this.#instance.expected(this.#expected);
    const applied = performance.now();
    const deadline = applied + (this.#options.deadlineMs ?? defaultDeadlineMs);
    await this.#untilAllSee(deadline);
    if (!burst.isSilent) this.#latencies.push({ burst: burst.name, ms: performance.now() - applied });
    await delay(settleMs);
    const faults = [...(await this.#compare(deadline)), ...this.#miscounted(before, burst)];
    if (faults.length > 0) this.#faults += 1;
    for (const fault of faults) this.#options.onFault(`burst ${this.#bursts} (${burst.name}): ${fault}`);
    if (this.#bursts % burstsPerSample === 0) await this.#sample();
  }

  async #sample(): Promise<void> {
    const figures = await Promise.all(this.#clients.map((client) => client.figures()));
    for (const [i, found] of figures.entries()) this.#samples[i]?.push(found);
  }

  async #untilAllSee(deadline: number): Promise<void> {
    let wake = (): void => {};
    let isLate = false;
    for (const client of this.#clients) client.onRest = () => wake();
    const giveUp = (): void => {
      isLate = true;
      wake();
    };
    const timer = setTimeout(giveUp, Math.max(0, deadline - performance.now()));
    while (!isLate && !this.#clients.every((client) => client.sees(this.#expected))) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    clearTimeout(timer);
  }

  /** Every client asks by itself. What is not in the list, such as a problem, may come later than the list. */
  async #compare(deadline: number): Promise<string[]> {
    for (;;) {
      await Promise.all(this.#clients.map((client) => client.look()));
      const differing = this.#clients.filter((client) => !client.sees(this.#expected));
      const digests = new Set(this.#clients.map(({ digest }) => digest));
      if (differing.length === 0 && digests.size === 1) return [];
      if (performance.now() > deadline) return this.#describe(differing, digests.size);
      await delay(100);
    }
  }

  #describe(differing: readonly WatchingClient[], digests: number): string[] {
    this.#differences += differing.length;
    if (digests > 1) this.#digestSplits += 1;
    const views = differing.map((client) => {
      const found = client.differences(this.#expected);
      return `${client.label} differs in ${found.length}: ${found.slice(0, 3).join('; ')}`;
    });
    return digests > 1 ? [...views, `${digests} different digests`] : views;
  }

  #miscounted(before: readonly Counts[], { isSilent }: Burst): string[] {
    return this.#clients.flatMap((client, i) => {
      const was = before[i] ?? countsOf(client);
      const told = client.notifications - was.notifications;
      // A list that changed and changed back was told of truly, but nothing that a client sees should have changed.
      if (isSilent && client.ledger.doubled === was.doubled) client.ledger.doubled += told;
      const lost = client.ledger.lost - was.lost;
      const doubled = client.ledger.doubled - was.doubled;
      if (lost + doubled === 0) return [];
      return [`${client.label} was told ${told} times: ${lost} lost, ${doubled} doubled, or of what must not change`];
    });
  }
}

interface Counts {
  readonly notifications: number;
  readonly lost: number;
  readonly doubled: number;
}

function countsOf({ notifications, ledger: { lost, doubled } }: WatchingClient): Counts {
  return { notifications, lost, doubled };
}

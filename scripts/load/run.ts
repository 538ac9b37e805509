import { setTimeout as delay } from 'node:timers/promises';
import { type Era, eras } from '../protocol-era.js';
import { SeededRandom } from '../seeded-random.js';
import { ServedPort } from '../served-port.js';
import { collectingOptions, type ServerFigures, ServerMeter } from '../soak/server-meter.js';
import { KnownLists } from './known-lists.js';
import { type Act, LoadClient, type LoadObserver } from './load-client.js';
import { LoadInstance } from './load-instance.js';

export interface LoadOptions {
  /** The built `main.js`. */
  readonly cli: string;
  readonly seed: number;
  /** Half of them of either era. */
  readonly clients: number;
  /** Tools that are listed and do not change, beside those that do. */
  readonly tools: number;
  /** How long the clients work before anything is measured, and then while it is. */
  readonly warmUpMs: number;
  readonly forMs: number;
  /** Mean pause of a client between two acts. */
  readonly pauseMs: number;
  /** A client that is not told of a change by then never will be. @default 20000 */
  readonly deadlineMs?: number;
  /** Is told of each fault as it is found. */
  readonly onFault: (fault: string) => void;
  /** Takes what the server says. */
  readonly log?: (text: string) => void;
}

export interface TimedAct {
  readonly era: Era;
  readonly act: Act;
  readonly ms: readonly number[];
}

export interface LoadOutcome {
  readonly clients: number;
  readonly seconds: number;
  /** Changes of what clients see, and of what only the graph has. */
  readonly rounds: number;
  readonly silentRounds: number;
  /** Clients that were closed and opened again. */
  readonly reopened: number;
  /** From a change of the file until the last client is told, one a round. */
  readonly toldMs: readonly number[];
  readonly notifications: number;
  readonly lost: number;
  readonly doubled: number;
  readonly lists: number;
  readonly tornLists: number;
  /** Answers that were none, or not what was asked for. */
  readonly errors: number;
  readonly acts: readonly TimedAct[];
  /** Without a client: when it had just begun, after the warm-up, and after the load. */
  readonly fresh: ServerFigures;
  readonly before: ServerFigures;
  readonly after: ServerFigures;
}

/** Before each round, so many clients leave and are replaced. */
const reopenedEachRound = 4;
/** One round of so many changes nothing that a client sees. */
const silentEvery = 5;
/** After all are told: the full scan after the last event, and what it could bring, are over. In ms. */
const settleMs = 450;
const defaultDeadlineMs = 20_000;
/** So many faults end the load: the rest would repeat them. */
const mostFaults = 100;
/** How many clients connect at once. */
const openedAtOnce = 20;

/** Has clients of both eras work on one server over HTTP while its nodes change, and says what was wrong, how long it took and what is left. */
export async function load(options: LoadOptions): Promise<LoadOutcome> {
  const instance = new LoadInstance(options.tools);
  const meter = new ServerMeter();
  let server: ServedPort | undefined;
  try {
    server = await ServedPort.toolgraph(options.cli, instance.root, {
      nodeOptions: collectingOptions,
      onErrorText: (text) => {
        meter.hear(text);
        options.log?.(text);
      },
    });
    return await new Load(options, instance, server, meter).run();
  } finally {
    await server?.stop();
    instance.remove();
  }
}

class Load implements LoadObserver {
  readonly #options: LoadOptions;
  readonly #instance: LoadInstance;
  readonly #server: ServedPort;
  readonly #meter: ServerMeter;
  readonly #random: SeededRandom;
  readonly #known: KnownLists;
  readonly #clients: LoadClient[] = [];
  readonly #times = new Map<string, { era: Era; act: Act; ms: number[] }>();
  readonly #toldMs: number[] = [];
  #isMeasured = false;
  #served = 0;
  #rounds = 0;
  #silentRounds = 0;
  #reopened = 0;
  #notifications = 0;
  #lost = 0;
  #doubled = 0;
  #lists = 0;
  #tornLists = 0;
  #errors = 0;
  #wake: () => void = () => {};

  constructor(options: LoadOptions, instance: LoadInstance, server: ServedPort, meter: ServerMeter) {
    this.#options = options;
    this.#instance = instance;
    this.#server = server;
    this.#meter = meter;
    this.#random = new SeededRandom(options.seed);
    this.#known = new KnownLists((round) => instance.toolsOf(round));
  }

  async run(): Promise<LoadOutcome> {
    const { clients, warmUpMs, forMs } = this.#options;
    const first = await this.#open(0);
    await first.close();
    const fresh = await this.#meter.figures(this.#server.process);
    await this.#workFor(warmUpMs);
    const before = await this.#meter.restingFigures(this.#server.process);
    this.#isMeasured = true;
    const began = performance.now();
    await this.#workFor(forMs);
    const seconds = (performance.now() - began) / 1000;
    const after = await this.#meter.restingFigures(this.#server.process);
    return {
      ...{ clients, seconds, fresh, before, after },
      ...{ rounds: this.#rounds, silentRounds: this.#silentRounds, reopened: this.#reopened, toldMs: this.#toldMs },
      ...{ notifications: this.#notifications, lost: this.#lost, doubled: this.#doubled },
      ...{ lists: this.#lists, tornLists: this.#tornLists, errors: this.#errors, acts: [...this.#times.values()] },
    };
  }

  servedRound(): number {
    return this.#served;
  }

  took(era: Era, act: Act, ms: number): void {
    if (!this.#isMeasured) return;
    const key = `${era} ${act}`;
    const timed = this.#times.get(key) ?? { era, act, ms: [] };
    timed.ms.push(ms);
    this.#times.set(key, timed);
  }

  listed(listed: Parameters<LoadObserver['listed']>[0], earliest: number): void {
    this.#lists += 1;
    const fault = this.#known.faultOf({ ...listed, earliest, latest: this.#instance.round });
    if (fault === undefined) return;
    this.#tornLists += 1;
    this.#options.onFault(fault);
  }

  told(): void {
    this.#notifications += 1;
    this.#served = this.#instance.round;
    this.#wake();
  }

  fault(words: string): void {
    this.#errors += 1;
    this.#options.onFault(words);
  }

  async #workFor(ms: number): Promise<void> {
    const { clients, pauseMs } = this.#options;
    while (this.#clients.length < clients) {
      const next = Array.from({ length: Math.min(openedAtOnce, clients - this.#clients.length) }, (_, i) => i);
      this.#clients.push(...(await Promise.all(next.map((i) => this.#open(this.#clients.length + i)))));
    }
    for (const client of this.#clients) client.start(pauseMs);
    const end = performance.now() + ms;
    let rounds = 0;
    do {
      await (++rounds % silentEvery === 0 ? this.#silentRound() : this.#round());
      await this.#reopen();
    } while (performance.now() < end && this.#faults < mostFaults);
    await Promise.all(this.#clients.map((client) => client.stop()));
    await Promise.all(this.#clients.map((client) => client.close()));
    this.#clients.length = 0;
  }

  #open(i: number): Promise<LoadClient> {
    const era = eras[i % eras.length] ?? eras[0];
    const random = new SeededRandom(this.#options.seed + i);
    return LoadClient.open(this.#server.url, era, { label: `client ${i + 1} (${era})`, observer: this, random });
  }

  async #reopen(): Promise<void> {
    const leaving = this.#random.sample([...this.#clients.keys()], reopenedEachRound);
    await Promise.all(
      leaving.map(async (i) => {
        await this.#clients[i]?.stop();
        await this.#clients[i]?.close();
        const client = await this.#open(i);
        client.start(this.#options.pauseMs);
        this.#clients[i] = client;
      }),
    );
    this.#reopened += leaving.length;
  }

  async #round(): Promise<void> {
    for (const client of this.#clients) client.told = 0;
    this.#rounds += 1;
    const began = performance.now();
    this.#instance.nextRound();
    await this.#untilAllAreTold(began + (this.#options.deadlineMs ?? defaultDeadlineMs));
    if (this.#isMeasured) this.#toldMs.push(performance.now() - began);
    await delay(settleMs);
    this.#count(1);
  }

  async #silentRound(): Promise<void> {
    for (const client of this.#clients) client.told = 0;
    this.#silentRounds += 1;
    this.#instance.changeSkills();
    await delay(2 * settleMs);
    this.#count(0);
  }

  async #untilAllAreTold(deadline: number): Promise<void> {
    let isLate = false;
    const giveUp = (): void => {
      isLate = true;
      this.#wake();
    };
    const timer = setTimeout(giveUp, Math.max(0, deadline - performance.now()));
    while (!isLate && this.#clients.some(({ told }) => told === 0)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    clearTimeout(timer);
  }

  /** Compares how often each client was told in this round with how often it should have been. */
  #count(due: 0 | 1): void {
    for (const { label, told } of this.#clients) {
      if (told === due) continue;
      this.#lost += Math.max(0, due - told);
      this.#doubled += Math.max(0, told - due);
      this.#options.onFault(`round ${this.#instance.round}: ${label} was told ${told} times, and ${due} was due`);
    }
  }

  get #faults(): number {
    return this.#lost + this.#doubled + this.#tornLists + this.#errors;
  }
}

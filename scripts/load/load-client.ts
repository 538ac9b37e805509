import { setTimeout as delay } from 'node:timers/promises';
import { ListeningClient } from '../listening-client.js';
import type { Era, JsonObject, ListedTools } from '../protocol-era.js';
import type { SeededRandom } from '../seeded-random.js';
import { type CalledTool, calledTools } from './load-instance.js';

/**
 * What a client does, by the name under which it is timed. `ping` is `server/discover` in 2026-07-28, which has no ping; `list_when_told` is what
 * all clients do at once when the list has changed.
 */
export const acts = ['ping', 'list', 'list_when_told', ...calledTools] as const;
export type Act = (typeof acts)[number];

/** What the clients tell of, and what they have to know. */
export interface LoadObserver {
  /** The newest round that some client was told of: what is asked from now on may not be older. */
  servedRound(): number;
  took(era: Era, act: Act, ms: number): void;
  /** `earliest` is what `servedRound` said when the list was asked for. */
  listed(listed: ListedTools, earliest: number): void;
  told(): void;
  fault(words: string): void;
}

/** How likely each act is. A process costs most, and there are two cores. */
const shares: readonly (readonly [Act, number])[] = [
  ['ping', 0.25],
  ['list', 0.4],
  ['by_function', 0.25],
  ['by_process', 0.1],
];

/** A client that lists, calls and pings with pauses in between, and reads the list whenever it is told of a change. */
export class LoadClient {
  /** How often it was told of a change since this was set to 0. */
  told = 0;
  readonly label: string;
  readonly #client: ListeningClient;
  readonly #observer: LoadObserver;
  readonly #random: SeededRandom;
  #stopping = new AbortController();
  #work: Promise<void> = Promise.resolve();
  readonly #reads = new Set<Promise<void>>();

  private constructor(label: string, client: ListeningClient, observer: LoadObserver, random: SeededRandom) {
    this.label = label;
    this.#client = client;
    this.#observer = observer;
    this.#random = random;
  }

  static async open(
    url: URL,
    era: Era,
    { label, observer, random }: { label: string; observer: LoadObserver; random: SeededRandom },
  ): Promise<LoadClient> {
    let onListChanged = (): void => {};
    const client = await ListeningClient.open(url, era, {
      onListChanged: () => onListChanged(),
      onStreamEnd: () => observer.fault(`the stream of ${label} has ended`),
    });
    const self = new LoadClient(label, client, observer, random);
    onListChanged = () => self.#beTold();
    return self;
  }

  /** Acts until it is stopped, with pauses of 0 to twice `pauseMs`, so that not all clients act at once. */
  start(pauseMs: number): void {
    this.#stopping = new AbortController();
    this.#work = this.#workOn(pauseMs, this.#stopping.signal);
  }

  /** When what it has begun is answered. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#work, ...this.#reads]);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #workOn(pauseMs: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(this.#random.next() * 2 * pauseMs, undefined, { signal }).catch(() => {});
      if (!signal.aborted) await this.#act(this.#nextAct());
    }
  }

  #nextAct(): Act {
    let left = this.#random.next();
    for (const [act, share] of shares) {
      left -= share;
      if (left < 0) return act;
    }
    return 'list';
  }

  async #act(act: Act): Promise<void> {
    const began = performance.now();
    try {
      await this.#do(act);
      this.#observer.took(this.#client.era, act, performance.now() - began);
    } catch (error) {
      this.#observer.fault(`${this.label}: ${act}: ${String(error)}`);
    }
  }

  #do(act: Act): Promise<unknown> {
    if (act === 'list' || act === 'list_when_told') return this.#list();
    if (act !== 'ping') return this.#call(act);
    return this.#client.request(this.#client.era === '2025-11-25' ? 'ping' : 'server/discover');
  }

  async #list(): Promise<void> {
    const earliest = this.#observer.servedRound();
    this.#observer.listed(await this.#client.list(), earliest);
  }

  async #call(tool: CalledTool): Promise<void> {
    const text = `${this.label}, ${this.#random.next()}`;
    const result = await this.#client.request('tools/call', { name: tool, arguments: { text } });
    const [content] = result.content as readonly JsonObject[];
    if (result.isError !== true && content?.text === text) return;
    this.#observer.fault(`${this.label}: ${tool} gave ${JSON.stringify(result.content)} for ${JSON.stringify(text)}`);
  }

  #beTold(): void {
    this.told += 1;
    this.#observer.told();
    const read = this.#act('list_when_told').finally(() => this.#reads.delete(read));
    this.#reads.add(read);
  }
}

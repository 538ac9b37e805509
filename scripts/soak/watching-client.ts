import type { Era, ListedTools } from '../protocol-era.js';
import { StdioClient } from '../stdio-client.js';
import type { ExpectedTool } from './node-file.js';
import { type ListState, NotificationLedger } from './notification-ledger.js';
import { collectingOptions, type ServerFigures, ServerMeter } from './server-meter.js';

/** Takes what the server of a client says in words. */
export type Log = (client: string, text: string) => void;

/**
 * A client that does what the protocol asks: it reads the list once, and again after each notification. While it is at that it is busy;
 * from one rest to the next it is counted whether it was told as often as the list changed.
 */
export class WatchingClient {
  readonly label: string;
  readonly ledger: NotificationLedger;
  notifications = 0;
  /** Called when the client comes to rest after a notification. */
  onRest: () => void = () => {};
  readonly #client: StdioClient;
  readonly #meter: ServerMeter;
  #listed: ListedTools;
  #isStale = false;
  #busy: Promise<void> | undefined;

  private constructor(client: StdioClient, meter: ServerMeter, label: string, listed: ListedTools) {
    this.#client = client;
    this.#meter = meter;
    this.label = label;
    this.#listed = listed;
    this.ledger = new NotificationLedger(stateOf(listed));
    client.onListChanged = () => this.#beTold();
  }

  /** Starts a server of its own, the stderr of which goes to `log`. */
  static async start(cli: string, root: string, era: Era, label: string, log: Log): Promise<WatchingClient> {
    const meter = new ServerMeter();
    const client = await StdioClient.start(cli, root, era, {
      nodeOptions: collectingOptions,
      onErrorText: (text) => {
        meter.hear(text);
        log(label, text);
      },
    });
    return new WatchingClient(client, meter, label, await client.list());
  }

  /** What its server holds, once the garbage is collected. */
  figures(): Promise<ServerFigures> {
    return this.#meter.figures(this.#client.process);
  }

  get digest(): string {
    return this.#listed.generation.digest;
  }

  /** Whether it is at rest, and the last list that it read has exactly these tools. */
  sees(expected: ReadonlyMap<string, ExpectedTool>): boolean {
    return this.#busy === undefined && this.differences(expected).length === 0;
  }

  /** In what the last list that it read differs, in words. */
  differences(expected: ReadonlyMap<string, ExpectedTool>): string[] {
    const listed = new Map(this.#listed.tools.map(({ name, description }) => [name, description]));
    const found: string[] = [];
    for (const { name, description } of expected.values()) {
      const actual = listed.get(name);
      listed.delete(name);
      if (actual === undefined) found.push(`${name} is missing`);
      else if (actual !== description)
        found.push(`${name} is "${actual.slice(0, 30)}", not "${description.slice(0, 30)}"`);
    }
    return [...found, ...[...listed.keys()].map((name) => `${name} is listed`)];
  }

  /** Reads the list without having been told anything, and counts a change of it as lost. */
  async look(): Promise<void> {
    while (this.#busy !== undefined) await this.#busy;
    this.#isStale = true;
    await this.#readUntilFresh();
  }

  stop(): Promise<void> {
    return this.#client.stop();
  }

  kill(): void {
    this.#client.process.kill();
  }

  #beTold(): void {
    this.notifications += 1;
    this.ledger.told();
    this.#isStale = true;
    if (this.#busy === undefined)
      void this.#readUntilFresh().then(
        () => this.onRest(),
        () => this.onRest(),
      );
  }

  #readUntilFresh(): Promise<void> {
    this.#busy = this.#readAll().finally(() => {
      this.#busy = undefined;
    });
    return this.#busy;
  }

  /** What is told while a list is on its way may be of a later one, so the list is read again. */
  async #readAll(): Promise<void> {
    let listed = this.#listed;
    while (this.#isStale) {
      this.#isStale = false;
      listed = await this.#client.list();
    }
    this.#listed = listed;
    this.ledger.rest(stateOf(listed));
  }
}

function stateOf({ tools, generation }: ListedTools): ListState {
  return { bytes: JSON.stringify(tools), number: generation.number };
}

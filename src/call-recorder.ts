import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from './error-message.js';
import { type CallRecord, type CallRecorder, UnwritableRecord } from './invocation/call-record.js';
import { endLeftOfServer } from './invocation/left-behind.js';
import { endLeftover } from './invocation/leftovers.js';
import { childIdentity, processIdentity } from './invocation/process-identity.js';
import type { InterruptedCall, Retention, ServerIdentity } from './store/invocation-table.js';
import type { RecordStore } from './store/record-store.js';
import { StoreError } from './store/store-error.js';

/** How long a record waits for the lock of another process in all, and between two attempts, in ms. */
const patienceMs = 5_000;
const pauseMs = 10;
/** So many calls are recorded between two looks for records that are to be dropped. */
const callsBetweenDrops = 100;
/** Ends that could not be written are kept, to be written when that is possible again. */
const maxUnwritten = 1_000;

export interface CallRecorderOptions {
  /** What the config says now. */
  readonly retention: () => Retention;
  readonly onNotice: (words: string) => void;
}

/** Writes the records of the calls of this process. While another process has the lock, all but the call itself goes on. */
export class StoredCalls implements CallRecorder {
  readonly #records: RecordStore;
  readonly #options: CallRecorderOptions;
  #server: Promise<ServerIdentity> | undefined;
  readonly #unwritten = new Map<string, CallRecord>();
  #waiting: Promise<void> | undefined;
  #isEnding = false;
  #sinceDrop = 0;
  #failure: string | undefined;

  constructor(records: RecordStore, options: CallRecorderOptions) {
    this.#records = records;
    this.#options = options;
  }

  async put(record: CallRecord): Promise<void> {
    try {
      const server = await this.#identity();
      await this.#whenUnlocked(() => this.#records.putCall(record, server));
      this.#failure = undefined;
      this.#writeUnwritten(server);
    } catch (error) {
      if (record.end !== undefined && this.#unwritten.size < maxUnwritten) this.#unwritten.set(record.id, record);
      throw this.#told(error);
    }
    if (record.end !== undefined) this.#dropSometimes();
  }

  async leads(id: string, pid: number, known?: string): Promise<void> {
    const identity = known ?? (await childIdentity(pid));
    if (identity === undefined) return;
    try {
      await this.#whenUnlocked(() => this.#records.setLeader(id, { pid, identity }));
    } catch (error) {
      this.#told(error);
    }
  }

  /**
   * Marks the calls of servers that have gone as interrupted, and ends what those calls left running; then drops what is more than is
   * kept. Never rejects: what fails is a notice, and the next start tries again.
   */
  async sweep(): Promise<void> {
    try {
      const gone: ServerIdentity[] = [];
      const interrupted: InterruptedCall[] = [];
      for (const server of await this.#whenUnlocked(() => this.#records.serversWithCalls())) {
        if ((await processIdentity(server.pid)) === server.identity) continue;
        gone.push(server);
        interrupted.push(...(await this.#whenUnlocked(() => this.#records.interrupt(server, new Date()))));
      }
      if (interrupted.length > 0) this.#options.onNotice(interruptedWords(interrupted));
      const uncertain: UncertainGroup[] = [];
      for (const call of interrupted) uncertain.push(...(await this.#endLeftover(call)));
      const ended: number[] = [];
      for (const server of gone) ended.push(...(await this.#endCgroup(server)));
      this.#tellUncertain(uncertain, new Set(ended));
      while (!this.#isEnding && (await this.#whenUnlocked(() => this.#drop())) > 0) await delay(pauseMs);
    } catch (error) {
      this.#told(error);
    }
  }

  /** No more records are dropped: that can wait for the next start. */
  end(): void {
    this.#isEnding = true;
  }

  /** The last attempt to write what could not be written. */
  async close(): Promise<void> {
    if (this.#unwritten.size > 0) this.#writeUnwritten(await this.#identity());
  }

  async #endLeftover({ name, leader }: InterruptedCall): Promise<UncertainGroup[]> {
    if (leader === undefined) return [];
    const end = await endLeftover({ pid: leader.pid, identity: leader.identity });
    if (end.kind === 'uncertain') return [{ name, members: end.members }];
    if (end.kind === 'gone') return [];
    const survivors = end.survivors.length === 0 ? '' : `; not reached: ${end.survivors.join(', ')}`;
    this.#options.onNotice(`ended the process group ${leader.pid} of a call of ${leftoverWords(name)}${survivors}`);
    return [];
  }

  async #endCgroup(server: ServerIdentity): Promise<readonly number[]> {
    const ended = await endLeftOfServer(server);
    if (ended.length > 0) {
      this.#options.onNotice(
        `ended the processes ${ended.join(', ')}: calls of an earlier server of this instance, process ${server.pid}, left them running`,
      );
    }
    return ended;
  }

  #tellUncertain(groups: readonly UncertainGroup[], ended: ReadonlySet<number>): void {
    for (const { name, members } of groups) {
      const alive = members.filter((pid) => !ended.has(pid));
      if (alive.length === 0) continue;
      this.#options.onNotice(
        `the processes ${alive.join(', ')} may be of a call of ${leftoverWords(name)}; that is not certain, so they were left alone: end them yourself`,
      );
    }
  }

  /** Tries again while another process has the lock. One tries for all who wait: each attempt keeps everything else waiting. */
  async #whenUnlocked<T>(act: () => T): Promise<T> {
    const deadline = performance.now() + patienceMs;
    while (this.#waiting !== undefined) await this.#waiting;
    try {
      return act();
    } catch (error) {
      if (!isLocked(error)) throw error;
    }
    const trying = tryUntil(deadline, act);
    this.#waiting = trying.then(
      () => this.#endWaiting(),
      () => this.#endWaiting(),
    );
    return trying;
  }

  #endWaiting(): void {
    this.#waiting = undefined;
  }

  #identity(): Promise<ServerIdentity> {
    const { pid } = process;
    this.#server ??= processIdentity(pid).then((identity = 'unknown') => ({ pid, identity }));
    return this.#server;
  }

  /** At the first failure they stay for the next time. */
  #writeUnwritten(server: ServerIdentity): void {
    try {
      for (const [id, record] of this.#unwritten) {
        this.#records.putCall(record, server);
        this.#unwritten.delete(id);
      }
    } catch (error) {
      this.#told(error);
    }
  }

  #dropSometimes(): void {
    this.#sinceDrop += 1;
    if (this.#sinceDrop < callsBetweenDrops) return;
    try {
      this.#drop();
      this.#sinceDrop = 0;
    } catch (error) {
      this.#told(error);
    }
  }

  #drop(): number {
    return this.#records.dropCalls(this.#options.retention(), new Date());
  }

  /** Says a failure once, until something was written again. */
  #told(error: unknown): UnwritableRecord {
    const words = errorMessage(error);
    if (words !== this.#failure) this.#options.onNotice(`a call could not be recorded: ${words}`);
    this.#failure = words;
    return new UnwritableRecord(error instanceof StoreError ? words : 'toolgraph itself failed', { cause: error });
  }
}

/** What is left of a call's group without the process that led it. */
interface UncertainGroup {
  readonly name: string;
  readonly members: readonly number[];
}

function leftoverWords(name: string): string {
  return `${name}, which an earlier server of this instance left running`;
}

function interruptedWords(calls: readonly InterruptedCall[]): string {
  const [first] = calls;
  const names =
    calls.length === 1 ? `a call of ${first?.name}` : `${calls.length} calls, of ${first?.name} and others,`;
  return `${names} had no end when an earlier server of this instance ended; recorded as interrupted (toolgraph log)`;
}

async function tryUntil<T>(deadline: number, act: () => T): Promise<T> {
  for (;;) {
    await delay(pauseMs);
    try {
      return act();
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error;
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'busy';
}

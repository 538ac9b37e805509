import { Worker } from 'node:worker_threads';
import { builtModule } from '../built-module.js';

/** In milliseconds, and only against a machine that is stuck: loading takes less than one second. */
const loadTimeoutMs = 60_000;
const maxMemoryMb = 512;

/** One worker thread, started when it is needed; ended, and started again, when an answer takes too long or too much memory. */
export class BoundedThread<Question, Reply> {
  readonly #file: URL;
  readonly #isReady: (reply: Reply) => boolean;
  #worker: Worker | undefined;
  /** Of the last thread that was told to end. */
  #ending: Promise<unknown> | undefined;

  /** `name` is that of a file of this folder; it says with a reply that `isReady` knows when its libraries are loaded. */
  constructor(name: string, isReady: (reply: Reply) => boolean) {
    this.#file = builtModule(`patterns/${name}`);
    this.#isReady = isReady;
  }

  /**
   * One question at a time. Gives each reply to `isLast`, until that says so (true), or the time is over or the thread has ended (false).
   * Rejects when the thread cannot be started.
   */
  async ask(question: Question, timeoutMs: number, isLast: (reply: Reply) => boolean): Promise<boolean> {
    const worker = this.#worker ?? (await this.#start());
    const done = await settled(worker, timeoutMs, isLast, () => worker.postMessage(question));
    if (!done) await this.end();
    return done;
  }

  async end(): Promise<void> {
    if (this.#worker !== undefined) this.#ending = this.#worker.terminate();
    this.#worker = undefined;
    await this.#ending;
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(this.#file, {
      // recheck chooses its backend by this variable; `pure` needs no Java and starts no process.
      env: { RECHECK_BACKEND: 'pure' },
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    });
    // A thread that fails (too much memory, not built) also ends, and its end is what is waited for.
    worker.on('error', () => {});
    this.#worker = worker;
    if (await settled(worker, loadTimeoutMs, this.#isReady)) return worker;
    await this.end();
    throw new Error('the thread that analyses patterns does not start; build toolgraph again (npm run build)');
  }
}

/** Waits until a reply satisfies `isLast` (true), or the time is over or the thread has ended (false). */
function settled<Reply>(
  worker: Worker,
  timeoutMs: number,
  isLast: (reply: Reply) => boolean,
  begin: () => void = () => {},
): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (done: boolean): void => {
      clearTimeout(timer);
      worker.off('message', onReply).off('exit', onEnd);
      resolve(done);
    };
    const onReply = (reply: Reply): void => {
      if (isLast(reply)) finish(true);
    };
    const onEnd = (): void => finish(false);
    const timer = setTimeout(onEnd, timeoutMs);
    worker.on('message', onReply).on('exit', onEnd);
    begin();
  });
}

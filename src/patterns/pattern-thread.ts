import { Worker } from 'node:worker_threads';
import { builtModule } from '../built-module.js';
import type { PatternVerdict } from './verdict.js';
import type { WorkerReply } from './worker.js';

/** In milliseconds, and only against a machine that is stuck: loading takes less than one second. */
const loadTimeoutMs = 60_000;
const maxMemoryMb = 512;

/** One worker thread, started when it is needed; ended, and started again, when a pattern takes too long or too much memory. */
export class PatternThread {
  readonly #timeoutMs: number;
  #worker: Worker | undefined;
  /** Of the last thread that was told to end. */
  #ending: Promise<unknown> | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** One pattern at a time. A part that is not answered in time is `undecided`. Rejects when the thread cannot be started. */
  async analyse(pattern: string): Promise<PatternVerdict> {
    const worker = this.#worker ?? (await this.#start());
    const verdict: { -readonly [K in keyof PatternVerdict]: PatternVerdict[K] } = {
      time: 'undecided',
      argv: { kind: 'undecided', why: `the analysis took more than ${this.#timeoutMs} ms, or too much memory` },
    };
    const done = await settled(
      worker,
      this.#timeoutMs,
      (reply) => {
        if (reply.part === 'argv') verdict.argv = reply.argv;
        if (reply.part === 'time') verdict.time = reply.time;
        return reply.part === 'time';
      },
      () => worker.postMessage(pattern),
    );
    if (done) return verdict;
    await this.end();
    return { ...verdict, provisional: true };
  }

  async end(): Promise<void> {
    if (this.#worker !== undefined) this.#ending = this.#worker.terminate();
    this.#worker = undefined;
    await this.#ending;
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(builtModule('patterns/worker.js'), {
      // recheck chooses its backend by this variable; `pure` needs no Java and starts no process.
      env: { RECHECK_BACKEND: 'pure' },
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    });
    // A thread that fails (too much memory, not built) also ends, and its end is what is waited for.
    worker.on('error', () => {});
    this.#worker = worker;
    if (await settled(worker, loadTimeoutMs, (reply) => reply.part === 'ready')) return worker;
    await this.end();
    throw new Error('the thread that analyses patterns does not start; build toolgraph again (npm run build)');
  }
}

/** Waits until a reply satisfies `isLast` (true), or the time is over or the thread has ended (false). */
function settled(
  worker: Worker,
  timeoutMs: number,
  isLast: (reply: WorkerReply) => boolean,
  begin: () => void = () => {},
): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (done: boolean): void => {
      clearTimeout(timer);
      worker.off('message', onReply).off('exit', onEnd);
      resolve(done);
    };
    const onReply = (reply: WorkerReply): void => {
      if (isLast(reply)) finish(true);
    };
    const onEnd = (): void => finish(false);
    const timer = setTimeout(onEnd, timeoutMs);
    worker.on('message', onReply).on('exit', onEnd);
    begin();
  });
}

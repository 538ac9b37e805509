import { BoundedThread } from './bounded-thread.js';
import type { PatternVerdict } from './verdict.js';
import type { WorkerReply } from './worker.js';

/** The thread that analyses patterns. */
export class PatternThread {
  readonly #timeoutMs: number;
  readonly #thread = new BoundedThread<string, WorkerReply>('worker.js', ({ part }) => part === 'ready');

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** One pattern at a time. A part that is not answered in time is `undecided`. Rejects when the thread cannot be started. */
  async analyse(pattern: string): Promise<PatternVerdict> {
    const verdict: { -readonly [K in keyof PatternVerdict]: PatternVerdict[K] } = {
      time: 'undecided',
      argv: { kind: 'undecided', why: `the analysis took more than ${this.#timeoutMs} ms, or too much memory` },
    };
    const done = await this.#thread.ask(pattern, this.#timeoutMs, (reply) => {
      if (reply.part === 'argv') verdict.argv = reply.argv;
      if (reply.part === 'time') verdict.time = reply.time;
      return reply.part === 'time';
    });
    return done ? verdict : { ...verdict, provisional: true };
  }

  async end(): Promise<void> {
    await this.#thread.end();
  }
}

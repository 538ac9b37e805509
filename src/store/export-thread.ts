import { Worker } from 'node:worker_threads';
import { builtModule } from '../built-module.js';
import type { ExportData, ExportReply } from './export-messages.js';

/** Turtle and TriG need all triples at once. In MiB. */
const heapMegabytes = 512;
/** A reader that takes no piece for so long is gone, in ms: what it holds is not given back as long as it reads. */
const patienceMs = 60_000;

const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * The thread of one export, from the outside, and the pieces that it writes, to be read to the end or left by `return`; a piece that cannot be had
 * is an Error with words for whoever reads. It keeps no process alive while nothing is asked of it.
 */
export class ExportThread implements AsyncIterableIterator<string> {
  readonly #worker: Worker;
  readonly #received: ExportReply[] = [];
  #settle: ((reply: ExportReply) => void) | undefined;
  #end: ExportReply | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** `onEnd` is told when the thread has ended, for whatever reason. */
  constructor(data: ExportData, onEnd: () => void) {
    const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes };
    this.#worker = new Worker(builtModule('store/export-worker.js'), { workerData: data, resourceLimits });
    this.#worker.on('message', (reply: ExportReply) => this.#take(reply));
    this.#worker.on('error', (error) => this.#fail(threadFailure(error)));
    this.#worker.on('exit', () => {
      this.#fail('the thread that writes the graph has ended');
      onEnd();
    });
  }

  /** What the thread says before the first piece. */
  first(): Promise<ExportReply> {
    return this.#next();
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    clearTimeout(this.#idle);
    this.#worker.postMessage('next');
    const reply = await this.#next();
    if (reply.kind === 'piece') return { value: reply.text };
    await this.end();
    if (reply.kind === 'ended') return { done: true, value: undefined };
    throw new Error(reply.kind === 'failed' ? reply.message : reply.kind);
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    await this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle);
    this.#fail('the export was ended');
    await this.#worker.terminate();
  }

  async #next(): Promise<ExportReply> {
    const reply = this.#received.shift() ?? this.#end ?? (await this.#reply());
    if (this.#end === undefined) this.#idle = setTimeout(() => void this.end(), patienceMs).unref();
    return reply;
  }

  #reply(): Promise<ExportReply> {
    this.#worker.ref();
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  #take(reply: ExportReply): void {
    this.#worker.unref();
    const settle = this.#settle;
    this.#settle = undefined;
    if (settle === undefined) this.#received.push(reply);
    else settle(reply);
  }

  #fail(message: string): void {
    if (this.#end !== undefined) return;
    this.#end = { kind: 'failed', message };
    this.#settle?.(this.#end);
    this.#settle = undefined;
  }
}

function threadFailure(error: unknown): string {
  const isFull = error instanceof Error && 'code' in error && error.code === outOfMemory;
  return isFull
    ? `the graph needs more than ${heapMegabytes} MiB to be written in this format; N-Quads and JSON-LD are written piece by piece`
    : 'the thread that writes the graph has failed; ask again';
}

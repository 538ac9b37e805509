import type { Readable } from 'node:stream';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { builtModule } from '../../built-module.js';
import type { Progress } from '../progress.js';
import type { StopReason } from '../running.js';
import { faultOf } from './fault.js';
import { signatureNow } from './loaded-file.js';
import type { AnswerQuery, LoadedFile, QueryAnswer, ThreadReply, ThreadRequest, ThreadStart } from './messages.js';

const workerFile = builtModule('invocation/module/worker.js');

/** How long a call that was told to stop may take to do so, in milliseconds. */
const graceMs = 1000;
const maxMemoryMb = 512;
/** Of what a thread prints, this much is passed on, in UTF-16 code units. */
const printedLength = 64 * 1024;

const cannotAsk = Promise.resolve<QueryAnswer>({ fault: { message: 'there is no graph to ask here' } });
const failed: QueryAnswer = { fault: { message: 'toolgraph itself failed on this query' } };

/** What a request to a thread led to. */
export type ThreadAnswer =
  | Extract<ThreadReply, { kind: 'checked' | 'returned' | 'threw' }>
  | ({ readonly kind: 'stopped'; readonly reason: StopReason } & LoadState)
  /** The thread ended under it; `words` are to be read after "its thread". */
  | ({ readonly kind: 'ended'; readonly words: string } & LoadState);

interface LoadState {
  /** Of a check: the module had been loaded before, so whatever happened, that is not why. */
  readonly loaded?: true;
}

type Asked<R> = R extends { readonly id: number } ? Omit<R, 'id'> : never;
/** A request that has an answer. */
export type Question = Asked<Exclude<ThreadRequest, { kind: 'cancel' | 'answer' }>>;

export interface AskOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Is given a result that is more than `outputBytes`, in pieces. */
  readonly onOverflow?: (bytes: Uint8Array) => void;
  /** Answers what the function asks of the graph. Left out: it cannot ask. */
  readonly onQuery?: AnswerQuery;
}

export interface ThreadOptions {
  /** Of the module and the instance: absolute and without links. */
  readonly file: string;
  readonly root: string;
  /** All that the module finds in process.env. */
  readonly env: Readonly<Record<string, string>>;
  /** It has nothing to do now, or has ended. */
  readonly onIdle: (thread: ModuleThread) => void;
  readonly onEnd: (thread: ModuleThread) => void;
  /** What the module prints, and stacks of what it throws. */
  readonly onPrint: (text: string) => void;
}

interface Pending {
  readonly isCheck: boolean;
  readonly settle: (answer: ThreadAnswer) => void;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onOverflow?: ((bytes: Uint8Array) => void) | undefined;
  readonly onQuery?: AnswerQuery | undefined;
  /** Ends its queries when it is settled: made for the first one, because it takes more than all else that is kept of a call. */
  queries?: AbortController;
  stopping?: StopReason;
  /** After it was told to stop, the thread has said that it is not stuck in a loop. */
  isAlive?: true;
}

/**
 * One worker thread with one module in it. Calls run in it side by side, as in any JavaScript program: a crash, process.exit and a
 * lack of memory end all of them, and so does a loop without end when the time of one is over. One that only waits too long is given
 * up: the thread takes no new calls, and ends when the others have ended.
 */
export class ModuleThread {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #options: ThreadOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #ended: Promise<void>;
  #files: readonly LoadedFile[] = [];
  #loadState: LoadState = {};
  #lastId = 0;
  #printed = 0;
  #endWords = 'has ended';
  #isRetired = false;
  #isOver = false;

  constructor(options: ThreadOptions) {
    const { file, root, env } = options;
    const { port1, port2 } = new MessageChannel();
    this.#options = options;
    this.#port = port1;
    const start: ThreadStart = { port: port2, file, root };
    this.#worker = new Worker(workerFile, {
      workerData: start,
      transferList: [port2],
      env,
      // Flags of the service (--inspect, loaders) are not for the module.
      execArgv: [],
      argv: [],
      stdin: true,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    });
    this.#worker.stdin?.end();
    this.#worker.on('error', (error: unknown) => this.#fail(error));
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        this.#end(code);
        resolve();
      });
    });
    for (const output of [this.#worker.stdout, this.#worker.stderr]) this.#passOn(output);
    port1.on('message', (reply: ThreadReply) => this.#take(reply));
    this.#unref();
  }

  /** Takes no more questions: it has ended, will, or holds a call that was given up. */
  get isRetired(): boolean {
    return this.#isRetired || this.#isOver;
  }

  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  /** The files of the instance of which the module is made, as far as they are loaded. */
  get files(): readonly LoadedFile[] {
    return this.#files;
  }

  /** Whether all files are as they were when they were loaded. */
  get isCurrent(): boolean {
    return this.#files.every(({ path, signature }) => signatureNow(path) === signature);
  }

  /** Never rejects. The time begins now. */
  async ask(
    question: Question,
    { timeoutMs, signal, onProgress, onOverflow, onQuery }: AskOptions,
  ): Promise<ThreadAnswer> {
    if (signal?.aborted) return { kind: 'stopped', reason: 'cancelled' };
    if (this.#isOver) return { kind: 'ended', words: this.#endWords };
    const id = ++this.#lastId;
    this.#worker.ref();
    this.#port.ref();
    const answered = new Promise<ThreadAnswer>((settle) => {
      const isCheck = question.kind === 'check';
      this.#pending.set(id, { isCheck, settle, onProgress, onOverflow, onQuery });
    });
    const timer = setTimeout(() => void this.#stop(id, 'timeout'), Math.min(timeoutMs, 2 ** 31 - 1));
    const cancel = () => void this.#stop(id, 'cancelled');
    signal?.addEventListener('abort', cancel, { once: true });
    this.#port.postMessage({ ...question, id });
    const answer = await answered;
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    return answer;
  }

  /** No more questions; it ends when those that are asked are answered. */
  retire(): void {
    this.#isRetired = true;
    if (this.isIdle) void this.end();
  }

  /** Ends it now. What is asked is answered with `answer`. Resolves when it has ended. */
  async end(answer?: ThreadAnswer): Promise<void> {
    this.#isRetired = true;
    if (answer !== undefined) for (const id of [...this.#pending.keys()]) this.#settle(id, answer);
    void this.#worker.terminate();
    await this.#ended;
  }

  #take(reply: ThreadReply): void {
    if (reply.kind === 'files') {
      this.#files = reply.files;
      this.#loadState = { loaded: true };
      return;
    }
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    if (reply.kind === 'alive') pending.isAlive = true;
    else if (reply.kind === 'asks') void this.#answer(reply, pending);
    else if (reply.kind === 'overflow') {
      if (pending.stopping === undefined) pending.onOverflow?.(reply.bytes);
    } else if (reply.kind === 'progress') {
      const { kind, id, ...progress } = reply;
      if (pending.stopping === undefined) pending.onProgress?.(progress);
    } else {
      const { stopping } = pending;
      if (reply.kind === 'threw' && stopping === undefined) this.#print(`${reply.stack ?? ''}\n`);
      this.#settle(reply.id, stopping === undefined ? reply : { kind: 'stopped', reason: stopping });
    }
  }

  async #answer(
    { id, question, sparql, values }: Extract<ThreadReply, { kind: 'asks' }>,
    pending: Pending,
  ): Promise<void> {
    const { onQuery } = pending;
    pending.queries ??= new AbortController();
    const { signal } = pending.queries;
    const answer = await (onQuery?.(sparql, values, signal) ?? cannotAsk).catch((): QueryAnswer => failed);
    if (this.#pending.has(id)) this.#port.postMessage({ kind: 'answer', id, question, answer } satisfies ThreadRequest);
  }

  async #stop(id: number, reason: StopReason): Promise<void> {
    const pending = this.#pending.get(id);
    if (pending === undefined || pending.stopping !== undefined) return;
    if (pending.isCheck && this.#loadState.loaded === true) {
      // It waits for its turn behind a call that may take its time.
      this.#settle(id, { kind: 'stopped', reason, loaded: true });
      return;
    }
    pending.stopping = reason;
    this.#port.postMessage({ kind: 'cancel', id } satisfies ThreadRequest);
    await new Promise((resolve) => setTimeout(resolve, graceMs));
    if (!this.#pending.has(id)) return;
    const others = this.#pending.size > 1;
    if (others && pending.isAlive === true) {
      this.#isRetired = true;
      this.#settle(id, { kind: 'stopped', reason });
      return;
    }
    this.#endWords = 'was ended, because another call of the module did not stop';
    this.#isRetired = true;
    void this.#worker.terminate();
    await this.#ended;
  }

  #settle(id: number, answer: ThreadAnswer): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    pending.queries?.abort();
    pending.settle(answer);
    if (!this.isIdle || this.#isOver) return;
    if (this.#isRetired) void this.end();
    else {
      this.#unref();
      this.#options.onIdle(this);
    }
  }

  /** An idle thread keeps no process running. */
  #unref(): void {
    this.#worker.unref();
    this.#port.unref();
  }

  /** An error that nothing caught ends a thread. */
  #fail(error: unknown): void {
    const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    this.#endWords = isMemory
      ? `needed more than ${maxMemoryMb} MB of memory`
      : `was ended by an error that nothing caught: ${faultOf(error, this.#options.root).message.split('\n', 1)[0]}`;
    if (error instanceof Error && error.stack !== undefined) this.#print(`${error.stack}\n`);
  }

  #end(exitCode: number): void {
    if (this.#endWords === 'has ended') this.#endWords = `was ended by process.exit(${exitCode})`;
    // What it said before is still on the way.
    for (let said = receiveMessageOnPort(this.#port); said !== undefined; said = receiveMessageOnPort(this.#port)) {
      this.#take(said.message as ThreadReply);
    }
    this.#isOver = true;
    this.#port.close();
    for (const [id, { stopping, isCheck }] of [...this.#pending]) {
      const words = this.#endWords;
      this.#settle(id, {
        ...(stopping === undefined ? { kind: 'ended', words } : { kind: 'stopped', reason: stopping }),
        ...(isCheck ? this.#loadState : {}),
      });
    }
    this.#options.onEnd(this);
  }

  #passOn(output: Readable): void {
    output.setEncoding('utf8');
    output.on('data', (text: string) => this.#print(text));
  }

  #print(text: string): void {
    const left = printedLength - this.#printed;
    if (left <= 0) return;
    this.#printed += text.length;
    this.#options.onPrint(text.length <= left ? text : `${text.slice(0, left)}\n… it prints more than is shown\n`);
  }
}

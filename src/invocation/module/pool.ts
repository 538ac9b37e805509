import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin, realPath } from '../../instance/containment.js';
import { Turns } from '../turns.js';
import type { LoadedFile } from './messages.js';
import { type AskOptions, ModuleThread, type Question, type ThreadAnswer } from './thread.js';

export interface PoolOptions {
  /** Threads that are alive at once; a call for which there is none waits. @default 16 */
  readonly threads?: number;
  /** A thread without a call for this long is ended. @default 300_000 */
  readonly idleMs?: number;
  /** One line that a module prints. */
  readonly onLine?: (line: string) => void;
}

/** In which thread something runs: each module of an instance has its own, and another one where it gets another environment. */
export interface ModulePlace {
  /** Absolute path of the instance. */
  readonly root: string;
  /** Path of the module in it. */
  readonly module: string;
  readonly env: Readonly<Record<string, string>>;
}

export type PoolAnswer =
  | ThreadAnswer
  /** There is no such file in the instance. */
  | { readonly kind: 'missing' };

/** The threads of all modules. A thread lives as long as the files of which its module is made are what they were. */
export class ModulePool {
  readonly #idleMs: number;
  readonly #turns: Turns;
  readonly #onLine: (line: string) => void;
  readonly #threads = new Map<string, Promise<ModuleThread | undefined>>();
  /** Alive and without a call, longest first. */
  readonly #idle = new Map<ModuleThread, NodeJS.Timeout>();
  readonly #alive = new Map<ModuleThread, ModulePlace>();
  #waiting = 0;
  #closed = false;

  constructor({ threads = 16, idleMs = 300_000, onLine = () => {} }: PoolOptions = {}) {
    this.#idleMs = idleMs;
    this.#turns = new Turns(threads);
    this.#onLine = onLine;
  }

  /** Never rejects because of a module. `onFiles` is told of what the module is made, when there is an answer. */
  async ask(
    place: ModulePlace,
    question: Question,
    options: AskOptions & { readonly onFiles?: (files: readonly LoadedFile[]) => void },
  ): Promise<PoolAnswer> {
    const file = fileOf(place);
    if (file === undefined) return { kind: 'missing' };
    let thread: ModuleThread | undefined;
    do {
      const starting = this.#threadOf(place, file);
      thread = await unlessAborted(starting, options.signal);
      if (thread === undefined) {
        void starting.then((unused) => unused && this.#becomeIdle(unused));
        return { kind: 'stopped', reason: 'cancelled' };
      }
      // Between two steps of this function a call that waits for a place may have taken that of the thread.
    } while (thread.isRetired);
    this.#notIdle(thread);
    const answer = await thread.ask(question, options);
    options.onFiles?.(thread.files);
    // What Node could not load it does not try again.
    if ((answer.kind === 'checked' && answer.fault !== undefined) || (answer.kind === 'threw' && answer.loading)) {
      thread.retire();
    }
    return answer;
  }

  /** Ends, when their calls end, the threads of all modules of an instance but these. */
  retain(root: string, modules: ReadonlySet<string>): void {
    for (const [thread, place] of this.#alive) {
      if (place.root === root && !modules.has(place.module)) thread.retire();
    }
  }

  /** Ends every thread, and their calls as cancelled; there are none afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#idle.values()) clearTimeout(timer);
    const cancelled = { kind: 'stopped', reason: 'cancelled' } as const;
    await Promise.all([...this.#alive.keys()].map((thread) => thread.end(cancelled)));
  }

  /** The thread of the module as it is now. */
  async #threadOf(place: ModulePlace, file: string): Promise<ModuleThread | undefined> {
    const key = JSON.stringify([place.root, file, Object.entries(place.env)]);
    for (;;) {
      if (this.#closed) return undefined;
      const starting = this.#threads.get(key) ?? this.#start(key, place, file);
      const thread = await starting;
      if (thread === undefined) return undefined;
      if (!thread.isRetired && thread.isCurrent) return thread;
      if (this.#threads.get(key) === starting) this.#threads.delete(key);
      thread.retire();
    }
  }

  #start(key: string, place: ModulePlace, file: string): Promise<ModuleThread | undefined> {
    const starting = this.#startInTurn(place, file);
    this.#threads.set(key, starting);
    return starting;
  }

  /** Undefined when the pool was closed meanwhile. */
  async #startInTurn(place: ModulePlace, file: string): Promise<ModuleThread | undefined> {
    this.#waiting += 1;
    this.#makeRoom();
    await this.#turns.begin();
    this.#waiting -= 1;
    if (this.#closed) {
      this.#turns.end();
      return undefined;
    }
    const root = realPath(place.root) ?? place.root;
    const thread = new ModuleThread({
      ...{ file, root, env: place.env },
      onIdle: (idle) => this.#becomeIdle(idle),
      onEnd: (ended) => this.#forget(ended),
      onPrint: (text) => {
        for (const line of text.split('\n')) if (line.trim() !== '') this.#onLine(`${place.module}: ${line}`);
      },
    });
    this.#alive.set(thread, place);
    return thread;
  }

  #becomeIdle(thread: ModuleThread): void {
    if (!thread.isIdle || thread.isRetired) return;
    this.#notIdle(thread);
    const timer = setTimeout(() => thread.retire(), this.#idleMs).unref();
    this.#idle.set(thread, timer);
    if (this.#waiting > 0) this.#makeRoom();
  }

  #notIdle(thread: ModuleThread): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
  }

  /** Ends the thread that has been idle for longest, where all places are taken. */
  #makeRoom(): void {
    if (this.#turns.free > 0) return;
    const [oldest] = this.#idle.keys();
    if (oldest === undefined) return;
    this.#notIdle(oldest);
    oldest.retire();
  }

  #forget(thread: ModuleThread): void {
    this.#notIdle(thread);
    this.#alive.delete(thread);
    this.#turns.end();
  }
}

/** The real path of a module; undefined when it is not a file of the instance, or a link leads out of that. */
export function fileOf({ root, module }: Pick<ModulePlace, 'root' | 'module'>): string | undefined {
  const instance = realPath(root);
  const file = instance === undefined ? undefined : realPath(join(instance, module));
  if (instance === undefined || file === undefined || !isWithin(instance, file)) return undefined;
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined;
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (signal === undefined) return work;
  if (signal.aborted) return undefined;
  let leave = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
    signal.addEventListener('abort', leave, { once: true });
  });
  const first = await Promise.race([work, aborted]);
  signal.removeEventListener('abort', leave);
  return first;
}

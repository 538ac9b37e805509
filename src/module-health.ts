import { childEnvironment } from './invocation/environment.js';
import { signatureNow } from './invocation/module/loaded-file.js';
import type { LoadedFile } from './invocation/module/messages.js';
import type { ModulePool, PoolAnswer } from './invocation/module/pool.js';
import { Turns } from './invocation/turns.js';
import { OrderedWork } from './ordered-work.js';
import type { Entry, InProcessBinding } from './projection/generation.js';
import { moduleKey } from './projection/in-process-arm.js';

/** What the modules of an instance get, as its config says now. */
export interface ModuleSettings {
  readonly permittedEnv: readonly string[];
  readonly timeoutMs: number;
}

export interface HealthOptions {
  /** Absolute path of the instance. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pool: ModulePool;
}

interface Use extends Pick<InProcessBinding, 'module' | 'exports'> {
  /** Names of `requires.env`. */
  readonly env: readonly string[];
}

interface Checked {
  readonly files: readonly LoadedFile[];
  readonly failure?: string;
  /** Of `performance.now()`. */
  readonly at: number;
}

/** A module that does not load is tried again after this long, in milliseconds, although no file of it has changed: a package can have come. */
const retryMs = 10_000;
/** A module that takes longer to load does not load, in milliseconds. */
const loadMs = 30_000;
/** Modules that are loaded at once, so that a start leaves the machine something. */
const loadedAtOnce = 2;

/**
 * Whether the modules of the inProcess arms load (P10): each is loaded ahead of its first call, and again when a file of it has changed. No
 * function is called.
 */
export class ModuleHealth {
  readonly #options: HealthOptions;
  readonly #uses = new Map<string, Use>();
  readonly #checked = new Map<string, Checked>();
  #failed: ReadonlyMap<string, string> = new Map();
  #files: ReadonlySet<string> = new Set();
  #settings: ModuleSettings = { permittedEnv: [], timeoutMs: loadMs };
  readonly #work = new OrderedWork();

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** By `moduleKey`, as `HostFacts.failedModules`: another map when something has changed. */
  get failed(): ReadonlyMap<string, string> {
    return this.#failed;
  }

  /** Absolute paths of the files of which all modules are made: another set when something has changed. */
  get files(): ReadonlySet<string> {
    return this.#files;
  }

  /**
   * Takes what is served now. A module that failed is not, so it stays as long as a node has it: `isUsed` answers that by its key.
   * Threads of other modules end.
   */
  follow(entries: Iterable<Entry>, isUsed: (key: string) => boolean, settings: ModuleSettings): void {
    this.#settings = settings;
    for (const key of this.#uses.keys()) if (!this.#failed.has(key) || !isUsed(key)) this.#uses.delete(key);
    for (const { binding, tool } of entries) {
      if (binding.arm !== 'inProcess') continue;
      const { module, exports } = binding;
      this.#uses.set(moduleKey(binding), { module, exports, env: tool.requires?.env ?? [] });
    }
    for (const key of this.#checked.keys()) if (!this.#uses.has(key)) this.#checked.delete(key);
    const modules = new Set(Array.from(this.#uses.values(), ({ module }) => module));
    this.#options.pool.retain(this.#options.root, modules);
  }

  /** Loads what was not loaded yet or has changed. One look at a time; true when other modules fail than before. */
  async look(): Promise<boolean> {
    return this.#work.add(() => this.#look());
  }

  async #look(): Promise<boolean> {
    const due = [...this.#uses].filter(([key]) => this.#isDue(this.#checked.get(key)));
    const turns = new Turns(loadedAtOnce);
    await Promise.all(
      due.map(async ([key, use]) => {
        await turns.begin();
        const checked = await this.#check(use);
        turns.end();
        if (checked === undefined) this.#checked.delete(key);
        else if (this.#uses.has(key)) this.#checked.set(key, checked);
      }),
    );
    return this.#conclude();
  }

  #conclude(): boolean {
    const failed = new Map<string, string>();
    const files = new Set<string>();
    for (const [key, { files: own, failure }] of this.#checked) {
      for (const { path } of own) files.add(path);
      if (failure !== undefined) failed.set(key, failure);
    }
    if (files.size !== this.#files.size || [...files].some((path) => !this.#files.has(path))) this.#files = files;
    const isSame =
      failed.size === this.#failed.size && [...failed].every(([key, why]) => this.#failed.get(key) === why);
    if (!isSame) this.#failed = failed;
    return !isSame;
  }

  #isDue(checked: Checked | undefined): boolean {
    if (checked === undefined) return true;
    if (checked.files.some(({ path, signature }) => signatureNow(path) !== signature)) return true;
    return checked.failure !== undefined && performance.now() - checked.at >= retryMs;
  }

  /** Undefined when nothing can be said of it: it is not there, which the host tells, or everything is being closed. */
  async #check({ module, exports, env }: Use): Promise<Checked | undefined> {
    const { root, env: all, pool } = this.#options;
    const { permittedEnv, timeoutMs } = this.#settings;
    const place = { root, module, env: childEnvironment(all, env, permittedEnv) };
    let files: readonly LoadedFile[] = [];
    const limit = Math.min(loadMs, timeoutMs);
    const onFiles = (loaded: readonly LoadedFile[]): void => {
      files = loaded;
    };
    const answer = await pool.ask(place, { kind: 'check', exports }, { timeoutMs: limit, onFiles });
    const failure = failureOf(answer, limit);
    if (failure === undefined) return undefined;
    return { files, at: performance.now(), ...(failure === '' ? {} : { failure }) };
  }
}

/** Read after the path of the module; '' when it loads, undefined when that was not found out: a call can end the thread, too. */
function failureOf(answer: PoolAnswer, timeoutMs: number): string | undefined {
  if ('loaded' in answer) return undefined;
  switch (answer.kind) {
    case 'checked':
      return answer.fault === undefined ? '' : `does not load: ${firstLine(answer.fault.message)}`;
    case 'ended':
      return `does not load: its thread ${answer.words}`;
    case 'stopped':
      return answer.reason === 'timeout' ? `does not load within ${timeoutMs} ms` : undefined;
    default:
      return undefined;
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

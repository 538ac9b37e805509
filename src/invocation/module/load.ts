import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { extname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { isWithin } from '../../instance/containment.js';
import { loadedFile, signatureNow } from './loaded-file.js';
import type { LoadedFile } from './messages.js';

/** Files that Node 20 cannot run: TypeScript, which tsx translates, types unchecked. */
const typescript: ReadonlySet<string> = new Set(['.ts', '.mts', '.cts', '.tsx']);

export type ModuleNamespace = Readonly<Record<string, unknown>>;

/** Loads one module in this thread, and knows all files of the instance of which it is made. */
export class ModuleLoader {
  readonly #file: string;
  readonly #root: string;
  /** By path. */
  readonly #files = new Map<string, LoadedFile>();
  /** What CommonJS has loaded, by path: not every `require` comes by the hooks. */
  readonly #required: Readonly<Record<string, unknown>>;
  #collect: () => void = () => {};

  /** Paths are absolute and without links. */
  constructor(file: string, root: string) {
    this.#file = file;
    this.#root = root;
    this.#required = createRequire(file).cache;
  }

  /** Once for a thread: what Node has loaded it keeps. */
  async load(): Promise<ModuleNamespace> {
    if (typescript.has(extname(this.#file))) await this.#registerTypescript();
    this.#registerHooks();
    return (await import(pathToFileURL(this.#file).href)) as ModuleNamespace;
  }

  /** What is loaded by now; files under node_modules are not among them. A module that is missing is, with the signature ''. */
  files(): readonly LoadedFile[] {
    this.#collect();
    for (const path of Object.keys(this.#required)) {
      if (this.#isOwn(path) && !this.#files.has(path)) this.#add({ path, signature: signatureNow(path) });
    }
    return [...this.#files.values()];
  }

  /** Notes the file that an import looked for in vain: when it comes, the module may load. */
  noteMissing(error: unknown): void {
    if (!(error instanceof Error) || !('url' in error) || typeof error.url !== 'string') return;
    const file = loadedFile(error.url);
    if (file !== undefined) this.#add(file);
  }

  async #registerTypescript(): Promise<void> {
    const [modules, commonjs] = await Promise.all([import('tsx/esm/api'), import('tsx/cjs/api')]);
    const tsconfig = join(this.#root, 'tsconfig.json');
    this.#add({ path: tsconfig, signature: signatureNow(tsconfig) });
    // A file is one or the other by the nearest package.json, as for Node.
    commonjs.register();
    modules.register({ tsconfig: existsSync(tsconfig) ? tsconfig : false });
  }

  #registerHooks(): void {
    const { registerHooks } = module as { registerHooks?: (hooks: { load: LoadHook }) => void };
    if (registerHooks !== undefined) {
      registerHooks({
        load: (url, context, nextLoad) => {
          const file = loadedFile(url);
          if (file !== undefined) this.#add(file);
          return nextLoad(url, context);
        },
      });
      return;
    }
    const { port1, port2 } = new MessageChannel();
    module.register(new URL('./load-hooks.js', import.meta.url), { data: { port: port2 }, transferList: [port2] });
    // A hook posts before Node goes on, so all that is loaded is here whenever it is looked for.
    this.#collect = () => {
      for (let got = receiveMessageOnPort(port1); got !== undefined; got = receiveMessageOnPort(port1)) {
        this.#add(got.message as LoadedFile);
      }
    };
    port1.unref();
  }

  #add(file: LoadedFile): void {
    if (this.#isOwn(file.path) && !this.#files.has(file.path)) this.#files.set(file.path, file);
  }

  #isOwn(path: string): boolean {
    return path === this.#file || (isWithin(this.#root, path) && !path.includes(`${sep}node_modules${sep}`));
  }
}

type LoadHook = (url: string, context: unknown, nextLoad: (url: string, context: unknown) => unknown) => unknown;

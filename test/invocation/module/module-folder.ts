import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ModulePool, type PoolAnswer, type PoolOptions } from '../../../src/invocation/module/pool.js';
import type { ThreadAnswer } from '../../../src/invocation/module/thread.js';

/** A folder with modules, and a pool that runs them. Both go when the test ends. */
export class ModuleFolder {
  readonly lines: string[] = [];
  readonly pool: ModulePool;

  private constructor(
    readonly root: string,
    options: PoolOptions,
  ) {
    this.pool = new ModulePool({ onLine: (line) => this.lines.push(line), ...options });
  }

  static async make(files: Readonly<Record<string, string>>, options: PoolOptions = {}): Promise<ModuleFolder> {
    const root = realpathSync(await mkdtemp(join(tmpdir(), 'toolgraph-module-')));
    const folder = new ModuleFolder(root, options);
    onTestFinished(async () => {
      await folder.pool.close();
      await rm(root, { recursive: true, force: true });
    });
    for (const [path, text] of Object.entries(files)) await folder.write(path, text);
    return folder;
  }

  path(relative: string): string {
    return join(this.root, relative);
  }

  async write(relative: string, text: string): Promise<void> {
    await mkdir(dirname(this.path(relative)), { recursive: true });
    await writeFile(this.path(relative), text);
  }

  call(module: string, call: Call = {}): Promise<PoolAnswer> {
    const {
      name = 'default',
      inputs = {},
      env = {},
      timeoutMs = 30_000,
      signal,
      onProgress,
      outputBytes = 1_048_576,
    } = call;
    return this.pool.ask(
      { root: this.root, module, env },
      {
        kind: 'call',
        exports: [name],
        names: ['probe-tool'],
        inputs,
        declared: call.declared ?? Object.keys(inputs),
        outputBytes,
        keptBytes: call.keptBytes ?? 0,
      },
      {
        timeoutMs,
        ...(signal === undefined ? {} : { signal }),
        ...(onProgress === undefined ? {} : { onProgress }),
        ...(call.onOverflow === undefined ? {} : { onOverflow: call.onOverflow }),
      },
    );
  }

  /** The text of what a function returned. */
  async text(module: string, call: Call = {}): Promise<string> {
    return returnedText(await this.call(module, call));
  }
}

export interface Call {
  /** Of the export. */
  readonly name?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly declared?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: object) => void;
  readonly outputBytes?: number;
  readonly keptBytes?: number;
  readonly onOverflow?: (bytes: Uint8Array) => void;
}

export function returnedText(answer: PoolAnswer | ThreadAnswer): string {
  if (answer.kind !== 'returned') throw new Error(`expected a result, got ${JSON.stringify(answer)}`);
  return answer.output.text;
}

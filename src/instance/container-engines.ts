import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isBasicVariable, searchFolders } from '../../schemas/config.js';
import { type EngineCommand, engineCommands, engineVariables, partEngineFlags } from '../../schemas/engine.js';
import type { InstanceConfig } from './config.js';
import type { Environment } from './host.js';

/** Less than the interval at which the host is looked at, so that each of these looks asks. */
const rememberMs = 8_000;

/**
 * Which container engines answer. To answer means more than to be installed: that containers can be listed, so that storage, runtime
 * and daemon are there. Remembers an answer for 8 seconds, as long as what decides it is the same.
 */
export class ContainerEngines {
  readonly #now: () => number;
  readonly #timeoutMs: number;
  readonly #answers = new Map<EngineCommand, { readonly key: string; readonly at: number; readonly does: boolean }>();

  /** `timeoutMs` is for each engine: @default 5000. `now` is a clock in ms. */
  constructor(timeoutMs = 5_000, now: () => number = () => performance.now()) {
    this.#timeoutMs = timeoutMs;
    this.#now = now;
  }

  /** Asks again the next time; the last answer still stands in where none comes in time. */
  forget(): void {
    for (const [engine, answer] of this.#answers) {
      this.#answers.set(engine, { ...answer, at: Number.NEGATIVE_INFINITY });
    }
  }

  /**
   * The engine to use, by which no other answers: the one that the config names, or the first of podman and docker that answers. One
   * process for each that is asked, none when `asked` is empty. Never throws.
   */
  async answering(
    asked: ReadonlySet<string>,
    { command, flags = [] }: NonNullable<InstanceConfig['engine']>,
    env: Environment,
  ): Promise<ReadonlySet<string>> {
    for (const engine of engineCommands) {
      if (!asked.has(engine) || (command !== undefined && command !== engine)) continue;
      if (await this.#doesAnswer(engine, flags, engineEnvironment(env))) return new Set([engine]);
    }
    return new Set();
  }

  async #doesAnswer(engine: EngineCommand, flags: readonly string[], env: Record<string, string>): Promise<boolean> {
    const { global } = partEngineFlags(engine, flags);
    const installed = installedFiles(engine, env.PATH);
    if (installed.length === 0) return false;
    const key = JSON.stringify([global, Object.entries(env).sort(), installed]);
    const last = this.#answers.get(engine);
    const before = last?.key === key ? last : undefined;
    if (before !== undefined && this.#now() - before.at < rememberMs) return before.does;
    const does = (await listsContainers(engine, global, env, this.#timeoutMs)) ?? before?.does ?? false;
    this.#answers.set(engine, { key, at: this.#now(), does });
    return does;
  }
}

/** What the engine is given when it runs a container too, so that both times it is the same one. */
function engineEnvironment(env: Environment): Record<string, string> {
  const given = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (isBasicVariable(entry[0]) || engineVariables.includes(entry[0])),
  );
  return { ...Object.fromEntries(given), PATH: searchFolders(env.PATH).join(':') };
}

/** Where the engine is, with the times of change: once it is installed, no answer of before holds. */
function installedFiles(engine: EngineCommand, path: string | undefined): (readonly [path: string, mtimeMs: number])[] {
  return searchFolders(path).flatMap((folder) => {
    const file = join(folder, engine);
    const stats = statOrNothing(file);
    return stats === undefined ? [] : [[file, stats.mtimeMs]];
  });
}

function statOrNothing(path: string): { readonly mtimeMs: number } | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Undefined when it did not answer in time, which on a busy host says nothing. */
function listsContainers(
  engine: EngineCommand,
  flags: readonly string[],
  env: Record<string, string>,
  timeout: number,
): Promise<boolean | undefined> {
  const args = [...flags, 'ps', '--quiet', '--filter=label=toolgraph.instance'];
  const options = { env, cwd: '/', timeout, killSignal: 'SIGKILL', maxBuffer: 1_048_576 } as const;
  return new Promise((resolve) => {
    try {
      execFile(engine, args, options, (error) => {
        resolve(error === null ? true : error.killed === true ? undefined : false);
      });
    } catch {
      resolve(false);
    }
  });
}

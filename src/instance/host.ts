import { accessSync, constants, statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { isBasicVariable, searchFolders } from '../../schemas/config.js';
import type { HostFacts, HostQuestions } from '../projection/host.js';
import type { InstanceConfig } from './config.js';
import { ContainerEngines } from './container-engines.js';
import { isWithin, realPath } from './containment.js';
import { PythonModules } from './python-modules.js';

export type Environment = Readonly<NodeJS.ProcessEnv>;

export const pythonPrefix = 'python:';

/** What is asked of other processes. */
export interface HostMemory {
  readonly python: PythonModules;
  readonly engines: ContainerEngines;
}

export function newHostMemory(): HostMemory {
  return { python: new PythonModules(), engines: new ContainerEngines() };
}

/**
 * Answers what the projection has to know of the host (tool-node.md P12), at one moment. Never throws; what cannot be
 * found out counts as unmet. `root` is absolute. Pass the same `memory` to several observations, and what costs a process is remembered a while.
 */
export async function observeHost(
  questions: HostQuestions,
  config: Pick<InstanceConfig, 'host' | 'env' | 'engine'>,
  root: string,
  env: Environment,
  { python, engines }: HostMemory = newHostMemory(),
): Promise<HostFacts> {
  const instance = realPath(root);
  const found = new Map<string, boolean>();
  const hasCommand = (command: string): boolean => {
    const answer = found.get(command) ?? isRunnable(command, instance, env);
    found.set(command, answer);
    return answer;
  };
  const runtimes = new Map([...questions.runtimes].map((name) => [name, config.host.runtime.get(name) ?? name]));
  const [modules, answering] = await Promise.all([
    python.installed(pythonModulesOf(runtimes.values()), env),
    engines.answering(questions.engines, config.engine ?? {}, env),
  ]);
  return {
    os: config.host.os ?? process.platform,
    network: config.host.network ?? hasNetwork(),
    commands: answers(questions.commands, hasCommand),
    modules: answers(questions.modules, (path) => isFileOfInstance(path, instance)),
    engines: answers(questions.engines, (name) => answering.has(name)),
    runtimes: answers(questions.runtimes, (name) => {
      const meaning = runtimes.get(name) ?? false;
      if (typeof meaning === 'boolean') return meaning;
      return meaning.startsWith(pythonPrefix) ? modules.has(meaning.slice(pythonPrefix.length)) : hasCommand(meaning);
    }),
    env: answers(
      questions.env,
      (name) => Object.hasOwn(env, name) && (isBasicVariable(name) || config.env.includes(name)),
    ),
    paths: answers(questions.paths, (path) => isInInstance(path, instance)),
  };
}

function answers(names: ReadonlySet<string>, answer: (name: string) => boolean): ReadonlyMap<string, boolean> {
  return new Map([...names].sort().map((name) => [name, answer(name)]));
}

function pythonModulesOf(runtimes: Iterable<boolean | string>): Set<string> {
  const modules = [...runtimes].filter((it): it is string => typeof it === 'string' && it.startsWith(pythonPrefix));
  return new Set(modules.map((runtime) => runtime.slice(pythonPrefix.length)));
}

function isRunnable(command: string, instance: string | undefined, env: Environment): boolean {
  if (command === '' || command.includes('\0')) return false;
  if (command.includes('/')) {
    if (instance === undefined) return false;
    const real = realPath(resolve(instance, command));
    return real !== undefined && isWithin(instance, real) && isExecutableFile(real);
  }
  return searchFolders(env.PATH).some((folder) => isExecutableFile(join(folder, command)));
}

function isExecutableFile(path: string): boolean {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isInInstance(path: string, instance: string | undefined): boolean {
  if (instance === undefined || path.includes('\0')) return false;
  const real = realPath(resolve(instance, path));
  return real !== undefined && isWithin(instance, real);
}

function isFileOfInstance(path: string, instance: string | undefined): boolean {
  return (
    isInInstance(path, instance) &&
    statSync(resolve(instance ?? '', path), { throwIfNoEntry: false })?.isFile() === true
  );
}

function hasNetwork(): boolean {
  try {
    return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));
  } catch {
    return false;
  }
}

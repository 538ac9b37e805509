import { join, relative, resolve, sep } from 'node:path';
import { searchFolders } from '../../schemas/config.js';
import type { HostFacts } from '../projection/host.js';
import type { InstanceConfig } from './config.js';
import { isWithin, realPath } from './containment.js';
import { type Environment, pythonPrefix } from './host.js';

/** By the real path of a folder, the names in it by which an answer of `observeHost` can change, as `watchedName` gives them. */
export type HostPlaces = ReadonlyMap<string, ReadonlyMap<string, WhatMatters>>;

/** Whether something has the name; or its mode and content too, as of a command and a module. */
export type WhatMatters = 'existence' | 'mode';

/** Beyond these, only looking at the host finds a change. */
const maxFolders = 256;
const maxPaths = 1000;

/**
 * The places that decide the answers `asked`: the folders of PATH, and on the way to each path in the instance every folder that
 * is there, so that one that comes tells where to wait next. `moduleFiles` are those of which modules are made, absolute.
 */
export function hostPlaces(
  asked: Pick<HostFacts, 'commands' | 'engines' | 'modules' | 'runtimes' | 'paths'>,
  config: Pick<InstanceConfig, 'host'>,
  root: string,
  env: Environment,
  moduleFiles: ReadonlySet<string> = new Set(),
): HostPlaces {
  const places = new Map<string, Map<string, WhatMatters>>();
  const commands = [...asked.commands.keys(), ...runtimeCommands(asked.runtimes.keys(), config)];
  const onPath = [...commands.filter((command) => !command.includes('/')), ...asked.engines.keys()].map(watchedName);
  if (onPath.length > 0) {
    for (const folder of searchFolders(env.PATH)) {
      const real = realPath(folder);
      if (real !== undefined) add(places, real, onPath, 'mode');
    }
  }
  const instance = realPath(root);
  if (instance === undefined) return places;
  const files = commands.filter((command) => command.includes('/')).map((path) => ({ path, matters: 'mode' as const }));
  const modules = [...asked.modules.keys(), ...moduleFiles].map((path) => ({ path, matters: 'mode' as const }));
  const paths = [...asked.paths.keys()].map((path) => ({ path, matters: 'existence' as const }));
  for (const { path, matters } of [...files, ...modules, ...paths].slice(0, maxPaths)) {
    if (path.includes('\0')) continue;
    const steps = relative(instance, resolve(instance, path)).split(sep);
    if (steps[0] !== '..') addWay(places, instance, steps, matters);
  }
  return places;
}

/** The form in which names are compared: a file system may tell of another one than was asked for. */
export function watchedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function runtimeCommands(names: Iterable<string>, { host }: Pick<InstanceConfig, 'host'>): string[] {
  const meanings = [...names].map((name) => host.runtime.get(name) ?? name);
  return meanings.flatMap((meaning) => {
    if (typeof meaning === 'boolean') return [];
    return meaning.startsWith(pythonPrefix) ? ['python3'] : [meaning];
  });
}

function addWay(
  places: Map<string, Map<string, WhatMatters>>,
  instance: string,
  steps: readonly string[],
  matters: WhatMatters,
): void {
  let folder = instance;
  for (const [i, step] of steps.entries()) {
    const isLast = i === steps.length - 1;
    add(places, folder, [watchedName(step)], isLast ? matters : 'existence');
    const next = isLast ? undefined : realPath(join(folder, step));
    if (next === undefined || !isWithin(instance, next)) return;
    folder = next;
  }
}

function add(
  places: Map<string, Map<string, WhatMatters>>,
  folder: string,
  names: readonly string[],
  matters: WhatMatters,
): void {
  const known = places.get(folder);
  if (known === undefined && places.size >= maxFolders) return;
  const all = known ?? new Map<string, WhatMatters>();
  for (const name of names) if (all.get(name) !== 'mode') all.set(name, matters);
  places.set(folder, all);
}

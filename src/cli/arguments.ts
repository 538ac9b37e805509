import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, InvalidArgumentError, Option } from 'commander';
import type { ServedTier } from '../../schemas/tool.js';

/** As `servedTiers` of schemas/config.ts, which would load Zod before any command is chosen (decision 17). */
const servedTiers: readonly ServedTier[] = ['stable', 'experimental', 'deprecated'];

/** Wrong usage that commander would put into a sentence of its own: said as it is, and the exit code is 2. */
export class UsageError extends Error {}

/** `[DIR]`, as an absolute path of a directory that exists. */
export function directoryArgument(): Argument {
  return new Argument('[DIR]', 'the instance')
    .argParser(parseDirectory)
    .default(process.cwd(), 'the current directory');
}

export function tiersOption(): Option {
  return new Option(
    '--tiers <list>',
    `tiers to serve, of ${servedTiers.join(',')} (default: the config's, or stable)`,
  ).argParser(parseTiers);
}

/** The absolute path of a directory that exists. */
export function parseDirectory(value: string): string {
  const path = resolve(value);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`DIR ${value}: no such directory`);
  if (!found.isDirectory()) throw new UsageError(`DIR ${value}: not a directory`);
  return path;
}

function parseTiers(value: string): ServedTier[] {
  const names = value.split(',').map((name) => name.trim());
  for (const name of names) {
    if (name === 'internal') throw new InvalidArgumentError('Tools of the tier internal are never served.');
    if (!isServedTier(name)) throw new InvalidArgumentError(`Expected a list of ${servedTiers.join(', ')}.`);
  }
  return [...new Set(names.filter(isServedTier))];
}

function isServedTier(name: string): name is ServedTier {
  return servedTiers.some((tier) => tier === name);
}

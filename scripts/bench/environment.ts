import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import type { BenchResult } from './result.js';

type Machine = Omit<BenchResult['machine'], 'load'>;

export function machine(): Machine {
  const [first, ...others] = cpus();
  return {
    node: process.version,
    os: `${type()} ${release()} ${process.arch}`,
    cpu: first?.model.trim() ?? 'unknown',
    cores: others.length + 1,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
}

/** The one-minute load average. */
export function load(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100;
}

/** The version of each dependency as it is installed. */
export function dependencyVersions(root: string): Record<string, string> {
  const { dependencies } = readJson(join(root, 'package.json')) as { dependencies: Record<string, string> };
  const names = Object.keys(dependencies).sort();
  return Object.fromEntries(names.map((name) => [name, installedVersion(root, name)]));
}

/** The commit of the checkout; `-dirty` when tracked files differ from it, `unknown` when it is none. */
export function commit(root: string): string {
  const { status, stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : 'unknown';
}

function installedVersion(root: string, name: string): string {
  const { version } = readJson(join(root, 'node_modules', name, 'package.json')) as { version: string };
  return version;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

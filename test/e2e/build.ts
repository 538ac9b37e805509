import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const stamp = `${checkout}dist/.built`;

/** The command line as it is installed: what the end-to-end tests start. */
export const cliPath = `${checkout}dist/src/cli/main.js`;

/** Vitest's global setup: builds `dist/` once, when a source is newer than the last build that succeeded. */
export async function setup(): Promise<void> {
  const started = new Date();
  const newest = await newestChange(['src', 'schemas', 'scripts', 'package.json', 'tsconfig.json']);
  if (newest < (await modified(stamp))) return;
  const { exitCode, all } = await execa('npx', ['--no-install', 'tsc'], { cwd: checkout, reject: false, all: true });
  if (exitCode !== 0) throw new Error(`tsc failed, so there is no build to test:\n${all}`);
  await writeFile(stamp, '');
  await utimes(stamp, started, started);
}

async function newestChange(paths: readonly string[]): Promise<number> {
  let newest = 0;
  for (const path of paths) {
    newest = Math.max(newest, await modified(checkout + path));
    const entries = await readdir(checkout + path, { recursive: true }).catch(() => []);
    for (const entry of entries) newest = Math.max(newest, await modified(`${checkout}${path}/${entry}`));
  }
  return newest;
}

async function modified(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.mtimeMs ?? 0;
}

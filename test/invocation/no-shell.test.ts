import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Ways to hand a string to a shell with node:child_process or execa. */
const shellWays = [
  // As a string it is the name of what is guarded.
  /(?<!')\bexecSync\b/,
  /\bimport\s*\{[^}]*\bexec\b[^}]*\}\s*from\s*['"](?:node:)?child_process['"]/,
  /\b(?:child_process|childProcess|cp)\.exec\b/,
  /\bexecaCommand(?:Sync)?\b/,
  /\bshell['"]?\s*:\s*(?:true\b|['"`](?:\/|cmd|sh|bash|zsh|powershell))/,
];

/** Files that start processes may not have the option at all, whatever its value. */
const startsProcesses = /['"](?:(?:node:)?child_process|execa)['"]/;
const shellOption = /(?:^|[{,\s])['"]?shell['"]?\s*[:,}]/m;

function waysIn(source: string): string[] {
  const ways = shellWays.filter((way) => way.test(source)).map(String);
  return startsProcesses.test(source) && shellOption.test(source) ? [...ways, String(shellOption)] : ways;
}

it.each([
  `import { exec } from 'node:child_process';`,
  `import { spawn, exec } from "child_process";`,
  `childProcess.exec('ls');`,
  `execSync('ls')`,
  `execaCommand('ls')`,
  `run('ls', { shell: true })`,
  `run('ls', { shell: '/bin/bash' })`,
  `import { execa } from 'execa'; execa('ls', [], { shell });`,
  `const { execa } = await import('execa'); execa('ls', [], { cwd, shell: chosen });`,
])('X2: the scan sees %s', (source) => {
  expect(waysIn(source)).not.toEqual([]);
});

it('X2: nothing in src hands a string to a shell', () => {
  const root = join(import.meta.dirname, '../../src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  expect(files).toContain(join('invocation', 'run.ts'));
  const found = files.flatMap((path) => waysIn(readFileSync(join(root, path), 'utf8')).map((way) => ({ path, way })));
  expect(found).toEqual([]);
});

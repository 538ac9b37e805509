import { expect, it } from 'vitest';
import { sourceFiles } from '../repository/source-files.js';
import { processStarts } from './process-starts.js';

const spawn = `import { spawn } from 'node:child_process';`;
const execa = `const { execa } = await import('execa');`;

it.each([
  `import { exec } from 'node:child_process';`,
  `import { spawn, execSync } from "node:child_process";`,
  `import { fork } from 'node:child_process';`,
  `import { exec as spawn } from 'node:child_process';`,
  `import { spawn } from 'child_process';`,
  `import childProcess from 'node:child_process';`,
  `import * as childProcess from 'node:child_process';`,
  `export { exec } from 'node:child_process';`,
  `const { exec } = await import('node:child_process');`,
  `const childProcess = await import('node:child_process');`,
  `const childProcess = createRequire(import.meta.url)('node:child_process');`,
  `process.binding('spawn_sync')`,
  `import cluster from 'node:cluster';`,
  `import { $ } from 'zx';`,
  `import spawn from 'cross-spawn';`,
  ...['$', 'execaCommand', 'execaCommandSync', 'execaSync', 'execaNode', 'execa as run'].map(
    (name) => `import { ${name} } from 'execa';`,
  ),
  `const execaModule = await import('execa');`,
  `const { execa: run } = await import('execa');`,
  `${execa} await execa\`ls \${folder}\`;`,
  `${execa} const run = execa;`,
  `${execa} const run = execa({ shell })`,
  `${execa} execa({ cwd })('ls', [])`,
  `${execa} execa(command, { cwd })`,
  `${execa} execa(command)`,
  `${execa} execa('sh', words)`,
  `${execa} execa('sh', ['-c'].concat(text), {})`,
  `${execa} execa.call(undefined, 'ls', [])`,
  `${spawn} spawn('ls', [], { shell: true })`,
  `${spawn} spawn('ls', [], { shell: '/bin/bash' })`,
  `${spawn} spawn('ls', [], { shell });`,
  `${spawn} spawn('ls', [], { cwd, 'shell': chosen });`,
  `${spawn} spawn('ls', [], { ['sh' + 'ell']: true });`,
  `${spawn} spawn('ls', [], { ...options });`,
  `${spawn} spawn('ls', [], { ...(isPlain ? {} : options) });`,
  `${spawn} spawn('ls', [], { ...(isPlain ? {} : { shell: true }) });`,
  `${spawn} spawn('ls', [], options);`,
  `${spawn} spawn('ls', [], optionsOf(command));`,
  `${spawn} const options = { cwd, shell }; spawn('ls', [], options);`,
  `${spawn} const options = optionsOf({ cwd }); spawn('ls', [], options);`,
  `${spawn} promisify(spawn)('ls', []);`,
  `const options = { shell: true };`,
  `const options = { "shell": '/bin/sh' };`,
  `new Worker(code, { eval: true })`,
])('X2: the scan finds fault with %s', (source) => {
  expect(processStarts(source).faults).not.toEqual([]);
});

it.each([
  `${spawn} spawn(file, args, { cwd, stdio: ['pipe', 'pipe'] });`,
  `${spawn} const options = { env, cwd: '/' } as const; spawn('ls', ['-l', path], options, () => {});`,
  `${execa} execa(command.file, command.args, { ...(x === undefined ? { stdin: 'ignore' } : { input: x }) });`,
  `import { type ChildProcess, spawn } from 'node:child_process';`,
  `const invoke = { shell: 'ls -l' };`,
])('X2: the scan finds no fault with %s', (source) => {
  expect(processStarts(source).faults).toEqual([]);
});

/** It starts nothing: it puts itself before what the modules of an instance start, whoever they are. */
const wrapper = 'src/invocation/module/standard-streams.ts';

it('X2: every process that toolgraph starts is a program and an array of words, and no shell is between', () => {
  const found = [...sourceFiles('src', 'schemas')].map(([path, source]) => ({ path, ...processStarts(source) }));
  const faults = found
    .filter(({ path }) => path !== wrapper)
    .flatMap(({ path, faults }) => faults.map((fault) => `${path}:${fault}`));
  expect(faults).toEqual([]);
  expect(found.flatMap(({ path, calls }) => calls.map((call) => `${path} ${call.split(' ')[0]}`))).toEqual([
    'src/instance/container-engines.ts execFile',
    'src/instance/document-in-git.ts execFile',
    'src/instance/git.ts spawn',
    'src/instance/python-modules.ts execFile',
    'src/invocation/process-identity.ts execa',
    'src/invocation/process-list.ts execa',
    'src/invocation/spawn-child.ts spawn',
    'src/invocation/spawner/spawner.ts spawn',
    'src/mcp/server-process.ts spawn',
  ]);
});

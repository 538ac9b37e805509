import childProcess, { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Functions of node:fs that take a descriptor first. */
const readers = ['read', 'readSync', 'readv', 'readvSync', 'readFile', 'readFileSync'] as const;
const writers = ['write', 'writeSync', 'writev', 'writevSync', 'writeFile', 'writeFileSync', 'appendFileSync'] as const;
const startersInSync = ['spawnSync', 'execFileSync', 'execSync'] as const;

/**
 * Keeps the descriptors 0 and 1 of the process, which carry the protocol, from the code of this thread: reading 0 finds nothing, writing 1
 * writes to 2, and a process that inherits them gets the same. Node gives a thread a process.stdin and process.stdout of its own, but
 * node:fs and node:child_process go by the numbers. For code that means no harm: it is no wall.
 */
export function keepStandardStreams(): void {
  const nothing = fs.openSync('/dev/null', 'r');
  const stdio = (given: unknown): unknown => safeStdio(given, nothing);
  for (const name of readers) replaceFirst(name, 0, nothing);
  for (const name of writers) replaceFirst(name, 1, 2);
  const prototype = ChildProcess.prototype as unknown as { spawn: AnyFunction };
  const { spawn } = prototype;
  prototype.spawn = function (options) {
    return Reflect.apply(spawn, this, [withStdio(options, stdio)]);
  };
  const starters = childProcess as unknown as Record<string, AnyFunction>;
  for (const name of startersInSync) {
    const start = starters[name] as AnyFunction;
    starters[name] = (...args) => start(...args.map((arg) => withStdio(arg, stdio)));
  }
  syncBuiltinESMExports();
}

function replaceFirst(name: (typeof readers | typeof writers)[number], descriptor: number, other: number): void {
  const functions = fs as unknown as Record<string, AnyFunction>;
  const original = functions[name] as AnyFunction;
  functions[name] = function (first, ...rest) {
    return Reflect.apply(original, this, [first === descriptor ? other : first, ...rest]);
  };
}

/** Options of a process, with another `stdio`; what is no such options is as it was. */
function withStdio(options: unknown, stdio: (given: unknown) => unknown): unknown {
  if (typeof options !== 'object' || options === null || !('stdio' in options)) return options;
  return { ...options, stdio: stdio(options.stdio) };
}

function safeStdio(stdio: unknown, nothing: number): unknown {
  const all = stdio === 'inherit' ? ['inherit', 'inherit', 'inherit'] : stdio;
  if (!Array.isArray(all)) return all;
  return all.map((given: unknown, i) => {
    const descriptor = given === 'inherit' ? i : given;
    if (descriptor === 0) return nothing;
    return descriptor === 1 ? 2 : given;
  });
}

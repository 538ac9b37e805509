import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** What is started: a command on PATH or an absolute path, its arguments, and all that it gets. */
export interface ProcessStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  /** Absolute path. */
  readonly cwd: string;
  /** All that the process gets, nothing is added. */
  readonly env: Readonly<Record<string, string>>;
}

export interface StartedProcess {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  once(event: 'exit', listener: (exitCode: number | null, signal: NodeJS.Signals | null) => void): unknown;
}

/** `errorCode` is that of the system: ENOENT, EACCES, E2BIG… */
export interface NotStarted {
  readonly errorCode: string | undefined;
}

/**
 * Starts a process as the leader of its own group. No shell is between this and the program. Without stdin it reads the end of a file
 * at once. Never rejects.
 */
export async function startProcess(command: ProcessStart): Promise<StartedProcess | NotStarted> {
  const { file, args, stdin, cwd, env } = command;
  // execa takes a third of a millisecond more, a fifth of what a small command takes in all (scripts/bench/call.ts).
  let child: ChildProcess;
  try {
    child = spawn(file, args, {
      cwd,
      env,
      detached: true,
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    return { errorCode: codeOf(error) };
  }
  const failed = new Promise<unknown>((resolve) => {
    child.once('error', resolve);
  });
  const { pid, stdout, stderr } = child;
  if (pid === undefined || stdout === null || stderr === null) return { errorCode: codeOf(await failed) };
  for (const pipe of [child.stdin, stdout, stderr]) pipe?.on('error', ignored);
  child.stdin?.end(stdin);
  return { pid, stdout, stderr, once: (event, listener) => child.once(event, listener) };
}

/** A program may close its stdin before it has read all (EPIPE). What it does with its pipes is no failure. */
function ignored(): void {}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

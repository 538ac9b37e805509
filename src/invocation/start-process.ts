import type { Readable, Writable } from 'node:stream';
import { outputsOf } from './output-holders.js';
import { type NotStarted, type ProcessImage, spawnChild } from './spawn-child.js';
import { readySpawner } from './spawner/ready-spawner.js';

export interface ProcessStart extends ProcessImage {
  /** Left out: it reads the end of a file at once. */
  readonly stdin?: string;
}

export interface StartedProcess {
  readonly pid: number;
  /** `processIdentity` of it, where that was looked at when it was started. */
  readonly identity?: string;
  /** `outputsOf` it, where they were asked for. */
  readonly outputs: readonly string[];
  /** To be resumed once somebody listens. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<ProcessExit>;
}

export interface ProcessExit {
  /** Null when a signal ended it, or nothing is known of its end. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The spawner that had started it has ended: it was killed, and nothing is known of its end. */
  readonly isLost?: true;
}

/**
 * Starts a process as the leader of its own group, by the spawner where there is one. No shell is between this and the program.
 * Never rejects.
 */
export async function startProcess(
  command: ProcessStart,
  { withOutputs }: { readonly withOutputs: boolean },
): Promise<StartedProcess | NotStarted> {
  return readySpawner()?.start(command, withOutputs) ?? startHere(command, withOutputs);
}

async function startHere(command: ProcessStart, withOutputs: boolean): Promise<StartedProcess | NotStarted> {
  const { stdin } = command;
  const child = await spawnChild(command, [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe']);
  if ('errorCode' in child) return child;
  const { pid, stdout, stderr } = child;
  if (stdout === null || stderr === null)
    throw new Error('a process was started without the pipes that were asked for');
  for (const pipe of [child.stdin, stdout, stderr]) ignoreErrors(pipe);
  child.stdin?.end(stdin);
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
  return { pid, outputs: withOutputs ? outputsOf(pid) : [], stdout, stderr, exited };
}

/** A program may close its stdin before it has read all (EPIPE). What it does with its pipes is no failure. */
function ignoreErrors(pipe: Readable | Writable | null): void {
  pipe?.on('error', () => {});
}

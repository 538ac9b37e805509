import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';

/** What is started: a command on PATH or an absolute path, its arguments, and all that it gets. */
export interface ProcessImage {
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  /** All that the process gets, nothing is added. */
  readonly env: Readonly<Record<string, string>>;
}

/** `errorCode` is that of the system: ENOENT, EACCES, E2BIG… */
export interface NotStarted {
  readonly errorCode: string | undefined;
}

/** The `errorCode` of a start of which nothing is known, because the spawner has ended meanwhile. */
export const lostStartCode = 'ERR_SPAWNER_ENDED';

/** Starts a process as the leader of its own group. No shell is between this and the program. Never rejects. */
export async function spawnChild(
  image: ProcessImage,
  stdio: StdioOptions,
): Promise<(ChildProcess & { readonly pid: number }) | NotStarted> {
  const { file, args, cwd, env } = image;
  // execa takes a third of a millisecond more, a fifth of what a small command takes in all (scripts/bench/call.ts).
  let child: ChildProcess;
  try {
    child = spawn(file, args, { cwd, env, detached: true, stdio });
  } catch (error) {
    return { errorCode: codeOf(error) };
  }
  const failed = new Promise<unknown>((resolve) => {
    child.once('error', resolve);
  });
  return isStarted(child) ? child : { errorCode: codeOf(await failed) };
}

function isStarted(child: ChildProcess): child is ChildProcess & { readonly pid: number } {
  return child.pid !== undefined;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

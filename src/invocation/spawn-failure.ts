import { stat } from 'node:fs/promises';
import type { CallCode } from '../diagnostic.js';
import { lostStartCode } from './spawn-child.js';

/** What could not be started, as the node writes it and as it was looked for. */
export interface FailedStart {
  /** First word of the shell arm. Messages name this, never an absolute path of the service. */
  readonly word: string;
  /** The same, or the absolute path that it stands for. */
  readonly file: string;
  readonly cwd: string;
}

/**
 * Tells why a process could not be started. The system gives ENOENT for a missing folder, a missing program and a missing interpreter
 * alike, so it is looked at afterwards: a check before the start could be outdated when it matters, and would cost every call.
 */
export async function explainSpawnFailure(
  errorCode: string | undefined,
  { word, file, cwd }: FailedStart,
): Promise<{ code: CallCode; message: string; details: { error?: string } }> {
  const details = errorCode === undefined ? {} : { error: errorCode };
  const failed = (message: string) => ({ code: 'spawn_failed' as const, message, details });
  if (errorCode === 'E2BIG') {
    const message = 'The arguments and the environment together are larger than this system passes to a process';
    return { code: 'argument_too_large', message, details };
  }
  if (errorCode === lostStartCode) {
    return failed(
      `The process that starts commands for toolgraph was ended from outside while it started ${word}, which may have run; see what it has done, then call it again`,
    );
  }
  if (!(await isFolder(cwd))) {
    return failed(
      'The folder in which tools run does not exist; restore it, or correct "cwd" in toolgraph.config.json',
    );
  }
  if (errorCode === 'ENOENT' && file.includes('/') && (await exists(file))) {
    return failed(`The interpreter that the first line of ${word} names was not found; install it`);
  }
  if (errorCode === 'ENOENT') {
    const place = word.includes('/') ? 'does not exist' : 'was not found on PATH; install it';
    return failed(`The command ${word} ${place}`);
  }
  if (errorCode === 'EACCES') {
    return failed(`The command ${word} may not be executed; set its execute bit`);
  }
  return failed(`The command ${word} could not be started (${errorCode ?? 'no reason given'})`);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

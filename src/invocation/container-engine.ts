import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { type EngineCommand, engineVariables, partEngineFlags } from '../../schemas/engine.js';
import { realPath } from '../instance/containment.js';
import { childEnvironment } from './environment.js';
import { type RunResult, run } from './run.js';

/** Time for a question to the engine, and for each step of removing a container, in milliseconds. */
export const engineTimeoutMs = 10_000;
const engineOutputBytes = 1_048_576;

/** An engine as one instance uses it. */
export interface Engine {
  readonly command: EngineCommand;
  /** Flags of the config. */
  readonly flags: readonly string[];
  /** The environment of the service. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The environment of the engine itself: what every tool is given, what tells it where its containers are, and `passed`. */
export function engineEnvironment({ env }: Engine, passed: readonly string[] = []): Record<string, string> {
  const names = [...engineVariables, ...passed];
  return childEnvironment(env, names, names);
}

/** Runs a command of the engine that is no call of a Tool. Bounded in time and output; does not reject. */
export function askEngine(engine: Engine, args: readonly string[], signal?: AbortSignal): Promise<RunResult> {
  return run({
    file: engine.command,
    args: [...partEngineFlags(engine.command, engine.flags).global, ...args],
    // Wherever the instance is, or was.
    cwd: '/',
    env: engineEnvironment(engine),
    timeoutMs: engineTimeoutMs,
    outputBytes: engineOutputBytes,
    ...(signal === undefined ? {} : { signal }),
  });
}

/**
 * Ends and removes containers, whatever their state. Gives what the engine says when one may be left, undefined when none is.
 */
export async function removeContainers(engine: Engine, names: readonly string[]): Promise<string | undefined> {
  // Without this, podman waits for 10 seconds after TERM. What does not run cannot be killed, which is no failure.
  await askEngine(engine, ['kill', '--signal=KILL', ...names]);
  const removed = await askEngine(engine, ['rm', '--force', ...names]);
  if (removed.kind !== 'ended') return `${engine.command} could not be started`;
  if (removed.exitCode === 0 || /no such container/i.test(removed.stderrTail)) return undefined;
  return removed.stderrTail.trim().split('\n').at(-1) || `${engine.command} did not answer in time`;
}

/** How the containers of an instance are labelled: the same for all its servers, and for no other instance of any host. */
export function instanceLabel(root: string): string {
  const place = `${hostname()}\0${realPath(root) ?? root}`;
  return createHash('sha256').update(place).digest('hex').slice(0, 32);
}

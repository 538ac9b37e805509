import { constants } from 'node:os';
import type { EngineCommand } from '../../schemas/engine.js';
import { pullCommand } from './container-argv.js';
import type { CallOutcome } from './outcome.js';
import { cancelledBeforeStart } from './refusal.js';
import type { ProcessEnd } from './run.js';

/** What was run, for a message. */
export interface RunInContainer {
  readonly engine: EngineCommand;
  readonly image: string;
  /** First word of the command in the image; undefined where the image states it. */
  readonly command: string | undefined;
}

/** As podman and docker begin what they say themselves. */
const complaint: Readonly<Record<EngineCommand, RegExp>> = {
  podman: /^Error: (.+)$/m,
  docker: /^(?:docker: |Error response from daemon: |Error: )(.+)$/m,
};

const missingImage = /no such image|image not known|unable to find image/i;
const shownLength = 500;

/** What an engine says went wrong, in one line; undefined when it says nothing. Pure. */
export function engineComplaint(engine: EngineCommand, stderr: string): string | undefined {
  const [, said] = complaint[engine].exec(stderr) ?? [];
  return said === undefined || said.length <= shownLength ? said : `${said.slice(0, shownLength)}…`;
}

/**
 * The outcome of a container that never ran its program; undefined when it did. Engines end with 125 when they fail themselves, with
 * 126 and 127 when the command cannot be started: but a program may end so too. So it counts only when the program wrote nothing and
 * the engine says so on stderr, at 126 and 127 about the OCI runtime. Pure.
 */
export function engineFailure(run: RunInContainer, end: ProcessEnd): CallOutcome | undefined {
  const { exitCode, stderrTail } = end;
  if (exitCode !== 125 && exitCode !== 126 && exitCode !== 127) return undefined;
  const said = engineComplaint(run.engine, stderrTail);
  if (end.stopReason !== undefined || end.stdoutTail !== '' || said === undefined) return undefined;
  if (exitCode !== 125 && !/\bOCI\b/.test(stderrTail)) return undefined;
  const { engine, image, command } = run;
  const what = command === undefined ? `the command of the image ${image}` : `the command ${command}`;
  const where = command === undefined ? '' : ` in the image ${image}`;
  if (exitCode === 127) return unstarted(engine, `There is no ${what.replace(/^the /, '')}${where}`, end);
  if (exitCode === 126) return unstarted(engine, `T${what.slice(1)}${where} cannot be executed`, end);
  if (missingImage.test(stderrTail)) return unstarted(engine, missingImageWords(engine, image), end);
  return unstarted(engine, `${engine} could not run the image ${image}: ${said}`, end);
}

/** The outcome of an image that could not be looked at. Pure. */
export function imageFailure(engine: EngineCommand, image: string, end: ProcessEnd): CallOutcome {
  if (end.stopReason === 'cancelled') return cancelledBeforeStart;
  if (end.stopReason === 'timeout') return unstarted(engine, `${engine} did not answer in time`, end);
  if (missingImage.test(end.stderrTail)) return unstarted(engine, missingImageWords(engine, image), end);
  const said = engineComplaint(engine, end.stderrTail) ?? `it ended with exit code ${end.exitCode}`;
  return unstarted(engine, `${engine} could not look at the image ${image}: ${said}`, end);
}

/** Names the signal that an exit code of more than 128 stands for: an engine passes on no signal itself. Pure. */
export function withSignalNamed(outcome: CallOutcome, exitCode: number | null): CallOutcome {
  if (outcome.kind === 'ran' || outcome.code !== 'exit_code' || exitCode === null || exitCode <= 128) return outcome;
  const signal = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  if (signal === undefined) return outcome;
  const cause = signal === 'SIGKILL' ? ', as does one that needs more memory than it may have' : '';
  const message = `${outcome.message}, as a process does that ${signal} ends${cause}`;
  return { ...outcome, message, details: { ...outcome.details, signal } };
}

function missingImageWords(engine: EngineCommand, image: string): string {
  return `The image ${image} is not on this host, and a call downloads nothing; run: ${pullCommand(engine, image)}`;
}

function unstarted(engine: EngineCommand, message: string, { exitCode, stderrTail }: ProcessEnd): CallOutcome {
  const details = { engine, exitCode, ...(stderrTail === '' ? {} : { stderr: stderrTail }) };
  return { kind: 'failed', code: 'spawn_failed', message, details };
}

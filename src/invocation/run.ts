import type { Readable } from 'node:stream';
import { setImmediate as afterPoll } from 'node:timers/promises';
import type { OutputSpool } from './kept-outputs.js';
import { endLeftBehind, enterOwnCgroup, hasOwnCgroup, type LeftBehind } from './left-behind.js';
import type { CallObserver } from './outcome.js';
import { CappedOutput, type CapturedText, OutputTail } from './output.js';
import { holdersOf } from './output-holders.js';
import { killGroup } from './process-group.js';
import { type Progress, ProgressLines } from './progress.js';
import { hasEnded, RunningProcess, runningLeaders, type StopReason } from './running.js';
import type { NotStarted } from './spawn-child.js';
import { type ProcessExit, type ProcessStart, type StartedProcess, startProcess } from './start-process.js';

const tailBytes = 4096;
/** How long the pipes of a process that has ended may stay open, in milliseconds: another process may hold them. */
const drainMs = 200;

/** One process to run. */
export interface Command extends ProcessStart {
  /** `file` as the node writes it, for the record. Default: `file`. */
  readonly word?: string;
  readonly timeoutMs: number;
  readonly outputBytes: number;
  /** Is given all of stdout when that is more than `outputBytes`. */
  readonly overflow?: OutputSpool;
  readonly signal?: AbortSignal;
  readonly owner?: object;
  /** Default: `end`. */
  readonly daemons?: 'end' | 'leave';
  readonly observer?: CallObserver;
  /** Is told of each line `::progress n/total text` on stderr, which is then no part of what is kept of stderr. */
  readonly onProgress?: (progress: Progress) => void;
}

/** The exit code is null when a signal ended it, or nothing could. */
export interface ProcessEnd extends ProcessExit {
  readonly kind: 'ended';
  readonly stopReason?: StopReason;
  readonly output: CapturedText;
  /** What of stdout `output` is the text of. */
  readonly outputBytes: Buffer;
  readonly stdoutTail: string;
  readonly stderrTail: string;
  /** Ids of the processes that it started and that could not be ended: they left its group, or KILL does not reach them. */
  readonly survivors: readonly number[];
  /** Ids of those that had left its group and could be ended. */
  readonly endedSurvivors: readonly number[];
}

export type RunResult = ProcessEnd | ({ readonly kind: 'not-started' } & NotStarted) | { readonly kind: 'cancelled' };

/**
 * Runs one process as the leader of its own group, and returns when it has ended, its pipes are drained and its group is gone
 * (tool-node.md §4, X5). Its time begins when it starts. On timeout or cancel the group gets TERM, then KILL. Does not throw for anything that
 * the program does; rejects, with nothing started, as `observer.starting` does.
 */
export async function run(command: Command): Promise<RunResult> {
  const isCancelled = () => command.signal?.aborted || hasEnded(command.owner);
  if (isCancelled()) return { kind: 'cancelled' };
  await command.observer?.starting([command.word ?? command.file, ...command.args]);
  if (isCancelled()) return { kind: 'cancelled' };
  if (command.daemons !== 'leave') enterOwnCgroup();
  const child = await startProcess(command, { withOutputs: !hasOwnCgroup() });
  if ('errorCode' in child) return { kind: 'not-started', ...child };
  command.observer?.started(child.pid, child.identity);

  const output = new CappedOutput(command.outputBytes, command.overflow);
  const stdoutTail = new OutputTail(tailBytes);
  const stderrTail = new OutputTail(tailBytes);
  child.stdout.on('data', (chunk: Buffer) => {
    output.write(chunk);
    stdoutTail.write(chunk);
  });
  const stderrLines = new ProgressLines({
    onProgress: (progress) => command.onProgress?.(progress),
    onText: (bytes) => stderrTail.write(bytes),
  });
  child.stderr.on('data', (chunk: Buffer) => stderrLines.write(chunk));
  for (const pipe of [child.stdout, child.stderr]) pipe.resume();

  const running = new RunningProcess(child.pid, command.owner);
  // While it was started its owner ended all that ran.
  if (hasEnded(command.owner)) running.kill();
  const exit = await exitOf(child, running, command);
  const stopReason = running.stopReason;
  const isHeld = (await drain([child.stdout, child.stderr])) === 'late';
  const { alive, ended } = await endGroup(running, isHeld ? child.outputs : []);
  child.stdout.destroy();
  child.stderr.destroy();
  stderrLines.end();
  running.finish();
  command.observer?.ended({
    ...(exit.exitCode === null ? {} : { exitCode: exit.exitCode }),
    ...(exit.signal === null ? {} : { signal: exit.signal }),
    output: output.digest(),
    ...(alive.length === 0 ? {} : { survivors: alive }),
    ...(ended.length === 0 ? {} : { endedSurvivors: ended }),
  });
  return {
    kind: 'ended',
    ...exit,
    ...(stopReason === undefined ? {} : { stopReason }),
    output: output.read(),
    outputBytes: output.bytes(),
    stdoutTail: stdoutTail.read(),
    stderrTail: stderrTail.read(),
    survivors: alive,
    endedSurvivors: ended,
  };
}

/**
 * Ends the group of a process that has ended, and what has left it: all of that in a control group; else what lives on of its descendants,
 * where they were noted, and of the holders of its outputs, is only told.
 */
async function endGroup(running: RunningProcess, heldOutputs: readonly string[]): Promise<LeftBehind> {
  const { group } = running;
  const descendants = await running.descendants;
  if (!hasOwnCgroup()) {
    const left = new Set([...(await killGroup(group, descendants)), ...holdersOf(heldOutputs)]);
    return { alive: [...left].sort((a, b) => a - b), ended: [] };
  }
  const members = await killGroup(group, []);
  const { alive, ended } = await endLeftBehind(descendants, () =>
    runningLeaders().filter((leader) => leader !== group),
  );
  return { alive: [...new Set([...members, ...alive])], ended };
}

/** Waits for the end of the process itself, and has it stopped on timeout and cancel. */
async function exitOf(
  { exited }: StartedProcess,
  running: RunningProcess,
  { timeoutMs, signal }: Command,
): Promise<ProcessExit> {
  const timer = setTimeout(() => running.stop('timeout'), timeoutMs);
  const cancel = () => running.stop('cancelled');
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) cancel();
  const exit = await Promise.race([exited, running.unkillable.then(() => ({ exitCode: null, signal: null }))]);
  running.ended();
  clearTimeout(timer);
  signal?.removeEventListener('abort', cancel);
  return exit;
}

/** Reads what the ended process left in its pipes. They close at once unless another process holds them; then the time is bounded. */
async function drain(pipes: readonly Readable[]): Promise<'closed' | 'late'> {
  const closed = Promise.all(pipes.map(endOf)).then(() => 'closed' as const);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, drainMs, 'late');
  });
  // A busy event loop runs the timer before it reads: one more poll takes what has been waiting in the pipe.
  const first = await Promise.race([closed, late]);
  if (first === 'late') await afterPoll();
  clearTimeout(timer);
  return first;
}

/** Its end, or that of one that broke. */
function endOf(pipe: Readable): Promise<void> {
  if (pipe.readableEnded || pipe.closed) return Promise.resolve();
  return new Promise((resolve) => {
    pipe.once('end', resolve).once('close', resolve);
  });
}

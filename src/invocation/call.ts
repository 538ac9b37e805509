import { resolve } from 'node:path';
import { confirmationProperty } from '../../schemas/declaration.js';
import type { Entry } from '../projection/generation.js';
import { type Argv, buildArgv } from './argv.js';
import { childEnvironment } from './environment.js';
import type { CallOutcome, CallSettings } from './outcome.js';
import type { Refusal } from './refusal.js';
import { type ProcessEnd, run } from './run.js';
import { explainSpawnFailure } from './spawn-failure.js';
import { structuredOutput } from './structured-output.js';
import { validateArguments } from './validate.js';

/**
 * One call of a projected Tool (tool-node.md §4): confirmation, validation, argv, run, outcome. `args` is whatever the client sent.
 * Never throws: all that goes wrong is an outcome with a code, and a fault of toolgraph is `internal_error` without its stack.
 */
export async function callEntry(entry: Entry, args: unknown, settings: CallSettings): Promise<CallOutcome> {
  try {
    const refusal = refuseUnconfirmed(entry, args) ?? (await validateArguments(entry, args));
    if (refusal !== undefined) return refusal;
    const argv = buildArgv(entry, args as Readonly<Record<string, unknown>>);
    return argv.kind === 'refused' ? argv : await runShellArm(entry, argv, settings);
  } catch (error) {
    settings.onInternalError?.(error);
    return { kind: 'failed', code: 'internal_error', message: 'toolgraph itself failed on this call', details: {} };
  }
}

/** P13: exactly `true`, and before any other check, so that nothing about the call is learnt without the user. */
function refuseUnconfirmed({ tool }: Entry, args: unknown): Refusal | undefined {
  if (tool.requiresConfirmation !== true) return undefined;
  const given = typeof args === 'object' && args !== null && Object.hasOwn(args, confirmationProperty);
  if (given && (args as Readonly<Record<string, unknown>>)[confirmationProperty] === true) return undefined;
  return {
    kind: 'refused',
    code: 'confirmation_required',
    message: `Ask the user first, then call with ${confirmationProperty}: true`,
    details: { property: confirmationProperty },
  };
}

async function runShellArm(entry: Entry, argv: Argv, settings: CallSettings): Promise<CallOutcome> {
  const { tool } = entry;
  const timeoutMs = tool.limits?.timeoutMs ?? settings.timeoutMs;
  const outputBytes = tool.limits?.outputBytes ?? settings.outputBytes;
  const word = argv.file;
  // A relative first word is a path of the instance, wherever the config has tools run.
  const file = word.includes('/') ? resolve(settings.root ?? settings.cwd, word) : word;
  const result = await run({
    file,
    args: argv.args,
    ...(argv.stdin === undefined ? {} : { stdin: argv.stdin }),
    cwd: settings.cwd,
    env: childEnvironment(settings.env, tool.requires?.env ?? [], settings.permittedEnv),
    timeoutMs,
    outputBytes,
    ...(settings.signal === undefined ? {} : { signal: settings.signal }),
    ...(settings.owner === undefined ? {} : { owner: settings.owner }),
  });
  if (result.kind === 'ended') {
    return failureOfEnd(entry.id, timeoutMs, result) ?? (await outcomeOfOutput(entry, outputBytes, result));
  }
  if (result.kind === 'cancelled') {
    return { kind: 'refused', code: 'cancelled', message: 'The call was cancelled before it started', details: {} };
  }
  return { kind: 'failed', ...(await explainSpawnFailure(result.errorCode, { word, file, cwd: settings.cwd })) };
}

/** The result of a process that ended well: its stdout, or what the outputSchema says that it holds (P6). */
async function outcomeOfOutput(entry: Entry, limitBytes: number, end: ProcessEnd): Promise<CallOutcome> {
  const { text, truncated } = end.output;
  const { outputs } = entry.binding;
  const { outputSchema } = entry.declaration;
  if (outputs === undefined || outputSchema === undefined) return { kind: 'ran', text, truncated };
  const structured = await structuredOutput(entry, { outputs, outputSchema }, end.output, limitBytes);
  if ('value' in structured) return { kind: 'ran', text: structured.text, truncated, structured: structured.value };
  const stderr = end.stderrTail === '' ? {} : { stderr: end.stderrTail };
  return { kind: 'failed', ...structured, details: { ...structured.details, ...stderr } };
}

/** How a process ended that was stopped or did not succeed; undefined for one that ended well. */
function failureOfEnd(id: string, timeoutMs: number, end: ProcessEnd): CallOutcome | undefined {
  if (end.stopReason === undefined && end.exitCode === 0) return undefined;
  const said = {
    ...(end.stderrTail === '' ? {} : { stderr: end.stderrTail }),
    ...(end.stdoutTail === '' ? {} : { stdout: end.stdoutTail }),
    ...(end.survivors.length === 0 ? {} : { survivors: end.survivors }),
  };
  if (end.stopReason === 'timeout') {
    const message = `${id} did not end within ${timeoutMs} ms and was ended`;
    return { kind: 'failed', code: 'timeout', message, details: { timeoutMs, ...said } };
  }
  if (end.stopReason === 'cancelled') {
    return { kind: 'failed', code: 'cancelled', message: `${id} was cancelled and ended`, details: said };
  }
  if (end.exitCode === null) {
    const message = `${id} was ended by ${end.signal ?? 'an unknown signal'}`;
    return { kind: 'failed', code: 'killed', message, details: { signal: end.signal, ...said } };
  }
  const message = `${id} ended with exit code ${end.exitCode}`;
  return { kind: 'failed', code: 'exit_code', message, details: { exitCode: end.exitCode, ...said } };
}

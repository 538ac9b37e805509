import { resolve } from 'node:path';
import type { Entry, ShellBinding } from '../projection/generation.js';
import { buildArgv } from './argv.js';
import type { CallSettings } from './call-settings.js';
import { childEnvironment } from './environment.js';
import type { CallOutcome } from './outcome.js';
import { outcomeOfEnd } from './process-outcome.js';
import { cancelledBeforeStart } from './refusal.js';
import { run } from './run.js';
import { explainSpawnFailure } from './spawn-failure.js';

/** A Tool that runs as a command. */
export type ShellEntry = Entry & { readonly binding: ShellBinding };

/** Runs the shell arm: argv, process, outcome. `args` satisfy the inputSchema. */
export async function callShell(
  entry: ShellEntry,
  args: Readonly<Record<string, unknown>>,
  settings: CallSettings,
): Promise<CallOutcome> {
  const argv = buildArgv(entry, args);
  if (argv.kind === 'refused') return argv;
  const { tool } = entry;
  const timeoutMs = tool.limits?.timeoutMs ?? settings.timeoutMs;
  const outputBytes = tool.limits?.outputBytes ?? settings.outputBytes;
  const word = argv.file;
  // A relative first word is a path of the instance, wherever the config has tools run.
  const file = word.includes('/') ? resolve(settings.root ?? settings.cwd, word) : word;
  const result = await run({
    file,
    word,
    args: argv.args,
    ...(argv.stdin === undefined ? {} : { stdin: argv.stdin }),
    cwd: settings.cwd,
    env: childEnvironment(settings.env, tool.requires?.env ?? [], settings.permittedEnv),
    timeoutMs,
    outputBytes,
    ...(settings.overflow === undefined ? {} : { overflow: settings.overflow }),
    ...(settings.signal === undefined ? {} : { signal: settings.signal }),
    ...(settings.owner === undefined ? {} : { owner: settings.owner }),
    ...(settings.daemons === undefined ? {} : { daemons: settings.daemons }),
    ...(settings.observer === undefined ? {} : { observer: settings.observer }),
    ...(settings.onProgress === undefined ? {} : { onProgress: settings.onProgress }),
  });
  if (result.kind === 'ended') return outcomeOfEnd(entry, { timeoutMs, outputBytes }, result);
  if (result.kind === 'cancelled') return cancelledBeforeStart;
  return { kind: 'failed', ...(await explainSpawnFailure(result.errorCode, { word, file, cwd: settings.cwd })) };
}

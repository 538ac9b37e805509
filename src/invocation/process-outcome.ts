import type { Entry, ShellBinding } from '../projection/generation.js';
import { contentOutput } from './content-output.js';
import type { CallOutcome } from './outcome.js';
import type { ProcessEnd } from './run.js';
import { structuredOutput, type UnfitOutput } from './structured-output.js';

/** A Tool that runs as a process. */
export type ProcessEntry = Pick<Entry, 'id' | 'iri' | 'declaration' | 'linearPatterns'> & {
  readonly binding: Pick<ShellBinding, 'outputs' | 'valueSchema'>;
};

/** What the end of a process is for its caller; `limits` are those under which it ran. */
export async function outcomeOfEnd(
  entry: ProcessEntry,
  { timeoutMs, outputBytes }: { readonly timeoutMs: number; readonly outputBytes: number },
  end: ProcessEnd,
): Promise<CallOutcome> {
  return failureOfEnd(entry.id, timeoutMs, end) ?? (await outcomeOfOutput(entry, outputBytes, end));
}

/** The result of a process that ended well: its stdout, or the outputs that it holds, as values or as content (P6). */
async function outcomeOfOutput(entry: ProcessEntry, limitBytes: number, end: ProcessEnd): Promise<CallOutcome> {
  const { text, truncated } = end.output;
  const { outputs, valueSchema } = entry.binding;
  const { outputSchema } = entry.declaration;
  if (outputs !== undefined && valueSchema !== undefined) {
    const captured = { ...end.output, bytes: end.outputBytes };
    const found = await contentOutput(entry, { outputs, valueSchema }, captured, limitBytes);
    return 'content' in found ? { kind: 'ran', truncated, ...found } : unfit(found, end);
  }
  if (outputs === undefined || outputSchema === undefined) return { kind: 'ran', text, truncated };
  const structured = await structuredOutput(entry, { outputs, outputSchema }, end.output, limitBytes);
  if ('value' in structured) return { kind: 'ran', text: structured.text, truncated, structured: structured.value };
  return unfit(structured, end);
}

function unfit({ code, message, details }: UnfitOutput, { stderrTail }: ProcessEnd): CallOutcome {
  const stderr = stderrTail === '' ? {} : { stderr: stderrTail };
  return { kind: 'failed', code, message, details: { ...details, ...stderr } };
}

/** How a process ended that was stopped or did not succeed; undefined for one that ended well. */
function failureOfEnd(id: string, timeoutMs: number, end: ProcessEnd): CallOutcome | undefined {
  if (end.stopReason === undefined && end.exitCode === 0) return undefined;
  const said = {
    ...(end.stderrTail === '' ? {} : { stderr: end.stderrTail }),
    ...(end.stdoutTail === '' ? {} : { stdout: end.stdoutTail }),
    ...(end.survivors.length === 0 ? {} : { survivors: end.survivors }),
    ...(end.endedSurvivors.length === 0 ? {} : { endedSurvivors: end.endedSurvivors }),
  };
  if (end.stopReason === 'timeout') {
    const message = `${id} did not end within ${timeoutMs} ms and was ended`;
    return { kind: 'failed', code: 'timeout', message, details: { timeoutMs, ...said } };
  }
  if (end.stopReason === 'cancelled') {
    return { kind: 'failed', code: 'cancelled', message: `${id} was cancelled and ended`, details: said };
  }
  if (end.isLost) {
    const message = `${id} was ended, because the process that had started it for toolgraph was ended from outside; call it again`;
    return { kind: 'failed', code: 'killed', message, details: { signal: null, ...said } };
  }
  if (end.exitCode === null) {
    const message = `${id} was ended by ${end.signal ?? 'an unknown signal'}`;
    return { kind: 'failed', code: 'killed', message, details: { signal: end.signal, ...said } };
  }
  const message = `${id} ended with exit code ${end.exitCode}`;
  return { kind: 'failed', code: 'exit_code', message, details: { exitCode: end.exitCode, ...said } };
}

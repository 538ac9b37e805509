import {
  type ArmEnd,
  type CallRecord,
  type CallRecorder,
  recordedArgv,
  recordedOutcome,
  textDigest,
  UnwritableRecord,
} from './call-record.js';
import type { KeptOutput } from './kept-outputs.js';
import type { LeftBehind } from './left-behind.js';
import type { CallObserver, CallOutcome } from './outcome.js';
import type { SecretMask } from './secret-mask.js';

/** How a call ended, and the id of its record; without one where nothing of it could be recorded. */
export interface AnsweredCall {
  readonly id?: string;
  readonly outcome: CallOutcome;
  /** The whole output, where that is more than the outcome gives. */
  readonly kept?: KeptOutput;
  /** What it left running, where there is such. */
  readonly leftBehind?: LeftBehind;
}

/**
 * One call with its record: what is to be started is recorded before, and the outcome before it is answered (tool-node.md §4). Where that
 * cannot be, nothing is started, or the answer is an `internal_error` that says what became of the call (R6). `perform` makes the call,
 * tells the observer, and never rejects. Secrets are masked in the record, and in the answer where that is an error.
 */
export async function recordedCall(
  draft: CallRecord,
  mask: SecretMask,
  recorder: CallRecorder,
  perform: (observer: CallObserver) => Promise<CallOutcome>,
): Promise<AnsweredCall> {
  let record = draft;
  let isBegun = false;
  let refusal: UnwritableRecord | undefined;
  let armEnd: ArmEnd = {};
  const performed = await perform({
    async starting(argv) {
      if (argv !== undefined) record = { ...record, argv: recordedArgv(argv, mask) };
      try {
        await recorder.put(record);
        isBegun = true;
      } catch (error) {
        refusal = unwritable(error);
        throw error;
      }
    },
    started: (pid, identity) => void recorder.leads(record.id, pid, identity),
    ended: (end) => {
      armEnd = end;
    },
  });
  const outcome = maskedError(performed, mask);
  const { id, name } = record;
  if (refusal !== undefined) return { outcome: unrecorded(`${name} was not run, because`, refusal) };
  const output = armEnd.output ?? (outcome.kind === 'ran' ? textDigest(outcome.text) : undefined);
  const end = {
    ...recordedOutcome(outcome, mask),
    ...armEnd,
    ...(output === undefined ? {} : { output }),
    finished: new Date(),
  };
  try {
    await recorder.put({ ...record, end });
    return { id, outcome, ...leftBehindOf(armEnd) };
  } catch (error) {
    const became = isBegun
      ? `${name} ran (${end.outcome}), but`
      : `${name} was not run (${end.code ?? end.outcome}), and`;
    const told = { outcome: unrecorded(became, unwritable(error), outcome), ...leftBehindOf(armEnd) };
    return { ...(isBegun ? { id } : {}), ...told };
  }
}

function leftBehindOf({ survivors: alive = [], endedSurvivors: ended = [] }: ArmEnd): Pick<AnsweredCall, 'leftBehind'> {
  return alive.length + ended.length === 0 ? {} : { leftBehind: { alive, ended } };
}

/** A tool may say on stderr what it was given. What it prints as its output is the caller's to have. */
function maskedError(outcome: CallOutcome, mask: SecretMask): CallOutcome {
  if (outcome.kind === 'ran') return outcome;
  const details = Object.entries(outcome.details).map(([key, value]) => [key, mask.value(value)] as const);
  return { ...outcome, message: mask.text(outcome.message), details: Object.fromEntries(details) };
}

function unrecorded(became: string, cause: UnwritableRecord, hidden?: CallOutcome): CallOutcome {
  const message = `${became} its record could not be written: ${cause.message}`;
  const details = hidden === undefined || hidden.kind === 'ran' ? {} : { code: hidden.code };
  return { kind: 'failed', code: 'internal_error', message, details };
}

function unwritable(error: unknown): UnwritableRecord {
  return error instanceof UnwritableRecord ? error : new UnwritableRecord('toolgraph itself failed');
}

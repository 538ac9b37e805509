import { confirmationProperty } from '../../schemas/declaration.js';
import type { Entry } from '../projection/generation.js';
import { fittingBeginning, resultBytesLimit } from '../result-size.js';
import type { CallSettings } from './call-settings.js';
import { callContainer } from './container-call.js';
import { callModule } from './module-call.js';
import type { CallOutcome } from './outcome.js';
import { cancelledBeforeStart, type Refusal, refuseBusy } from './refusal.js';
import { callShell } from './shell-call.js';
import { validateArguments } from './validate.js';

/**
 * One call of a projected Tool (tool-node.md §4): confirmation, validation, its turn, then the chosen arm. `args` is whatever the client sent.
 * Never throws: all that goes wrong is an outcome with a code, and a fault of toolgraph is `internal_error` without its stack.
 */
export async function callEntry(entry: Entry, args: unknown, settings: CallSettings): Promise<CallOutcome> {
  try {
    const refusal = refuseUnconfirmed(entry, args) ?? (await validateArguments(entry, args));
    if (refusal !== undefined) return refusal;
    return await runInTurn(entry, args as Readonly<Record<string, unknown>>, settings);
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

/** Runs the arm when the limits on concurrent calls allow it. */
async function runInTurn(
  entry: Entry,
  args: Readonly<Record<string, unknown>>,
  settings: CallSettings,
): Promise<CallOutcome> {
  const admission = await settings.queue.enter(entry.name, settings.signal);
  if (admission.kind === 'cancelled') return cancelledBeforeStart;
  if (admission.kind === 'busy') return refuseBusy(entry.name, admission.ofTool, admission.ofAll);
  try {
    return withTextCut(await runArm(entry, args, settings));
  } finally {
    admission.leave();
  }
}

async function runArm(
  entry: Entry,
  args: Readonly<Record<string, unknown>>,
  settings: CallSettings,
): Promise<CallOutcome> {
  const { binding } = entry;
  if (binding.arm === 'shell') return callShell({ ...entry, binding }, args, settings);
  if (binding.arm === 'container') return callContainer({ ...entry, binding }, args, settings);
  return callModule({ ...entry, binding }, args, settings);
}

/** A text that does not fit into a result is cut. Outputs with a schema and blocks of content were measured where they were read. */
function withTextCut(outcome: CallOutcome): CallOutcome {
  if (outcome.kind !== 'ran' || outcome.structured !== undefined || outcome.content !== undefined) return outcome;
  const beginning = fittingBeginning(outcome.text, resultBytesLimit);
  if (beginning.length === outcome.text.length) return outcome;
  const mark = `output cut at ${Buffer.byteLength(beginning)} bytes, because a result has at most ${resultBytesLimit} bytes of JSON; print less`;
  return { ...outcome, text: `${beginning}\n[${mark}]`, truncated: true };
}

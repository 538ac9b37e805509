import { describe, expect, it } from 'vitest';
import { type CallRecord, type CallRecorder, UnwritableRecord } from '../../src/invocation/call-record.js';
import type { CallObserver, CallOutcome } from '../../src/invocation/outcome.js';
import { recordedCall } from '../../src/invocation/recorded-call.js';
import { SecretMask } from '../../src/invocation/secret-mask.js';

const draft: CallRecord = {
  id: 'the-id',
  name: 'tool',
  generation: { key: 'k', number: 1, digest: 'd' },
  by: { identity: 'none' },
  started: new Date(0),
};
const ran: CallOutcome = { kind: 'ran', text: 'été', truncated: false };
const refused: CallOutcome = { kind: 'refused', code: 'invalid_params', message: 'wrong', details: {} };

/** Notes what happens, in order; `failing` says which of its writes are refused, counted from 0. */
function recorder(failing: readonly number[] = [], error: Error = new UnwritableRecord('the disk is full')) {
  const events: unknown[] = [];
  const written: CallRecord[] = [];
  let attempts = 0;
  const fake: CallRecorder = {
    async put(record) {
      await new Promise(setImmediate);
      if (failing.includes(attempts++)) throw error;
      written.push(record);
      events.push(record.end?.outcome ?? 'begun');
    },
    async leads(id, pid) {
      events.push([id, pid]);
    },
  };
  return { fake, events, written };
}

/** An arm that starts a process and ends as `outcome` says; as `callEntry`, it turns what it throws into a value. */
function arm(events: unknown[], outcome: CallOutcome) {
  return async (observer: CallObserver): Promise<CallOutcome> => {
    try {
      await observer.starting(['tool', 'x']);
    } catch {
      return { kind: 'failed', code: 'internal_error', message: 'toolgraph itself failed', details: {} };
    }
    events.push('started');
    observer.started(77);
    observer.ended({ exitCode: 0 });
    return outcome;
  };
}

const open = new SecretMask({}, []);

describe('recordedCall', () => {
  it('writes what begins before it is started, and the end before it answers', async () => {
    const { fake, events, written } = recorder();
    const answer = await recordedCall(draft, open, fake, arm(events, ran));
    expect(events).toEqual(['begun', 'started', ['the-id', 77], 'ran']);
    expect(answer).toEqual({ id: 'the-id', outcome: ran });
    expect(written[0]?.argv?.words).toEqual(['tool', 'x']);
    expect(written[1]).toMatchObject({ end: { exitCode: 0, reason: '', output: { bytes: 5 } } });
  });

  it('writes a refusal at once, whole', async () => {
    const { fake, events, written } = recorder();
    expect(await recordedCall(draft, open, fake, async () => refused)).toEqual({ id: 'the-id', outcome: refused });
    expect(events).toEqual(['refused-input']);
    expect(written[0]?.end).not.toHaveProperty('output');
  });

  it('R6: starts nothing when that cannot be written, and says so', async () => {
    const { fake, events } = recorder([0]);
    expect(await recordedCall(draft, open, fake, arm(events, ran))).toEqual({
      outcome: {
        kind: 'failed',
        code: 'internal_error',
        message: 'tool was not run, because its record could not be written: the disk is full',
        details: {},
      },
    });
    expect(events).toEqual([]);
  });

  it('R6: says that it ran when the end cannot be written', async () => {
    const { fake, events } = recorder([1]);
    const { id, outcome } = await recordedCall(draft, open, fake, arm(events, ran));
    expect(id).toBe('the-id');
    expect(outcome).toMatchObject({
      code: 'internal_error',
      message: 'tool ran (ran), but its record could not be written: the disk is full',
    });
  });

  it('R6: fails a refused call, too, with what it was refused for', async () => {
    const { fake } = recorder([0]);
    expect(await recordedCall(draft, open, fake, async () => refused)).toEqual({
      outcome: {
        kind: 'failed',
        code: 'internal_error',
        message: 'tool was not run (invalid_params), and its record could not be written: the disk is full',
        details: { code: 'invalid_params' },
      },
    });
  });

  it('masks secrets in an error, and leaves the output of a tool as it is', async () => {
    const mask = new SecretMask({ KEY: 'hush-hush' }, ['KEY']);
    const failed: CallOutcome = {
      kind: 'failed',
      code: 'exit_code',
      message: 'no hush-hush',
      details: { exitCode: 1, stderr: 'key=hush-hush' },
    };
    const answer = await recordedCall(draft, mask, recorder().fake, async () => failed);
    expect(answer.outcome).toEqual({
      ...failed,
      message: 'no [masked: KEY]',
      details: { exitCode: 1, stderr: 'key=[masked: KEY]' },
    });
    const output: CallOutcome = { kind: 'ran', text: 'hush-hush', truncated: false };
    expect((await recordedCall(draft, mask, recorder().fake, async () => output)).outcome).toBe(output);
  });

  it('tells nobody of an error that is no word for a caller', async () => {
    const { fake } = recorder([0], new TypeError('/home/someone is undefined'));
    const { outcome } = await recordedCall(draft, open, fake, async () => refused);
    expect(JSON.stringify(outcome)).not.toContain('someone');
  });
});

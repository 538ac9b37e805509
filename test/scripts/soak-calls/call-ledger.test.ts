import { describe, expect, it } from 'vitest';
import type { Invocation } from '../../../schemas/invocation.js';
import { compareRecords, type Fate, type MadeCall } from '../../../scripts/soak-calls/call-ledger.js';
import { type FaultName, faults } from '../../../scripts/soak-calls/faults.js';

function made(name: FaultName, fate: Fate, n = 1): MadeCall {
  const fault = faults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(name);
  return { n, fault, fate };
}

function answered(end: string, text = '', id = 'a'): Fate {
  return { kind: 'answered', end, text, id };
}

function record(about: Partial<Invocation>, n = 1): Invocation {
  return {
    ...{ id: 'a', name: 'sound', outcome: 'ran', started: '2026-01-01T00:00:00.000Z' },
    ...{ by: { actor: `call-${n}`, identity: 'asserted' }, generation: { key: 'k', number: 1, digest: 'd' } },
    ...about,
  };
}

const sound = made('sound', answered('ran', 'ok 1'));
const nothing = { lost: [], doubled: [], unended: [], wrong: [], unexpected: [] };

describe('Records and answers', () => {
  it.each<[string, MadeCall, Partial<Invocation>]>([
    ['of a call that ran', sound, {}],
    ['of a call that failed', made('crash', answered('killed')), { name: 'crash', outcome: 'failed', code: 'killed' }],
    [
      'of a call that was refused',
      made('invalid arguments', answered('invalid_params')),
      { outcome: 'refused-input', code: 'invalid_params' },
    ],
    [
      'of a call for which there was no place',
      made('sound', answered('busy')),
      { outcome: 'unavailable', code: 'busy' },
    ],
    [
      'of a cancelled call',
      made('cancelled', { kind: 'cancelled' }),
      { name: 'hang', outcome: 'cancelled', code: 'cancelled' },
    ],
    [
      'of a call that ended before it was cancelled',
      made('cancelled', { kind: 'cancelled' }),
      { name: 'hang', outcome: 'timeout', code: 'timeout' },
    ],
    [
      'of a call of a server that was killed',
      made('sound', { kind: 'unanswered', death: 'server killed' }),
      { outcome: 'interrupted', reason: 'r' },
    ],
  ])('agree %s', (_, call, about) => {
    expect(compareRecords([call], [record(about)])).toEqual(nothing);
  });

  it('agree where a call never came to a server that was killed', () => {
    expect(compareRecords([made('sound', { kind: 'unanswered', death: 'server killed' })], [])).toEqual(nothing);
  });

  it.each<[string, keyof typeof nothing, MadeCall, readonly Invocation[]]>([
    ['an answered call has no record', 'lost', sound, [record({}, 2)]],
    ['a cancelled call has no record', 'lost', made('cancelled', { kind: 'cancelled' }), []],
    ['a call has two records', 'doubled', sound, [record({}), record({ id: 'b' })]],
    ['there is a record of no call', 'doubled', sound, [record({}), record({}, 7)]],
    ['a record has no end', 'unended', sound, [record({ outcome: null })]],
    ['the outcomes differ', 'wrong', sound, [record({ outcome: 'timeout', code: 'timeout' })]],
    [
      'the codes differ',
      'wrong',
      made('crash', answered('killed')),
      [record({ name: 'crash', outcome: 'failed', code: 'exit_code' })],
    ],
    ['the tools differ', 'wrong', sound, [record({ name: 'crash' })]],
    ['the answer names another record', 'wrong', sound, [record({ id: 'b' })]],
    [
      'a server that ended by itself left a call without its end',
      'wrong',
      made('sound', { kind: 'unanswered', death: 'client killed' }),
      [record({ outcome: 'interrupted' })],
    ],
    [
      'an answer is none that the call may have',
      'unexpected',
      made('crash', answered('ran')),
      [record({ name: 'crash' })],
    ],
    ['a text is that of another call', 'unexpected', made('sound', answered('ran', 'ok 2')), [record({})]],
  ])('are found out where %s', (_, kind, call, records) => {
    expect(compareRecords([call], records)[kind]).not.toEqual([]);
  });
});

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  callerOf,
  cutText,
  keptBytes,
  recordedArgv,
  recordedInputs,
  recordedOutcome,
  skillOf,
} from '../../src/invocation/call-record.js';
import { SecretMask } from '../../src/invocation/secret-mask.js';

const open = new SecretMask({}, []);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the inputs of a record', () => {
  it('are in JCS form, without the confirmation, which is a fact', () => {
    const text = '{"a":[1,null],"b":"x"}';
    expect(recordedInputs({ b: 'x', user_confirmed: true, a: [1, null] }, open)).toEqual({
      inputs: { text, bytes: text.length, sha256: sha256(text) },
      confirmed: true,
    });
    expect(recordedInputs({ user_confirmed: 'yes' }, open)).toMatchObject({ inputs: { text: '{}' }, confirmed: false });
    expect(recordedInputs({ a: { user_confirmed: true } }, open)).not.toHaveProperty('confirmed');
  });

  it('are whatever was sent, when that is refused', () => {
    expect(recordedInputs([1, 2], open).inputs?.text).toBe('[1,2]');
    expect(recordedInputs('text', open).inputs?.text).toBe('"text"');
    expect(recordedInputs(null, open).inputs?.text).toBe('null');
    expect(recordedInputs({ n: Number.POSITIVE_INFINITY, s: '\ud800' }, open).inputs?.text).toBe(
      '{"n":null,"s":"\\ud800"}',
    );
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(recordedInputs({ deep }, open)).toEqual({});
  });

  it('are cut between two characters, with size and digest of the whole', () => {
    fc.assert(
      fc.property(fc.constantFrom('a', 'é', '€', '😀'), fc.integer({ min: 1, max: 4 }), (character, shift) => {
        const text = JSON.stringify({ t: 'x'.repeat(shift) + character.repeat(keptBytes) });
        const { inputs } = recordedInputs(JSON.parse(text), open);
        expect(inputs).toMatchObject({ bytes: Buffer.byteLength(text), sha256: sha256(text) });
        expect(text.startsWith(inputs?.text ?? '?')).toBe(true);
        const kept = Buffer.byteLength(inputs?.text ?? '');
        expect(kept).toBeLessThanOrEqual(keptBytes);
        expect(kept).toBeGreaterThan(keptBytes - 4);
      }),
    );
  });
});

it('the argv of a record is the first words, and says how many there were', () => {
  expect(recordedArgv(['echo', 'a b'], open)).toEqual({
    words: ['echo', 'a b'],
    count: 2,
    sha256: sha256('["echo","a b"]'),
  });
  const many = Array.from({ length: 30_000 }, (_, n) => String(n));
  const { words, count } = recordedArgv(many, open);
  expect([count, words]).toEqual([30_000, many.slice(0, words.length)]);
  expect(JSON.stringify(words).length).toBeLessThanOrEqual(keptBytes);
  expect(recordedArgv(['cat', 'x'.repeat(100_000)], open).words).toEqual(['cat']);
});

describe('SecretMask', () => {
  const mask = new SecretMask({ A: 'secret', B: 'secret-and-more', PIN: '123', CODE: '12345', R: 'a.c|(d' }, [
    'A',
    'B',
    'PIN',
    'CODE',
    'R',
    'NONE',
  ]);

  it('masks the longest value that stands there, as it is and not as a pattern', () => {
    expect(mask.text('a secret-and-more, secret')).toBe('a [masked: B], [masked: A]');
    expect(mask.text('a.c|(d abc')).toBe('[masked: R] abc');
    expect(mask.text('pin 123')).toBe('pin 123');
    expect(mask.value({ secret: ['xsecret', 9123459, 123, true, null] })).toEqual({
      '[masked: A]': ['x[masked: A]', '9[masked: CODE]9', 123, true, null],
    });
  });

  it('leaves no secret in inputs, argv and reason, wherever it stands', () => {
    const secret = fc.string({ minLength: 4, maxLength: 12, unit: fc.constantFrom(...'aB3$.*"\\\n{é😀') });
    fc.assert(
      fc.property(secret, fc.json(), fc.string(), fc.string(), (value, json, before, after) => {
        const secrets = new SecretMask({ S: value }, ['S']);
        fc.pre(!'[masked: S]'.includes(value));
        const text = before + value + after;
        const args = { [text]: 1, in: [JSON.parse(json), { deep: text }], s: text };
        const { inputs } = recordedInputs(args, secrets);
        const strings: string[] = [];
        JSON.parse(inputs?.text ?? '', (key, member) => {
          strings.push(key, ...(typeof member === 'object' ? [] : [String(member)]));
          return member;
        });
        const outcome = recordedOutcome({ kind: 'failed', code: 'exit_code', message: text, details: {} }, secrets);
        strings.push(...recordedArgv(['x', text], secrets).words, outcome.reason);
        const parts = strings.flatMap((one) => one.split('[masked: S]'));
        expect(parts.filter((part) => part.includes(value))).toEqual([]);
      }),
    );
  });
});

describe('the outcome of a record', () => {
  const of = (code: Parameters<typeof recordedOutcome>[0] & { kind: 'failed' | 'refused' }) =>
    recordedOutcome(code, open);

  it('has a reason exactly when it did not run', () => {
    expect(recordedOutcome({ kind: 'ran', text: 'x', truncated: false }, open)).toEqual({ outcome: 'ran', reason: '' });
    expect(of({ kind: 'failed', code: 'exit_code', message: '', details: {} })).toEqual({
      outcome: 'failed',
      reason: 'exit_code',
      code: 'exit_code',
    });
    const long = of({ kind: 'refused', code: 'invalid_params', message: 'é'.repeat(10_000), details: {} }).reason;
    expect(long).toBe(`${'é'.repeat(2048)}…`);
  });

  it.each([
    ['confirmation_required', 'refused-permission'],
    ['invalid_params', 'refused-input'],
    ['option_like_value', 'refused-input'],
    ['argument_too_large', 'refused-input'],
    ['unknown_tool', 'unavailable'],
    ['tool_removed', 'unavailable'],
    ['tool_unavailable', 'unavailable'],
    ['busy', 'unavailable'],
    ['timeout', 'timeout'],
    ['cancelled', 'cancelled'],
    ['killed', 'failed'],
    ['module_failed', 'failed'],
    ['spawn_failed', 'failed'],
    ['output_mismatch', 'failed'],
    ['internal_error', 'failed'],
  ] as const)('of %s is %s', (code, outcome) => {
    expect(of({ kind: 'failed', code, message: 'why', details: {} })).toEqual({ outcome, reason: 'why', code });
  });
});

describe('who called', () => {
  const config = { name: 'ci', role: 'builder' };

  it.each([
    [{ 'toolgraph/actor': 'me' }, { actor: 'me', identity: 'asserted' }],
    [
      { 'toolgraph/actor': { name: 'me', role: 'r', version: '1' } },
      { actor: 'me', role: 'r', version: '1', identity: 'asserted' },
    ],
    [{ 'toolgraph/actor': { name: 'me', role: 7 } }, { actor: 'me', identity: 'asserted' }],
  ])('is asserted when the call names it: %j', (meta, caller) => {
    expect(callerOf(meta, config)).toEqual(caller);
  });

  it.each([
    undefined,
    {},
    { 'toolgraph/actor': '' },
    { 'toolgraph/actor': 'x'.repeat(201) },
    { 'toolgraph/actor': [] },
    { 'toolgraph/actor': { role: 'admin' } },
    { 'toolgraph/actor': '\ud800' },
  ])('is that of the config, of nobody’s assertion, when the call names none: %j', (meta) => {
    expect(callerOf(meta, config)).toEqual({ actor: 'ci', role: 'builder', identity: 'none' });
    expect(callerOf(meta, undefined)).toEqual({ identity: 'none' });
  });
});

it('the skill of a record is one that the Tool satisfies, by name or IRI; another one is kept apart', () => {
  const of = (said: unknown) => skillOf({ 'toolgraph/skill': said }, ['a b', 'c'], 'urn:x:skill/');
  expect(of('a b')).toEqual({ skill: 'a b' });
  expect(of('urn:x:skill/a%20b')).toEqual({ skill: 'a b' });
  expect(of('d')).toEqual({ claimedSkill: 'd' });
  expect(of(7)).toEqual({});
  expect(skillOf(undefined, ['c'], '')).toEqual({});
});

it('cutText has no half of a pair', () => {
  expect(cutText('a\ud800')).toBe('a\ufffd');
  expect(cutText(`${'a'.repeat(2047)}😀`)).toBe(`${'a'.repeat(2047)}\ufffd…`);
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { placedMessage, shown, wordIssues } from '../../schemas/issue-words.js';

const schema = z.strictObject({
  title: z.string().min(1),
  level: z.enum(['low', 'high']).optional(),
  size: z.int().max(9).optional(),
  place: z.union([z.string(), z.strictObject({ folder: z.string(), depth: z.int().optional() })]).optional(),
  switch: z.union([z.boolean(), z.enum(['on', 'off']), z.strictObject({ state: z.enum(['on', 'off']) })]).optional(),
  list: z.array(z.union([z.string(), z.number()], { error: 'expected a word or a number' })).optional(),
  named: z.record(z.string(), z.strictObject({ reason: z.string() })).optional(),
});

function messages(value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return error === undefined ? [] : wordIssues(error, schema, value).map(placedMessage);
}

describe('wordIssues', () => {
  it.each([
    [{}, 'title: required, but missing: expected a string'],
    [{ title: '' }, 'title: expected at least 1 character, found ""'],
    [{ title: 'a', level: 'mid' }, 'level: expected one of "low", "high", found "mid"'],
    [{ title: 'a', size: 10 }, 'size: expected a number of at most 9, found 10'],
    [{ title: 'a', place: 5 }, 'place: expected a string or an object, found 5'],
    [{ title: 'a', place: {} }, 'place.folder: required, but missing: expected a string'],
    [{ title: 'a', place: { folder: 'x', depht: 1 } }, 'unknown key "depht" in place; did you mean "depth"?'],
    [{ title: 'a', place: { folder: 'x', depth: 1, q: 2 } }, 'unknown key "q" in place; known here: folder, depth'],
    [{ title: 'a', switch: 'of' }, 'switch: expected one of "on", "off", found "of"'],
    [{ title: 'a', switch: { state: 1 } }, 'switch.state: expected one of "on", "off", found 1'],
    [{ title: 'a', list: ['b', {}] }, 'list[1]: expected a word or a number, found {}'],
    [{ title: 'a', named: { b: { raeson: 'c' } } }, 'named.b.reason: required, but missing: expected a string'],
    [{ title: 'a', titel: 'b' }, 'unknown key "titel"; did you mean "title"?'],
    [5, 'expected an object, found 5'],
  ])('says of %j what was expected, and what was found', (value, message) => {
    expect(messages(value)[0]).toBe(message);
  });

  it('gives an unknown key the path of the key, and a rule of our own its own words', () => {
    const ruled = schema.superRefine((_, ctx) =>
      ctx.addIssue({ code: 'custom', path: ['title'], message: 'too plain' }),
    );
    const { error } = ruled.safeParse({ title: 'a' });
    expect(error && wordIssues(error, ruled, { title: 'a' })).toEqual([{ path: ['title'], message: 'too plain' }]);
    const unknown = schema.safeParse({ title: 'a', named: { b: { reason: 'c', d: 1 } } });
    expect(unknown.error && wordIssues(unknown.error, schema, {})).toMatchObject([
      { path: ['named', 'b', 'd'], atKey: true },
    ]);
  });
});

describe('shown', () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;

  it.each([
    [undefined, 'nothing'],
    ['x'.repeat(100), `"${'x'.repeat(59)}…`],
    [() => 1, 'a function'],
    [1n, 'a bigint'],
    [loop, 'an object'],
  ])('shows %s', (value, text) => {
    expect(shown(value)).toBe(text);
  });
});

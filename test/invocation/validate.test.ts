import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../schemas/declaration.js';
import { validateArguments } from '../../src/invocation/validate.js';
import { shellEntry } from './shell-entry.js';

const slug: JsonSchema = { type: 'string', pattern: '^[a-z]+$' };

async function issuesOf(properties: { readonly [name: string]: JsonSchema }, args: unknown, required?: string[]) {
  const refusal = await validateArguments(shellEntry({ properties, ...(required && { required }) }), args);
  if (refusal === undefined) return [];
  expect(refusal).toMatchObject({ kind: 'refused', code: 'invalid_params' });
  return refusal.details.issues;
}

describe('the arguments of a call', () => {
  it('are accepted when they satisfy the inputSchema, and are not changed', async () => {
    const args = Object.freeze({ id: 'abc' });
    expect(await issuesOf({ id: slug, n: { type: 'integer', default: 3 } }, args)).toEqual([]);
    expect(args).toEqual({ id: 'abc' });
  });

  it.each([[null], [undefined], ['x'], [3], [true], [[]], [[{}]]])('are refused when they are %j', async (args) => {
    expect(await issuesOf({}, args)).toEqual([{ path: '', message: 'must be an object' }]);
  });

  it.each(['toString', 'valueOf'])(
    'are refused in words where the name %s keeps them from being compared',
    async (name) => {
      const message = 'is a name that makes the value impossible to compare with those of the schema; leave it out';
      const value = { deep: [{ [name]: 0 }] };
      expect(await issuesOf({ x: { const: { deep: [{ [name]: 0 }] } } }, { x: value })).toEqual([
        { path: `/x/deep/0/${name}`, message },
      ]);
      expect(await issuesOf({ x: { type: 'object' } }, { x: value })).toEqual([]);
    },
  );

  it.each<[string, JsonSchema, unknown, string]>([
    ['a pattern', slug, 'A', 'must match pattern "^[a-z]+$"'],
    ['an enum', { type: 'string', enum: ['a', 'b'] }, 'c', 'must be one of "a", "b"'],
    ['a const', { type: 'boolean', const: true }, false, 'must be true'],
    ['a type, without coercion', { type: 'integer' }, '3', 'must be integer'],
    ['a boolean, without coercion', { type: 'boolean' }, 'true', 'must be boolean'],
    ['a range', { type: 'integer', minimum: 1 }, 0, 'must be >= 1'],
    ['a format', { type: 'string', format: 'date' }, '2024-13-01', 'must match format "date"'],
    ['a keyword of 2020-12', { type: 'array', prefixItems: [{ type: 'string' }], items: false }, ['a', 'b'], ''],
  ])('are refused for %s, in words that say what is expected', async (_, schema, value, message) => {
    expect(await issuesOf({ x: schema }, { x: value })).toEqual([
      { path: '/x', message: message === '' ? expect.any(String) : message },
    ]);
  });

  it('have one issue for each thing that is wrong, and the first in the message', async () => {
    const entry = shellEntry({ properties: { id: slug, to: slug }, required: ['id', 'to'] });
    const refusal = await validateArguments(entry, { id: 'A', other: 1 });
    expect(refusal?.message).toBe('Invalid arguments: /to is required (and 2 more in details)');
    expect(refusal?.details.issues).toEqual([
      { path: '/to', message: 'is required' },
      { path: '/other', message: 'is not an input of this tool' },
      { path: '/id', message: 'must match pattern "^[a-z]+$"' },
    ]);
  });

  it('are told the input that was probably meant', async () => {
    expect(await issuesOf({ branch: slug }, { brnach: 'x' })).toEqual([
      { path: '/brnach', message: 'is not an input of this tool; did you mean "branch"?' },
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString'])('are refused with %s for a name', async (name) => {
    const args = JSON.parse(`{"id": "abc", "${name}": {"x": 1}}`);
    expect(await issuesOf({ id: slug }, args)).toEqual([{ path: `/${name}`, message: 'is not an input of this tool' }]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('do not satisfy a required name by what every object inherits', async () => {
    expect(await issuesOf({ toString: slug }, {}, ['toString'])).toEqual([
      { path: '/toString', message: 'is required' },
    ]);
  });

  it.each([2 ** 53, -(2 ** 53), 1e300])('are refused with the integer %d, which JSON has rounded', async (n) => {
    expect(await issuesOf({ x: { type: 'array', items: { type: 'number' } } }, { x: [1, n] })).toEqual([
      { path: '/x/1', message: 'is an integer beyond 2^53, which JSON does not carry exactly' },
    ]);
  });

  it('are refused with a number that is larger than any that JavaScript has', async () => {
    const x = JSON.parse('[{"a":-1e400}]');
    const list: JsonSchema = { type: 'array', items: { type: 'object' }, uniqueItems: true };
    expect(await issuesOf({ x: list }, { x })).toEqual([{ path: '/x/0/a', message: 'is a number that is too large' }]);
  });

  it('are accepted with the largest exact integer', async () => {
    expect(await issuesOf({ x: { type: 'integer' } }, { x: Number.MAX_SAFE_INTEGER })).toEqual([]);
  });

  it('are refused when they are nested too deep for JSON, without a stack overflow', async () => {
    const deep = JSON.parse(`{"x": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
    expect(await issuesOf({ x: { type: 'array', items: { type: 'array' } } }, deep)).toEqual([
      { path: '', message: 'are nested deeper than 128 levels' },
    ]);
  });

  it('are refused with a bounded list of issues, however much is wrong', async () => {
    const entry = shellEntry({ properties: { x: { type: 'array', items: slug } } });
    const some = await validateArguments(entry, { x: Array(1000).fill('A') });
    expect(some?.details).toMatchObject({ unlisted: 950 });
    expect(some?.details.issues).toHaveLength(50);
    const many = await validateArguments(entry, { x: Array(99_000).fill('A') });
    expect(many?.details.issues).toEqual([{ path: '/x/0', message: 'must match pattern "^[a-z]+$"' }]);
  });

  it.each<[string, unknown]>([
    ['an array', Array(100_000).fill(0)],
    ['an object', Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, 0]))],
    ['many arrays', Array.from({ length: 50_000 }, () => [0])],
  ])('are refused where %s holds more values than are checked', async (_, x) => {
    expect(await validateArguments(shellEntry({ properties: { x: {} } }), { x })).toEqual({
      kind: 'refused',
      code: 'argument_too_large',
      message: 'Too large to check: arguments hold more than 100000 values, containers included; send fewer',
      details: { issues: [{ path: '', message: 'hold more than 100000 values, containers included; send fewer' }] },
    });
  });

  it('are refused as too large where the check would take too long', async () => {
    const entry = shellEntry({ properties: { x: { type: 'string', pattern: '^a*a*$' } } });
    const refusal = await validateArguments(entry, { x: 'a'.repeat(5000) });
    expect(refusal).toMatchObject({ kind: 'refused', code: 'argument_too_large' });
    expect(refusal?.message).toContain('Too large to check: /x has 5000 characters');
  });

  it('with a name of a megabyte get a short message', async () => {
    const refusal = await validateArguments(shellEntry({}), { ['x'.repeat(1_000_000)]: 1 });
    expect(JSON.stringify(refusal).length).toBeLessThan(1000);
  });

  it('are checked with the schema of their own definition, whatever was compiled before', async () => {
    const id = { $id: 'urn:same', type: 'string' } as const;
    expect(await issuesOf({ x: { ...id, pattern: '^a$' } }, { x: 'b' })).toHaveLength(1);
    expect(await issuesOf({ x: { ...id, pattern: '^b$' } }, { x: 'b' })).toEqual([]);
  });
});

import Ajv2020 from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../schemas/declaration.js';
import { equalItems } from '../../src/invocation/equal-items.js';
import { measureValue } from '../../src/invocation/value-bounds.js';
import { valueIssues } from '../../src/invocation/value-issues.js';

let made = 0;

async function issuesOf(properties: { readonly [name: string]: JsonSchema }, value: object, linear: string[] = []) {
  made += 1;
  const { values } = measureValue(value, () => undefined);
  const schema: JsonSchema = { type: 'object', properties };
  const known = { key: `test ${made}`, schema, linearPatterns: linear, inputs: [] };
  return (await valueIssues(value, values, known)).issues;
}

/** Takes quadratic time where it does not match; the strings here match at once, so they would be valid without a bound. */
const slow = '^a*a*$';
const runs: JsonSchema = { type: 'string', pattern: slow };
const tooLong = (length: number, told = `the pattern "${slow}"`) =>
  `has ${length} characters; ${told}, which may take quadratic time, is tried on at most 4096. Shorten it, or give its type a maxLength, or a pattern that takes linear time`;

const excess = (told: string) =>
  `with ${told} the check would take more than 10000000 steps of some 10 ns, and no check may take more. Give fewer or shorter values, or call more than once`;

describe('A pattern that is not known to take linear time', () => {
  it('is tried on a string of 4096 characters, however many code units these are', async () => {
    expect(await issuesOf({ x: runs }, { x: 'a'.repeat(4096) })).toEqual([]);
    expect(await issuesOf({ x: { ...runs, pattern: '^😀*$' } }, { x: '😀'.repeat(4096) })).toEqual([]);
  });

  it.each([4097, 1_048_576])('is not tried on one of %d, and says what to do', async (length) => {
    expect(await issuesOf({ x: runs }, { x: 'a'.repeat(length) })).toEqual([{ path: '/x', message: tooLong(length) }]);
  });

  it.each<[string, JsonSchema]>([
    ['not', { type: 'string', not: { pattern: 'b+$' } }],
    ['anyOf', { type: 'string', anyOf: [{ pattern: 'b+$' }, { type: 'string' }] }],
    ['oneOf', { type: 'string', oneOf: [{ pattern: 'b+$' }, { type: 'string' }] }],
  ])('is never taken for one that does not match, under %s', async (_, schema) => {
    const [issue, ...others] = await issuesOf({ x: schema }, { x: 'a'.repeat(5000) });
    expect(issue).toEqual({ path: '/x', message: tooLong(5000, 'the pattern "b+$"') });
    expect(others).toEqual([]);
  });

  it('is not tried on a long name of a property', async () => {
    const name = 'a'.repeat(5000);
    const schema: JsonSchema = { type: 'object', patternProperties: { [slow]: { type: 'integer' } } };
    expect(await issuesOf({ x: schema }, { x: { [name]: 1 } })).toEqual([
      { path: `/x/${name}`, message: tooLong(5000) },
    ]);
  });

  it('does not hide that a string is longer than its maxLength', async () => {
    expect(await issuesOf({ x: { ...runs, maxLength: 10 } }, { x: 'a'.repeat(5000) })).toEqual([
      { path: '/x', message: 'must NOT have more than 10 characters' },
    ]);
  });

  it('is tried on a bounded sum of squares in one value, and anew in the next', async () => {
    const schema: JsonSchema = { type: 'array', items: runs };
    const key = 'test again';
    const check = (x: string[]) =>
      valueIssues({ x }, 10, {
        key,
        schema: { type: 'object', properties: { x: schema } },
        linearPatterns: [],
        inputs: [],
      });
    const full = ['a'.repeat(4096)];
    expect(await check(full)).toEqual({ issues: [] });
    expect(await check(full)).toEqual({ issues: [] });
    expect(await check([...full, 'a'.repeat(2000)])).toEqual({
      issues: [{ path: '/x/1', message: `is one string too many: ${excess(`the pattern "${slow}"`)}` }],
      isUnchecked: true,
    });
  });
});

describe('A pattern that takes linear time', () => {
  const linear: JsonSchema = { type: 'string', pattern: '^a*$' };

  it('is tried on strings of any length', async () => {
    const x = 'a'.repeat(8 * 1024 * 1024);
    expect(await issuesOf({ x: linear }, { x }, ['^a*$'])).toEqual([]);
    expect(await issuesOf({ x: linear }, { x: `${x}b` }, ['^a*$'])).toEqual([
      { path: '/x', message: 'must match pattern "^a*$"' },
    ]);
  });

  it('is not confused with another in the same schema', async () => {
    const x = 'a'.repeat(5000);
    expect(await issuesOf({ y: linear, x: runs }, { x, y: 'a' }, ['^a*$'])).toEqual([
      { path: '/x', message: tooLong(5000) },
    ]);
  });

  it('is said to be too much for the engine, where that gives up', async () => {
    const pattern = '^(?:a|b)*$';
    expect(await issuesOf({ x: { type: 'string', pattern } }, { x: 'a'.repeat(8_388_608) }, [pattern])).toEqual([
      {
        path: '/x',
        message: `has 8388608 characters, which is more than the engine can match with the pattern "${pattern}"; shorten it, or give its type a maxLength, or a pattern that takes linear time`,
      },
    ]);
  });
});

describe('A format', () => {
  it('is tried on strings of any length, but for url, which takes quadratic time', async () => {
    const x = `http://example.org/${'a'.repeat(5000)}`;
    expect(await issuesOf({ x: { type: 'string', format: 'uri' } }, { x })).toEqual([]);
    expect(await issuesOf({ x: { type: 'string', format: 'url' } }, { x })).toEqual([
      { path: '/x', message: tooLong(5019, 'the format "url"') },
    ]);
  });

  it('says that a string is too much for the engine', async () => {
    const [issue] = await issuesOf({ x: { type: 'string', format: 'json-pointer' } }, { x: '/'.repeat(8_388_608) });
    expect(issue?.message).toContain('more than the engine can match with the format "json-pointer"');
  });

  it('is what ajv-formats says it is', async () => {
    const format = (name: string, type = 'string') => ({ x: { type, format: name } });
    const valid: [string, unknown][] = [
      ['date', '2024-02-29'],
      ['date-time', '2024-02-29T10:00:00Z'],
      ['ipv4', '127.0.0.1'],
      ['regex', 'a+'],
      ['password', ''],
    ];
    for (const [name, x] of valid) expect([name, await issuesOf(format(name), { x })]).toEqual([name, []]);
    for (const name of ['date', 'date-time', 'ipv4', 'regex']) {
      expect(await issuesOf(format(name), { x: '(' })).toEqual([
        { path: '/x', message: `must match format "${name}"` },
      ]);
    }
    expect(await issuesOf(format('int32', 'integer'), { x: 2 ** 31 })).toHaveLength(1);
  });
});

describe('uniqueItems', () => {
  it('names two items that are equal, in whatever order their members are', async () => {
    const list: JsonSchema = { type: 'array', items: { type: 'object' }, uniqueItems: true };
    const x = [{ a: 1, b: [{}] }, { a: 1 }, { b: [{}], a: 1 }];
    expect(await issuesOf({ x: list }, { x })).toEqual([
      { path: '/x', message: 'must not hold equal items, as 0 and 2 are' },
    ]);
    expect(await issuesOf({ x: { ...list, uniqueItems: false } }, { x })).toEqual([]);
  });

  it.each(['toString', 'valueOf', '__proto__'])('compares items that have the name %s', async (name) => {
    const list: JsonSchema = { type: 'array', items: { type: 'object' }, uniqueItems: true };
    const x = JSON.parse(`[{"${name}": 0}, {"${name}": 1}, {}]`);
    expect(await issuesOf({ x: list }, { x })).toEqual([]);
    expect(await issuesOf({ x: list }, { x: [...x, x[1]] })).toMatchObject([{ path: '/x' }]);
  });

  it('says of every list what Ajv itself says', () => {
    const ajv = new Ajv2020.default().compile({ type: 'array', uniqueItems: true });
    const item = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('', '{}', {}, [], '[]', 0, -0, '0', null, 'null'),
    );
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), (items) => {
        // Ajv calls what an item has under these names.
        fc.pre(!/"(?:toString|valueOf)"/.test(JSON.stringify(items)));
        expect(equalItems(items, () => {}) === undefined).toBe(ajv(items));
      }),
    );
  });
});

describe('A check that would take too many steps', () => {
  it('is not begun for many values and a schema of many parts', async () => {
    const anyOf = Array.from({ length: 100 }, (_, n) => ({ const: n }));
    const x = Array.from({ length: 90_000 }, () => 0);
    expect(await issuesOf({ x: { type: 'array', items: { type: 'integer', anyOf } } }, { x })).toEqual([
      { path: '', message: excess('90002 values and a schema of 208 parts') },
    ]);
    expect(await issuesOf({ x: { type: 'array', items: { type: 'integer', anyOf } } }, { x: x.slice(45_000) })).toEqual(
      [],
    );
  });

  it('ends at a string, where many patterns are tried on it', async () => {
    const allOf = Array.from({ length: 3 }, (_, n) => ({ pattern: `^[a-z${n}]*$` }));
    const linear = allOf.map(({ pattern }) => pattern);
    const issues = await issuesOf({ x: { type: 'string', allOf } }, { x: 'a'.repeat(4_000_000) }, linear);
    expect(issues).toEqual([{ path: '/x', message: `is one string too many: ${excess('the pattern "^[a-z2]*$"')}` }]);
  });

  it.each(['uniqueItems', 'enum'])('ends where %s is looked at again on each level', async (keyword) => {
    const levels = (depth: number): JsonSchema => ({
      type: 'array',
      ...(keyword === 'enum' ? { not: { enum: [[]] } } : { uniqueItems: true }),
      ...(depth === 0 ? { items: { type: 'string' } } : { items: levels(depth - 1) }),
    });
    let x: unknown = 'x'.repeat(1_000_000);
    for (let depth = 0; depth <= 20; depth += 1) x = [x];
    expect(await issuesOf({ x: levels(20) }, { x })).toEqual([{ path: '', message: excess(keyword) }]);
  });

  it('does not depend on how many members an enum has', async () => {
    const items: JsonSchema = { type: 'string', enum: Array.from({ length: 10_000 }, (_, n) => `member ${n}`) };
    const x = Array.from({ length: 90_000 }, () => 'member 9999');
    expect(await issuesOf({ x: { type: 'array', items } }, { x })).toEqual([]);
    expect(await issuesOf({ x: { type: 'array', items } }, { x: [...x, 'other'] })).toMatchObject([
      { path: '/x/90000' },
    ]);
  });
});

it('enum says of every value what Ajv itself says', async () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('', '{}', {}, [], '[]', 0, -0, '0', null, 'null'),
  );
  const property = fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 4 }), value, async (members, x) => {
    fc.pre(!/"(?:toString|valueOf)"/.test(JSON.stringify([members, x])));
    const ajv = new Ajv2020.default().compile({ enum: members });
    for (const tried of [x, ...members]) {
      const issues = await issuesOf({ x: { enum: members } as JsonSchema }, { x: tried });
      expect(issues.length === 0).toBe(ajv(tried));
    }
  });
  await fc.assert(property, { numRuns: 20 });
});

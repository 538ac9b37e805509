import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { surveyTree } from '../src/ingest/json-tree.js';
import { hasMoreValues, hasRepeatedKeys, offsetBeyondDepth, parseJsonText, repeatedKey } from '../src/json-text.js';

describe('parseJsonText', () => {
  it.each([
    ['{"a":1,}', 7],
    ['{"a":1 "b":2}', 7],
    ['{"a": b, "title": "a text that is longer than what the message shows"}', 6],
    ['{"a":tru}', 8],
    ['{"a":}', 5],
    ['abc', 0],
    ['{"a":1}}', 7],
    ["{'a':1}", 1],
    ['{"a":01}', 6],
    ['[1,2', 4],
    ['{"a": "at position 3", "b": x}', 28],
    ['', 0],
    ['\u00a0{}', 0],
  ])('gives the offset at which %j is wrong', (text, offset) => {
    expect(parseJsonText(text)).toMatchObject({ offset });
  });

  it('agrees with JSON.parse on what is JSON, and its offset is within the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), brokenJson()), (text) => {
        const result = parseJsonText(text);
        if ('value' in result) expect(result.value).toEqual(JSON.parse(text));
        else {
          expect(() => JSON.parse(text)).toThrow();
          expect(result.offset).toBeLessThanOrEqual(text.length);
          expect(result.message).not.toMatch(/\n/);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('hasRepeatedKeys', () => {
  const repeats = (text: string): boolean =>
    hasRepeatedKeys(text, surveyTree(JSON.parse(text), { depth: 64, items: 10_000 }, true));

  it.each([
    ['{"a":1,"a":2}', true],
    ['{"a":{"b":1,"c":2,"b":{}}}', true],
    ['{"a:b":1,"a\\u003ab":2}', true],
    ['{"a\\u003ab":1}', false],
    ['{"a":"x:y","b":"\\"c\\":"}', false],
    ['[{"a":1},{"a":1}]', false],
    ['{"\\"":":","\\\\":":"}', false],
  ])('of %s is %s', (text, expected) => {
    expect(repeats(text)).toBe(expected);
  });

  it('is false for what JSON.stringify writes, and true when a member of it is written twice', () => {
    const member = fc.tuple(fc.string({ unit: 'grapheme' }), fc.jsonValue());
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), member, (object, [key, value]) => {
        // Reserved keys are refused before this is asked, and what they hold is not counted.
        fc.pre(surveyTree([object, key, value], { depth: 64, items: 10_000 }, true).faults.length === 0);
        const text = JSON.stringify(object);
        expect(repeats(text)).toBe(false);
        const again = `{${JSON.stringify(key)}:1,${JSON.stringify(key)}:${JSON.stringify(value)}}`;
        expect(repeats(again)).toBe(true);
      }),
    );
  });
});

describe('hasMoreValues', () => {
  it('agrees with the parsed value, however it is indented', () => {
    const valuesIn = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce<number>((sum, member) => sum + valuesIn(member), 1)
        : 1;
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(2), (value, indent) => {
        const json = JSON.stringify(value, undefined, indent);
        const count = valuesIn(value);
        expect([hasMoreValues(json, count - 1), hasMoreValues(json, count)]).toEqual([true, false]);
      }),
    );
  });

  it('counts no comma or bracket of a string', () => {
    expect(hasMoreValues('{"a,[{\\"":"[,{\\\\","b":[ ]}', 3)).toBe(false);
  });
});

describe('repeatedKey', () => {
  it.each([
    ['{"a":1,"b":{"a":2},"a" : 3}', { key: 'a', offset: 19 }],
    ['[{"x":[{"k:":1,"k:":2}]}]', { key: 'k:', offset: 15 }],
    ['{"\\u0061":1,\n"a":2}', { key: 'a', offset: 13 }],
    ['{"a\\"":1,"a\\"":"b"}', { key: 'a"', offset: 9 }],
    ['{"__proto__":1,"__proto__":2}', { key: '__proto__', offset: 15 }],
    ['{"a":"a","b":["a","a"],"c":{"a":1}}', undefined],
    ['[{"a":1},{"a":1}]', undefined],
    ['"a"', undefined],
  ])('in %j is %j', (text, found) => {
    expect(repeatedKey(text)).toEqual(found);
  });

  it('is there exactly when one is repeated', () => {
    const member = fc.tuple(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), member, (object, [key, value]) => {
        expect(repeatedKey(JSON.stringify([object]))).toBeUndefined();
        const again = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
        expect(repeatedKey(`[{${again},${again}}]`)?.key).toBe(key);
      }),
    );
  });
});

describe('offsetBeyondDepth', () => {
  it('does not recurse', () => {
    expect(offsetBeyondDepth('['.repeat(1_000_000), 64)).toBe(64);
  });

  it('ignores brackets inside strings, escaped quotes included', () => {
    expect(offsetBeyondDepth('["\\"[[[", "\\\\", [[', 2)).toBe(17);
  });
});

/** A JSON text with one character taken out or put in. */
function brokenJson(): fc.Arbitrary<string> {
  return fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', '"', ':', 'x')).map(([text, at, insert]) => {
    const i = at % text.length;
    return text.slice(0, i) + insert + text.slice(i + 1);
  });
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asData, returnedData } from '../../../src/invocation/module/result-data.js';

const circular: Record<string, unknown> = { a: 1 };
circular.self = circular;
const shared = { a: 1 };

describe('What a function returns, as data', () => {
  it.each<readonly [string, unknown, unknown]>([
    ['a BigInt', 10n ** 20n, '100000000000000000000'],
    ['a cycle', circular, { a: 1, self: '[circular]' }],
    ['an object twice, without a cycle', [shared, shared], [{ a: 1 }, { a: 1 }]],
    ['undefined in an object and an array', { a: undefined, b: [undefined] }, { b: [null] }],
    ['numbers that JSON does not have', [Number.NaN, -Infinity], ['NaN', '-Infinity']],
    [
      'a date, an URL',
      [new Date(0), new URL('https://a.example/b')],
      ['1970-01-01T00:00:00.000Z', 'https://a.example/b'],
    ],
    ['a Map', new Map([['a', new Map([[1, 2]])]]), { a: [[1, 2]] }],
    ['a Set', new Set([1, 'a']), [1, 'a']],
    ['bytes', [new Uint8Array([1, 2]), new Uint16Array([1]).buffer, Buffer.from('a')], ['AQI=', 'AQA=', 'YQ==']],
    ['an error', new RangeError('far'), { name: 'RangeError', message: 'far' }],
    ['a function and a symbol', [() => 1, Symbol('a')], ['[function]', '[Symbol(a)]']],
    ['boxed values', [Object('a'), Object(1), Object(false)], ['a', 1, false]],
    ['a regular expression', /a+/g, '/a+/g'],
    ['half a surrogate pair', 'a\uD800', 'a\uFFFD'],
    [
      'a getter that throws',
      Object.defineProperty({}, 'a', {
        enumerable: true,
        get: () => {
          throw new TypeError('no');
        },
      }),
      '[not readable: TypeError]',
    ],
    [
      'a proxy that throws',
      {
        a: new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error('no');
            },
          },
        ),
      },
      { a: '[not readable: Error]' },
    ],
    [
      'toJSON that throws',
      {
        toJSON: () => {
          throw 1;
        },
      },
      '[not readable: it threw]',
    ],
    ['a key __proto__', JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}')],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ])('keeps of %s what it says', (_, value, data) => {
    expect(asData(value)).toEqual(data);
    expect(JSON.stringify(asData(value))).toBe(JSON.stringify(data));
  });

  it('is what JSON.stringify gives of every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(asData(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('is JSON whatever it is', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
      withObjectString: true,
      withSparseArray: true,
      withBoxedValues: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        const data = asData(value);
        expect(JSON.parse(JSON.stringify(data))).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  it('ends, however deep or long it is', () => {
    let deep: unknown = 'end';
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(JSON.stringify(asData(deep))).toContain('[nested too deep]');
    const endless = {
      *[Symbol.iterator]() {
        for (;;) yield 1;
      },
    };
    const set = new Set([1]);
    Object.defineProperty(set, Symbol.iterator, { value: endless[Symbol.iterator] });
    expect((asData(set) as unknown[]).at(-1)).toBe('[left out]');
  });

  it('is text when it is a string, nothing when it is undefined, and else JSON, each capped in bytes', () => {
    expect(returnedData('é', 10)).toEqual({ form: 'text', output: { text: 'é', truncated: false } });
    expect(returnedData(undefined, 10)).toEqual({ form: 'nothing', output: { text: '', truncated: false } });
    expect(returnedData(null, 10)).toEqual({ form: 'json', output: { text: 'null', truncated: false } });
    expect(returnedData(['é', 'é'], 4).output).toEqual({
      text: '["é\n[output cut at 4 bytes; 11 bytes in all]',
      truncated: true,
    });
  });
});

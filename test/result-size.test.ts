import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fittingBeginning, jsonStringBytes } from '../src/result-size.js';

/** Code units of every length in JSON, halves of pairs included. */
const text = fc
  .array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff), fc.integer({ min: 0xd800, max: 0xdfff })))
  .map((codes) => String.fromCharCode(...codes));

function measured(value: string): number {
  return Buffer.byteLength(JSON.stringify(value));
}

describe('jsonStringBytes', () => {
  it('is what JSON.stringify writes', () => {
    for (let code = 0; code <= 0xffff; code++) {
      const one = String.fromCharCode(code);
      if (jsonStringBytes(one) !== measured(one)) expect.fail(`U+${code.toString(16)}`);
    }
    fc.assert(
      fc.property(text, (value) => {
        expect(jsonStringBytes(value)).toBe(measured(value));
      }),
    );
  });
});

describe('fittingBeginning', () => {
  it('is the longest that fits, and splits no code point', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 60 }), (value, limit) => {
        const points = Array.from(value);
        let expected = '';
        for (const point of points) {
          if (measured(expected + point) > limit) break;
          expected += point;
        }
        expect(fittingBeginning(value, limit)).toBe(expected);
      }),
    );
  });
});

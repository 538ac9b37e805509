import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromPointer, toPointer } from '../src/json-pointer.js';

describe('toPointer', () => {
  it('is undone by fromPointer', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (path) => {
        expect(fromPointer(toPointer(path))).toEqual(path);
      }),
    );
  });

  it('is that of RFC 6901 §5', () => {
    expect([[], ['foo', 0], [''], ['a/b'], ['m~n']].map(toPointer)).toEqual(['', '/foo/0', '/', '/a~1b', '/m~0n']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { valueAt } from '../../schemas/value-path.js';
import { positionsOf } from '../../src/ingest/position.js';
import { toPointer } from '../../src/json-pointer.js';

const text = '{\n  "id": "a",\n\t"io": {"inputs": [\r\n    {"name": "x"}\n  ]},\n  "a/b": {"~": 1}\n}';

describe('locate', () => {
  it.each([
    ['', 1, 1],
    ['/id', 2, 9],
    ['/io/inputs/0/name', 4, 14],
    ['/a~1b/~0', 6, 16],
    ['/io/inputs/7/name', 3, 19],
    ['/nowhere/at/all', 1, 1],
  ])('gives the place of %j, or of its nearest ancestor that exists', (pointer, line, column) => {
    expect(positionsOf(text).locate(pointer)).toEqual({ line, column });
  });

  it('gives the place of a key', () => {
    expect(positionsOf(text).locateKey('/io/inputs/0/name')).toEqual({ line: 4, column: 6 });
  });

  it('finds the start of every value of any JSON text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2, '\t'), (value, indent) => {
        const source = JSON.stringify(value, null, indent);
        const lines = source.split('\n');
        const positions = positionsOf(source);
        for (const path of paths(value)) {
          const at = positions.locate(toPointer(path));
          const rest = lines[(at?.line ?? 0) - 1]?.slice((at?.column ?? 0) - 1) ?? '';
          const found = JSON.stringify(valueAt(value, path));
          expect(rest.startsWith(found.startsWith('{') || found.startsWith('[') ? (found[0] ?? '') : found)).toBe(true);
        }
      }),
    );
  });

  it('survives text that is no JSON, is nested by the hundred thousand, or is too large to be worth it', () => {
    expect(positionsOf('{"a": [').locate('/a')).toEqual({ line: 1, column: 7 });
    expect(positionsOf('['.repeat(500_000)).locate('/0')).toBeUndefined();
    expect(positionsOf(JSON.stringify('x'.repeat(600_000))).locate('')).toBeUndefined();
    expect(positionsOf('').locate('/a')).toBeUndefined();
  });
});

describe('repeatedKeys', () => {
  it('names each key that is given again, with both places', () => {
    const source = '{\n "a": 1,\n "b": {"c": 1, "c": 2},\n "a": 3\n}';
    expect(positionsOf(source).repeatedKeys()).toEqual([
      { pointer: '/b/c', key: 'c', first: { line: 3, column: 8 }, again: { line: 3, column: 16 } },
      { pointer: '/a', key: 'a', first: { line: 2, column: 2 }, again: { line: 4, column: 2 } },
    ]);
  });
});

function paths(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, member]) => paths(member, [...at, key]))];
}

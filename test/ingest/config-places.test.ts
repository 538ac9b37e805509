import { describe, expect, it } from 'vitest';
import { configPlaces } from '../../src/ingest/config-places.js';

describe('configPlaces.repeatedKeys', () => {
  it.each([
    ['{"a": 1, "b": {"c": 2, "c": 3}}', ['/b/c']],
    [`{"a": ${'['.repeat(80)}{"x": 1, "x": 2}${']'.repeat(80)}}`, [`/a${'/0'.repeat(80)}/x`]],
    ['{"a:b": "c:d", "e": [{"f": ":"}]}', []],
    ['not JSON', []],
  ])('finds what is given twice in %s', (text, pointers) => {
    expect(configPlaces.repeatedKeys(text).map(({ pointer }) => pointer)).toEqual(pointers);
  });
});

import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { configPlaces } from '../../src/ingest/config-places.js';
import { positionsOf } from '../../src/ingest/position.js';

const require = createRequire(import.meta.url);
const isLoaded = (): boolean => require.resolve('yaml') in require.cache;

describe('The parser of YAML', () => {
  it('is not loaded by a config without a fault, and is by the first question for a place', () => {
    expect(configPlaces.repeatedKeys('{"name": "x", "env": ["a:b"]}')).toEqual([]);
    const positions = positionsOf('{"a": 1}');
    expect(isLoaded()).toBe(false);
    expect(positions.locate('/a')).toEqual({ line: 1, column: 7 });
    expect(isLoaded()).toBe(true);
  });
});

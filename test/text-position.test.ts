import { describe, expect, it } from 'vitest';
import { positionAt } from '../src/text-position.js';

describe('positionAt', () => {
  it('counts lines and UTF-16 code units from 1', () => {
    expect(positionAt('ab\ncd', 0)).toEqual({ line: 1, column: 1 });
    expect(positionAt('ab\ncd', 2)).toEqual({ line: 1, column: 3 });
    expect(positionAt('ab\n😀d', 5)).toEqual({ line: 2, column: 3 });
  });
});

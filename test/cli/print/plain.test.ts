import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText } from '../../../src/cli/print/plain.js';
import { acts, hostile } from '../../hostile-text.js';

describe('jsonText', () => {
  it('parses to the value that was given, and holds nothing that a terminal acts on', () => {
    fc.assert(
      fc.property(fc.record({ text: hostile, list: fc.array(hostile) }), (value) => {
        const text = jsonText(value);
        expect(JSON.parse(text)).toEqual(value);
        expect(acts(text.replaceAll('\n', ''))).toBe(false);
      }),
    );
  });
});

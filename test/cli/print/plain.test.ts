import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText, visible, visibleLines } from '../../../src/cli/print/plain.js';

/** Strings with many of the characters that a terminal or a reader can be deceived with. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...['\u001b', '\u009b', '\u0007', '\u0000', '\u007f', '\r', '\n', '\t', '\u2028', '\u202e', '\u2066', '\ufeff'],
      ...['\u{e0041}', '\ud800', '\\', 'a'],
    ),
    fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
  ),
});

function acts(text: string): boolean {
  return /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u.test(text);
}

describe('visible', () => {
  it('shows an escape sequence in place of sending it', () => {
    expect(visible('a\u001b[31mred\u009b0m')).toBe('a\\u001b[31mred\\u009b0m');
  });

  it('shows line ends, tabs, bidirectional overrides and tag characters', () => {
    expect(visible('a\nb\tc\r\u202ed\u{e0041}')).toBe('a\\nb\\tc\\r\\u202ed\\u{e0041}');
  });

  it('leaves letters, joined emoji and joiners of scripts as they are', () => {
    const text = 'Größe 表 👩‍💻 ❤️ می‌خواهم';
    expect(visible(text)).toBe(text);
  });

  it('never lets through a character that a terminal acts on', () => {
    fc.assert(fc.property(hostile, (text) => !acts(visible(text))));
  });
});

describe('visibleLines', () => {
  it('keeps line feeds and tabs, and nothing else that a terminal acts on', () => {
    expect(visibleLines('a\tb\r\nc\u001b[2J')).toBe('a\tb\\u000d\nc\\u001b[2J');
    fc.assert(fc.property(hostile, (text) => !acts(visibleLines(text).replace(/[\n\t]/g, ''))));
  });
});

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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible, visibleLines } from '../src/visible.js';
import { acts, hostile } from './hostile-text.js';

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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenCharacters } from '../../src/check/hidden-characters.js';

const legal: readonly (readonly [what: string, text: string])[] = [
  ['plain text with a tab and line breaks', 'Counts\twords.\r\nAnd lines.\n'],
  ['an emoji of several people', 'Family \u{1F469}\u200D\u2764\uFE0F\u200D\u{1F468}.'],
  ['an emoji with a tone of skin', 'Works \u{1F9D1}\u{1F3FD}\u200D\u{1F4BB} here.'],
  ['a flag with a variation selector and a joiner', '\u{1F3F3}\uFE0F\u200D\u{1F308} and \u{1F3F4}\u200D\u2620\uFE0F'],
  ['the flags of England, Scotland and Wales', `${flag('gbeng')} ${flag('gbsct')} ${flag('gbwls')}`],
  ['a key cap, a sign and an arrow as emoji', '1\uFE0F\u20E3 \u26A0\uFE0F \u2194\uFE0F \u00A9\uFE0F \u2122\uFE0E'],
  ['Persian with a non-joiner', '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645'],
  ['Devanagari with a joiner', '\u0915\u094D\u200D\u0937'],
  ['Hebrew with a mark', '\u05E9\u05DC\u05D5\u05DD\u200F (README)'],
  ['Arabic with a balanced isolate', '\u0627\u0642\u0631\u0623 \u2066README.md\u2069 \u0623\u0648\u0644\u0627'],
  ['Thai with a space that has no width', '\u0E20\u0E32\u0E29\u0E32\u200B\u0E44\u0E17\u0E22'],
  ['an ideograph with a variation selector', '\u845B\u{E0100}'],
  ['Arabic with a sign before a number', '\u0600\u0661'],
  ['Hebrew with a mark after each of three words', '\u05E9\u200F \u05DC\u200F \u05D5\u200F'],
  ['two ideographs with different selectors', '\u845B\u{E0100}\u57CE\u5E02 \u8FBB\u{E0101}'],
  ['emoji and text presentation in turn', '\u2600\uFE0F\u2600\uFE0E\u2600\uFE0F\u2600\uFE0E\u2600\uFE0F'],
  ['Braille', '\u2803\u2817'],
  ['a mathematical symbol with a variation selector', '\u2229\uFE00'],
];

const hidden: readonly (readonly [text: string, position: number, name: string])[] = [
  ['a\u200Bb', 2, 'U+200B ZERO WIDTH SPACE'],
  ['read\u200Dme', 5, 'U+200D ZERO WIDTH JOINER'],
  ['\u{1F600}a\u200D', 3, 'U+200D ZERO WIDTH JOINER'],
  ['a\u202Eb', 2, 'U+202E RIGHT-TO-LEFT OVERRIDE'],
  ['\u05E9\u202D\u05DC', 2, 'U+202D LEFT-TO-RIGHT OVERRIDE'],
  ['a \u2067b\u2069', 3, 'U+2067 RIGHT-TO-LEFT ISOLATE'],
  ['\u05E9 \u2066a', 3, 'U+2066 LEFT-TO-RIGHT ISOLATE'],
  ['\u05E9 \u2066a\u202C', 3, 'U+2066 LEFT-TO-RIGHT ISOLATE'],
  ['plain \u200F', 7, 'U+200F RIGHT-TO-LEFT MARK'],
  ['ok\u{E0069}\u{E0067}', 3, 'U+E0069 a tag character'],
  [`${flag('gbxyz')}`, 2, 'U+E0067 a tag character'],
  ['a\uFE00', 2, 'U+FE00 a variation selector'],
  ['\u{1F600}\uFE0F\uFE0F', 3, 'U+FE0F a variation selector'],
  ['a\u{E0101}', 2, 'U+E0101 a variation selector'],
  ['red \u001b[31mtext', 5, 'U+001B ESCAPE, which begins an escape sequence of a terminal'],
  ['a\u009b1m', 2, 'U+009B CONTROL SEQUENCE INTRODUCER, which begins an escape sequence of a terminal'],
  ['a\u0000', 2, 'U+0000 NULL'],
  ['a\u0001', 2, 'U+0001 a control character'],
  ['\uFEFFa', 1, 'U+FEFF ZERO WIDTH NO-BREAK SPACE'],
  ['a\u00ADb', 2, 'U+00AD SOFT HYPHEN'],
  ['a\u2028b', 2, 'U+2028 LINE SEPARATOR'],
  ['a\u3164', 2, 'U+3164 HANGUL FILLER'],
  ['\u05E9\u200E\u200F\u200E', 2, 'U+200E LEFT-TO-RIGHT MARK'],
  ['\u05E9\u200F.\u200E.\u200F', 2, 'U+200F RIGHT-TO-LEFT MARK'],
  ['\u2229\uFE01', 2, 'U+FE01 a variation selector'],
  ['\u2229\uFE00\uFE00', 3, 'U+FE00 a variation selector'],
  ['\u2014\uFE0F', 2, 'U+FE0F a variation selector'],
  ['port 8\uFE0F0', 7, 'U+FE0F a variation selector'],
  ['\u845B\u{E0100}\u{E0101}', 3, 'U+E0101 a variation selector'],
  ['\u6F22\uFE00\u6F22\uFE01\u6F22\uFE02\u6F22\u{E0100}', 2, 'U+FE00 a variation selector'],
  ['\u6F22\uFE00\u6F22\uFE01\u6F22\uFE00\u6F22\uFE01\u6F22\uFE00', 2, 'U+FE00 a variation selector'],
  ['a\u2800b', 2, 'U+2800 BRAILLE PATTERN BLANK'],
  ['a\uE000', 2, 'U+E000 a character for private use'],
  ['a\u{F0041}', 2, 'U+F0041 a character for private use'],
  ['a\uFFFE', 2, 'U+FFFE a noncharacter'],
  ['a\uFDD0', 2, 'U+FDD0 a noncharacter'],
  ['a\u{1FFFF}', 2, 'U+1FFFF a noncharacter'],
  ['a\u{E0001}', 2, 'U+E0001 a tag character'],
  ['a\u2063b', 2, 'U+2063 INVISIBLE SEPARATOR'],
];

function flag(letters: string): string {
  return `\u{1F3F4}${String.fromCodePoint(...[...letters].map((letter) => 0xe0000 + letter.charCodeAt(0)))}\u{E007F}`;
}

describe('hiddenCharacters', () => {
  it.each(legal)('finds nothing in %s', (_, text) => {
    expect(hiddenCharacters(text)).toEqual([]);
  });

  it.each(hidden)('finds the first one in %j', (text, position, name) => {
    expect(hiddenCharacters(text)[0]).toEqual({ position, name });
  });

  it('finds every one of them, with its place in characters', () => {
    expect(hiddenCharacters('\u{1F600}\u200Ba\u200B').map(({ position }) => position)).toEqual([2, 4]);
  });

  it('finds nothing in any visible ASCII, Latin, Greek, Cyrillic, Han or Hangul text', () => {
    const visible = fc.string({
      unit: fc.constantFrom(...'aZ09 .,;:!?(){}"\'`\n\téßøΩπЖя漢字한글—–…'),
      maxLength: 60,
    });
    fc.assert(fc.property(visible, (text) => hiddenCharacters(text).length === 0));
  });

  it('finds an ASCII message in tag characters wherever it stands', () => {
    const tags = fc
      .string({ unit: fc.constantFrom(...'abcxyz .'), minLength: 1, maxLength: 20 })
      .map((text) => [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join(''));
    fc.assert(
      fc.property(fc.string(), tags, (text, secret) => {
        const length = [...secret].length;
        return hiddenCharacters(`${text}${secret} end`).length >= length;
      }),
    );
  });
});

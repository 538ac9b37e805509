/** A character that a reader does not see, or that puts what is read in another order than it is written. */
export interface HiddenCharacter {
  /** In code points, from 1. */
  readonly position: number;
  /** As in `U+202E RIGHT-TO-LEFT OVERRIDE`. */
  readonly name: string;
}

/**
 * The characters of a text that hide something. What scripts and emoji are written with is none of them: a joiner within an emoji or
 * beside a letter of a script that joins, one variation selector on a character that has variants, a mark of direction or a balanced
 * isolate in a text with right-to-left letters, the tags of the three subdivision flags, a zero-width space in a script without spaces.
 * Of these, marks of direction in a row or more than the words, and more kinds of variation selectors than a text has use for, are
 * found: each could be a bit of a message.
 */
export function hiddenCharacters(text: string): HiddenCharacter[] {
  if (!suspicious.test(text)) return [];
  const plain = hasAlternatingSelectors(text)
    ? text
    : text.replace(legal, (sequence) => 'x'.repeat([...sequence].length));
  const hasRightToLeft = rightToLeft.test(text) && isBalanced(text) && areFewMarks(text);
  return [...plain].flatMap((character, i) => {
    if (!suspicious.test(character) || (hasRightToLeft && directional.test(character))) return [];
    return { position: i + 1, name: nameOf(character) };
  });
}

/** The format characters that are left out are seen: the signs of Arabic, Syriac and Kaithi that enclose a number. */
const suspicious =
  /(?![\t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}\u2800]/u;

const mostSelectorKinds = 3;

/** Whether selectors that change no emoji are of many kinds, or of several that take turns. */
function hasAlternatingSelectors(text: string): boolean {
  const selectors = text.match(/[\ufe00-\ufe0d\u{e0100}-\u{e01ef}]/gu) ?? [];
  const changes = selectors.filter((selector, i) => i > 0 && selector !== selectors[i - 1]).length;
  return new Set(selectors).size > mostSelectorKinds || changes > mostSelectorKinds;
}

/** Whether no two marks of direction stand side by side, and there are no more than words. */
function areFewMarks(text: string): boolean {
  const marks = text.match(/[\u061c\u200e\u200f]/gu) ?? [];
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return marks.length <= words.length && !/[\u061c\u200e\u200f]{2}/u.test(text);
}

const joining =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}' +
  '\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}' +
  '\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}';
const withoutSpaces =
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}\\p{Script=Javanese}\\p{Script=Balinese}';
const emoji = '\\p{Extended_Pictographic}\\ufe0f?\\p{Emoji_Modifier}?';

/** Sequences in which an invisible character is how the script is written. UTS 51 (emoji), UAX 31 2.3 (joiners), UTS 37 (ideographs). */
const legal = new RegExp(
  [
    `${emoji}(?:\\u200d${emoji})+`,
    '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
    '[0-9#*]\\ufe0f\\u20e3',
    '(?![0-9#*])[\\p{Emoji}\\p{Extended_Pictographic}\\u3030\\u303d][\\ufe0e\\ufe0f]',
    '[\\p{Script=Myanmar}\\p{Sm}]\\ufe00',
    '\\p{Ideographic}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
    '\\p{Script=Mongolian}[\\u180b-\\u180d\\u180f]',
    `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}\\s]|$)`,
    `(?<=[${withoutSpaces}])\\u200b(?=[${withoutSpaces}])`,
  ].join('|'),
  'gu',
);

const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}]/u;
/** Marks, embeddings and isolates. An override shows letters in an order that no reader of the language expects. */
const directional = /[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]/u;

/** Whether every embedding and every isolate is ended within the text, in order. */
function isBalanced(text: string): boolean {
  const open: string[] = [];
  for (const character of text) {
    if (/[\u202a\u202b]/u.test(character)) open.push('\u202c');
    if (/[\u2066-\u2068]/u.test(character)) open.push('\u2069');
    if (/[\u202c\u2069]/u.test(character) && open.pop() !== character) return false;
  }
  return open.length === 0;
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const noncharacter = (code & 0xfffe) === 0xfffe ? 'a noncharacter' : undefined;
  const name = names.get(code) ?? noncharacter ?? ranges.find(([first, last]) => first <= code && code <= last)?.[2];
  return name === undefined ? hex : `${hex} ${name}`;
}

const names: ReadonlyMap<number, string> = new Map([
  [0x00, 'NULL'],
  [0x07, 'BELL'],
  [0x08, 'BACKSPACE'],
  [0x1b, 'ESCAPE, which begins an escape sequence of a terminal'],
  [0x7f, 'DELETE'],
  [0x9b, 'CONTROL SEQUENCE INTRODUCER, which begins an escape sequence of a terminal'],
  [0xad, 'SOFT HYPHEN'],
  [0x34f, 'COMBINING GRAPHEME JOINER'],
  [0x61c, 'ARABIC LETTER MARK'],
  [0x115f, 'HANGUL CHOSEONG FILLER'],
  [0x1160, 'HANGUL JUNGSEONG FILLER'],
  [0x180e, 'MONGOLIAN VOWEL SEPARATOR'],
  [0x200b, 'ZERO WIDTH SPACE'],
  [0x200c, 'ZERO WIDTH NON-JOINER'],
  [0x200d, 'ZERO WIDTH JOINER'],
  [0x200e, 'LEFT-TO-RIGHT MARK'],
  [0x200f, 'RIGHT-TO-LEFT MARK'],
  [0x2028, 'LINE SEPARATOR'],
  [0x2029, 'PARAGRAPH SEPARATOR'],
  [0x202a, 'LEFT-TO-RIGHT EMBEDDING'],
  [0x202b, 'RIGHT-TO-LEFT EMBEDDING'],
  [0x202c, 'POP DIRECTIONAL FORMATTING'],
  [0x202d, 'LEFT-TO-RIGHT OVERRIDE'],
  [0x202e, 'RIGHT-TO-LEFT OVERRIDE'],
  [0x2060, 'WORD JOINER'],
  [0x2061, 'FUNCTION APPLICATION'],
  [0x2062, 'INVISIBLE TIMES'],
  [0x2063, 'INVISIBLE SEPARATOR'],
  [0x2064, 'INVISIBLE PLUS'],
  [0x2066, 'LEFT-TO-RIGHT ISOLATE'],
  [0x2067, 'RIGHT-TO-LEFT ISOLATE'],
  [0x2068, 'FIRST STRONG ISOLATE'],
  [0x2069, 'POP DIRECTIONAL ISOLATE'],
  [0x2800, 'BRAILLE PATTERN BLANK'],
  [0x3164, 'HANGUL FILLER'],
  [0xfeff, 'ZERO WIDTH NO-BREAK SPACE'],
  [0xffa0, 'HALFWIDTH HANGUL FILLER'],
]);

const ranges: readonly (readonly [first: number, last: number, name: string])[] = [
  [0x00, 0x1f, 'a control character'],
  [0x80, 0x9f, 'a control character'],
  [0x180b, 0x180f, 'a Mongolian variation selector'],
  [0x206a, 0x206f, 'a deprecated format character'],
  [0xe000, 0xf8ff, 'a character for private use'],
  [0xfdd0, 0xfdef, 'a noncharacter'],
  [0xfe00, 0xfe0f, 'a variation selector'],
  [0xfff9, 0xfffb, 'an interlinear annotation character'],
  [0xe0000, 0xe007f, 'a tag character'],
  [0xe0100, 0xe01ef, 'a variation selector'],
  [0xf0000, 0xffffd, 'a character for private use'],
  [0x100000, 0x10fffd, 'a character for private use'],
];

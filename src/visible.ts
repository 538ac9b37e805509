/**
 * Text from a node on one line, with nothing in it that a terminal would act on: control characters, line breaks, and
 * what is invisible or reorders text (bidirectional overrides, tags) become their escapes.
 */
export function visible(text: string): string {
  return text.replace(unprintable, (char) => shortEscapes.get(char) ?? codePointEscape(char));
}

/** As `visible`, for text of several lines that a person reads at a terminal: line feeds and tabs stay. */
export function visibleLines(text: string): string {
  return text.replace(unprintable, (char) => (char === '\n' || char === '\t' ? char : codePointEscape(char)));
}

/**
 * Text of a data format at a terminal, of the same meaning: what a terminal would act on is written as an escape of the format, which has
 * `\u` and four digits for each UTF-16 code unit (JSON), or `\U` and eight for what four are too few for (Turtle and its kin).
 */
export function escapedLines(text: string, isJson: boolean): string {
  return text.replace(unprintable, (char) => {
    if (char === '\n') return char;
    const code = char.codePointAt(0) ?? 0;
    if (!isJson) return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : unitEscape(code);
    return Array.from({ length: char.length }, (_, i) => unitEscape(char.charCodeAt(i))).join('');
  });
}

// Joiners and the variation selectors of the basic plane are part of how scripts and emoji are written.
const unprintable =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function codePointEscape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : unitEscape(code);
}

function unitEscape(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

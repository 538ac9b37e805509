export interface Cell {
  /** Printable text (see `visible`). */
  readonly text: string;
  readonly paint?: (text: string) => string;
}

const gap = 2;

/**
 * Rows as lines of aligned columns, none wider than `width` terminal cells. The last column has the room that the others
 * leave; one of the others has at most two fifths of the line, unless there is room for all.
 */
export function alignColumns(rows: readonly (readonly Cell[])[], width: number): string[] {
  const widths = columnWidths(rows, width);
  return rows.map((row) => alignRow(row, widths));
}

/** As `alignColumns`, each line indented by two cells. */
export function indentColumns(rows: readonly (readonly Cell[])[], width: number): string[] {
  return alignColumns(rows, width - gap).map((line) => (line === '' ? '' : ' '.repeat(gap) + line));
}

/**
 * The indented lines of each row, nothing cut: in columns if all rows fit, else the last cell of each row below the others, in
 * as many lines as it takes.
 */
export function wrapColumns(rows: readonly (readonly Cell[])[], width: number): string[][] {
  if (totalWidth(naturalWidths(rows)) <= width - gap) return indentColumns(rows, width).map((line) => [line]);
  return rows.map((row) => stackRow(row, width));
}

/** The text in lines of at most `width` terminal cells: broken at spaces, and within a word only where it is longer than a line. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(' ')) {
    const longer = line === undefined ? word : `${line} ${word}`;
    if (displayWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== undefined) lines.push(line);
    const pieces = breakWord(word, width);
    line = pieces.pop();
    lines.push(...pieces);
  }
  return [...lines, line ?? ''];
}

/** The text if it fits into `width` terminal cells, else its beginning and `…`. */
export function cutText(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width < 1) return '';
  let kept = '';
  let used = 1;
  for (const { segment } of graphemes.segment(text)) {
    used += graphemeWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Terminal cells that a text takes: two for East Asian wide characters and emoji, none for a combining mark alone. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
// Unicode Standard Annex 11, as far as terminals agree; half-width kana and the like (U+FF61 on) take one cell.
const wide =
  /^(?:\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|(?![\uff61-\uffdc])\p{Script=Katakana}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;
const markOnly = /^[\p{Mn}\p{Me}\u200c\u200d]+$/u;

function graphemeWidth(grapheme: string): number {
  if (markOnly.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}

function breakWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const { segment } of graphemes.segment(word)) {
    const taken = graphemeWidth(segment);
    if (used + taken > width && piece !== '') {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += segment;
    used += taken;
  }
  return [...pieces, piece];
}

function stackRow(row: readonly Cell[], width: number): string[] {
  const first = row.slice(0, -1);
  const isOneLine = totalWidth(naturalWidths([first])) <= width - gap;
  const above = isOneLine ? indentColumns([first], width) : first.flatMap((cell) => wrapCell(cell, width, gap));
  return [...above, ...row.slice(-1).flatMap((cell) => wrapCell(cell, width, 2 * gap))];
}

function wrapCell({ text, paint }: Cell, width: number, most: number): string[] {
  const indent = Math.max(0, Math.min(most, width - 2));
  return wrapText(text, width - indent).map((line) => ' '.repeat(indent) + (paint === undefined ? line : paint(line)));
}

function naturalWidths(rows: readonly (readonly Cell[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, { text }] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, displayWidth(text));
  }
  return widths;
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, n) => sum + n, gap * Math.max(0, widths.length - 1));
}

function columnWidths(rows: readonly (readonly Cell[])[], width: number): number[] {
  const natural = naturalWidths(rows);
  if (totalWidth(natural) <= width) return natural;
  let room = width;
  return natural.map((n, i) => {
    const last = i === natural.length - 1;
    const granted = Math.max(0, Math.min(n, room, last ? n : Math.floor(width * 0.4)));
    room -= granted + gap;
    return granted;
  });
}

function alignRow(row: readonly Cell[], widths: readonly number[]): string {
  let line = '';
  let pad = 0;
  for (const [i, { text, paint }] of row.entries()) {
    const width = widths[i] ?? 0;
    const shown = cutText(text, width);
    if (shown === '') {
      pad += width + gap;
      continue;
    }
    line += ' '.repeat(pad) + (paint === undefined ? shown : paint(shown));
    pad = width - displayWidth(shown) + gap;
  }
  return line;
}

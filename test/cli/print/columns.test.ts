import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignColumns, cutText, displayWidth } from '../../../src/cli/print/columns.js';

const cells = (...texts: string[]) => texts.map((text) => ({ text }));

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['表示', 4],
    ['한국', 4],
    ['カナ', 4],
    ['ｶﾅ', 2],
    ['e\u0301', 1],
    ['👩‍💻', 2],
    ['', 0],
  ])('takes %s to be %i cells wide', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('cutText', () => {
  it('leaves what fits and marks what is cut', () => {
    expect(cutText('abcdef', 6)).toBe('abcdef');
    expect(cutText('abcdef', 5)).toBe('abcd…');
  });

  it('never cuts a wide character or an emoji in two', () => {
    expect(cutText('表示表示', 6)).toBe('表示…');
    expect(cutText('a👩‍💻b', 3)).toBe('a…');
  });

  it('is never wider than asked', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.nat(40),
        (text, width) => displayWidth(cutText(text, width)) <= width,
      ),
    );
  });
});

describe('alignColumns', () => {
  it('aligns columns by cells of the terminal, without spaces at the end of a line', () => {
    expect(alignColumns([cells('a', 'one', 'x'), cells('表示', 'b', '')], 40)).toEqual(['a     one  x', '表示  b']);
  });

  it('cuts the last column to the room that is left', () => {
    expect(alignColumns([cells('name', 'a long description')], 14)).toEqual(['name  a long …']);
  });

  it('gives a long first column two fifths of the line', () => {
    expect(alignColumns([cells('a-very-long-name', 'and a description')], 20)).toEqual(['a-very-…  and a des…']);
  });

  it('keeps the columns of a row apart when one of its cells is empty', () => {
    expect(alignColumns([cells('a', '', 'x'), cells('a', 'bb', 'y')], 40)).toEqual(['a      x', 'a  bb  y']);
  });

  it('paints after it has measured', () => {
    const paint = (text: string) => `<${text}>`;
    expect(alignColumns([[{ text: 'a', paint }, { text: 'b' }], cells('aaa', 'b')], 40)).toEqual([
      '<a>    b',
      'aaa  b',
    ]);
  });

  it('makes no line wider than the terminal, however narrow', () => {
    const table = fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 3, maxLength: 3 }), { maxLength: 5 });
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 120 }), (rows, width) =>
        alignColumns(
          rows.map((row) => cells(...row)),
          width,
        ).every((line) => displayWidth(line) <= width),
      ),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignColumns, cutText, displayWidth, wrapColumns, wrapText } from '../../../src/cli/print/columns.js';

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

describe('wrapText', () => {
  it('breaks at spaces, and within a word only where it is longer than a line', () => {
    expect(wrapText('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapText('a graph/tools/x.json', 8)).toEqual(['a', 'graph/to', 'ols/x.js', 'on']);
    expect(wrapText('表示表示', 5)).toEqual(['表示', '表示']);
    expect(wrapText('', 5)).toEqual(['']);
  });

  it('loses nothing but spaces at the ends of lines, and is never wider than asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 40 }), (text, width) => {
        const lines = wrapText(text, width);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('wrapColumns', () => {
  it('aligns what fits', () => {
    expect(wrapColumns([cells('a', 'one'), cells('bb', 'two')], 10)).toEqual([['  a   one'], ['  bb  two']]);
  });

  it('puts the last cell below the others where a line has no room for all, painted line by line', () => {
    const paint = (text: string) => `<${text}>`;
    expect(wrapColumns([[{ text: 'a.json' }, { text: 'bad' }, { text: 'no such thing', paint }]], 16)).toEqual([
      ['  a.json  bad', '    <no such>', '    <thing>'],
    ]);
    expect(wrapColumns([cells('graph/a.json', 'bad', 'x')], 12)).toEqual([['  graph/a.js', '  on', '  bad', '    x']]);
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

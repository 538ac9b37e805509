import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Progress, ProgressLines, parseProgress } from '../../src/invocation/progress.js';

/** What is read of these chunks: the progress, and the text of all other lines. */
function read(chunks: readonly (string | Uint8Array)[]) {
  const progress: Progress[] = [];
  let text = Buffer.alloc(0);
  const lines = new ProgressLines({
    onProgress: (said) => progress.push(said),
    onText: (bytes) => {
      text = Buffer.concat([text, bytes]);
    },
  });
  for (const chunk of chunks) lines.write(Buffer.from(chunk));
  lines.end();
  return { progress, text: text.toString('utf8') };
}

describe('parseProgress', () => {
  it.each([
    ['::progress 3/10 three of ten', { progress: 3, total: 10, message: 'three of ten' }],
    ['::progress 0.5/1', { progress: 0.5, total: 1 }],
    ['::progress 7 no total\r', { progress: 7, message: 'no total' }],
    ['::progress 7', { progress: 7 }],
    ['::progress', undefined],
    ['::progress  3/10', undefined],
    ['::progress -1/10', undefined],
    ['::progress 3/ten', undefined],
    ['::progress 1e9', undefined],
    ['::progress 9999999999999999', undefined],
    ['::progressive 3', undefined],
    [' ::progress 3', undefined],
  ])('reads %j', (line, expected) => {
    expect(parseProgress(line)).toEqual(expected);
  });
});

describe('ProgressLines', () => {
  it('takes the lines of progress out, and leaves every other byte as it is', () => {
    expect(read(['a\n::progress 1/2 one\nb ::progress 9\n::progress x\n::progress 2/2'])).toEqual({
      progress: [
        { progress: 1, total: 2, message: 'one' },
        { progress: 2, total: 2 },
      ],
      text: 'a\nb ::progress 9\n::progress x\n',
    });
  });

  it('does so however the stream is cut into chunks', () => {
    const piece = fc.constantFrom(
      '::progress 4/5 é\n',
      '::prog',
      '::progress ',
      '::',
      'x',
      '\n',
      '€\n',
      '::progress 1',
    );
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat({ max: 20 })), (pieces, sizes) => {
        const bytes = Buffer.from(pieces.join(''));
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const size of sizes) {
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        chunks.push(bytes.subarray(at));
        const lines = pieces.join('').split('\n');
        const expected = lines.flatMap((line) => parseProgress(line) ?? []);
        const others = lines.flatMap((line, n) => {
          if (parseProgress(line) !== undefined) return [];
          return n === lines.length - 1 ? [line] : [`${line}\n`];
        });
        expect(read(chunks)).toEqual({ progress: expected, text: others.join('') });
      }),
    );
  });

  it('holds no more than a bounded line, which is text when it is longer', () => {
    const long = `::progress 1/2 ${'x'.repeat(2000)}`;
    let passed = 0;
    const lines = new ProgressLines({
      onProgress: () => {},
      onText: (bytes) => {
        passed += bytes.length;
      },
    });
    lines.write(Buffer.from(long.slice(0, 1500)));
    expect(passed).toBe(1500);
    expect(read([long.slice(0, 1500), `${long.slice(1500)}\n::progress 2\n`])).toEqual({
      progress: [{ progress: 2 }],
      text: `${long}\n`,
    });
    expect(read([`${long}\n`]).progress).toEqual([]);
  });
});

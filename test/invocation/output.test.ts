import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CappedOutput, OutputTail } from '../../src/invocation/output.js';

function capped(limitBytes: number, chunks: readonly Uint8Array[]) {
  const output = new CappedOutput(limitBytes);
  for (const chunk of chunks) output.write(chunk);
  return output.read();
}

const bytes = (text: string) => Buffer.from(text);

describe('captured output', () => {
  it('is the whole text when it fits exactly', () => {
    expect(capped(4, [bytes('ab'), bytes('cd')])).toEqual({ text: 'abcd', truncated: false });
  });

  it('X11: is cut at the limit, and the cut is marked with both sizes', () => {
    expect(capped(4, [bytes('abc'), bytes('def'), bytes('g')])).toEqual({
      text: 'abcd\n[output cut at 4 bytes; 7 bytes in all]',
      truncated: true,
    });
  });

  it('tells of bytes that are not UTF-8, for which U+FFFD stands', () => {
    expect(capped(9, [Buffer.from([0x61, 0xc3])])).toEqual({ text: 'a\uFFFD', truncated: false, invalidUtf8: true });
    expect(capped(9, [bytes('a\uFFFD')])).toEqual({ text: 'a\uFFFD', truncated: false });
  });

  it('X11: is passed on as a whole, from its first byte, when it is cut, and not at all when it fits', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 6 })), fc.integer({ min: 1, max: 12 }), (chunks, limit) => {
        const passed: number[] = [];
        const output = new CappedOutput(limit, { write: (chunk) => void passed.push(...chunk) });
        for (const chunk of chunks) output.write(chunk);
        const all = chunks.flatMap((chunk) => [...chunk]);
        expect(passed).toEqual(all.length > limit ? all : []);
      }),
    );
  });

  it('is the same however the bytes are split', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 7 }), (text, size) => {
        const all = bytes(text);
        const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
          all.subarray(i * size, (i + 1) * size),
        );
        expect(capped(1 << 20, chunks).text).toBe(text);
      }),
    );
  });

  it('is never cut inside a code point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 2 }), fc.nat(), (text, seed) => {
        const all = bytes(text);
        const { text: cut, truncated } = capped(1 + (seed % (all.length - 1)), [all]);
        const kept = cut.slice(0, cut.lastIndexOf('\n['));
        expect(truncated).toBe(true);
        expect(text.startsWith(kept)).toBe(true);
        expect(kept).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });

  it('has U+FFFD for what is not UTF-8, an unfinished end included, and keeps a byte order mark', () => {
    expect(capped(100, [Uint8Array.of(0x61, 0xff, 0x62, 0xe2, 0x82)]).text).toBe('a\ufffdb\ufffd');
    expect(capped(100, [bytes('\ufeffx')]).text).toBe('\ufeffx');
  });
});

describe('the tail of an output', () => {
  it('is all of it while it fits', () => {
    const tail = new OutputTail(4);
    tail.write(bytes('ab'));
    tail.write(bytes('cd'));
    expect(tail.read()).toBe('abcd');
  });

  it('is the last bytes, from the start of a code point', () => {
    const tail = new OutputTail(4);
    for (const chunk of ['a€', 'bc']) tail.write(bytes(chunk));
    expect(tail.read()).toBe('bc');
    tail.write(bytes('a long chunk'));
    expect(tail.read()).toBe('hunk');
  });
});

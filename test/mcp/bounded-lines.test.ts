import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedLines } from '../../src/mcp/bounded-lines.js';

async function through(chunks: readonly Uint8Array[], maxBytes: number) {
  const dropped: number[] = [];
  const lines = new BoundedLines({ maxBytes, onDropped: (bytes) => dropped.push(bytes) });
  const passed = await buffer(Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(lines));
  return { passed: passed.toString('latin1'), dropped };
}

describe('BoundedLines', () => {
  it('passes exactly the whole lines that are short enough, however the bytes are cut', async () => {
    const line = fc
      .array(fc.integer({ min: 11, max: 255 }), { maxLength: 20 })
      .map((bytes) => Buffer.from([...bytes, 10]));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 20 }),
        fc.array(fc.nat({ max: 9 }), { maxLength: 60 }),
        async (lines, cuts) => {
          const { passed, dropped } = await through(cut(Buffer.concat(lines), cuts), 12);
          const [short, long] = [lines.filter((l) => l.length <= 12), lines.filter((l) => l.length > 12)];
          expect(passed).toBe(Buffer.concat(short).toString('latin1'));
          expect(dropped).toEqual(long.map((l) => l.length));
        },
      ),
    );
  });

  it('drops a last line that has no end', async () => {
    expect(await through([Buffer.from('a\nb')], 10)).toEqual({ passed: 'a\n', dropped: [] });
  });

  it('keeps nothing of a line that is too long', async () => {
    const mebibyte = 1_048_576;
    const before = process.memoryUsage().arrayBuffers;
    let highest = before;
    async function* endless() {
      for (let n = 0; n < 512; n++) {
        yield Buffer.alloc(mebibyte, 'x');
        highest = Math.max(highest, process.memoryUsage().arrayBuffers);
      }
    }
    const lines = new BoundedLines({ maxBytes: mebibyte, onDropped: () => {} });
    expect(await buffer(Readable.from(endless()).pipe(lines))).toHaveLength(0);
    expect(highest - before).toBeLessThan(256 * mebibyte);
  });

  it('ends its output only after the last line has been taken and beforeEnd has resolved', async () => {
    const order: string[] = [];
    const lines = new BoundedLines({
      maxBytes: 10,
      onDropped: () => {},
      beforeEnd: async () => void order.push('before end'),
    });
    Readable.from([Buffer.from('a\nb\n')]).pipe(lines);
    lines.on('data', (line) => order.push(String(line)));
    await once(lines, 'end');
    expect([...order, 'end']).toEqual(['a\n', 'b\n', 'before end', 'end']);
  });
});

function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let start = 0;
  for (const length of lengths) {
    chunks.push(bytes.subarray(start, start + length));
    start += length;
  }
  return [...chunks, bytes.subarray(start)].filter((chunk) => chunk.length > 0);
}

import { describe, expect, it } from 'vitest';
import { type OutputPiece, outputPieceBytes } from '../../../src/invocation/kept-outputs.js';
import { nextPartKey, outputListing, readOutput } from '../../../src/mcp/resources/output-resource.js';
import { resultBytesLimit } from '../../../src/result-size.js';

const uri = 'toolgraph://output/a-call';

function keeping(whole: Uint8Array, { isWhole = true, pieceBytes = outputPieceBytes } = {}) {
  const read = async (call: string, from: number): Promise<OutputPiece | undefined> => {
    if (call !== 'a-call') return undefined;
    const bytes = whole.subarray(from, from + pieceBytes);
    return { bytes, isLast: from + bytes.length >= whole.length, isWhole };
  };
  return { outputs: { list: () => [], read } };
}

describe('An output that is kept (X11)', () => {
  it('is listed with its tool and size', () => {
    const listed = outputListing({ call: 'a-call', tool: 'big', bytes: 3, isWhole: true });
    expect(listed).toMatchObject({ uri, name: 'output of big', size: 3 });
  });

  it('is text, or bytes where it is none', async () => {
    expect(await readOutput(keeping(Buffer.from('é!')), uri)).toEqual({ uri, mimeType: 'text/plain', text: 'é!' });
    const cut = Buffer.from([0x61, 0xc3]);
    expect(await readOutput(keeping(cut, { isWhole: false }), uri)).toMatchObject({ text: 'a' });
    expect(await readOutput(keeping(cut), uri)).toEqual({ uri, mimeType: 'application/octet-stream', blob: 'YcM=' });
  });

  it('is not found under another URI', async () => {
    for (const other of [
      'toolgraph://output/b',
      'toolgraph://output/',
      `${uri}?from=-1`,
      `${uri}?from=x`,
      'toolgraph://tools',
      '',
    ]) {
      expect(await readOutput(keeping(Buffer.from('x')), other)).toBeUndefined();
    }
  });

  it.each(['abcdefghij', 'aé日🙂'.repeat(9), ''])('is read in parts that make the whole: %j', async (whole) => {
    const service = keeping(Buffer.from(whole), { pieceBytes: 5 });
    let read = '';
    for (let next: string | undefined = uri; next !== undefined; ) {
      const contents = await readOutput(service, next);
      if (contents === undefined || !('text' in contents)) throw new Error(`no text at ${next}`);
      read += contents.text;
      next = contents._meta?.[nextPartKey];
    }
    expect(read).toBe(whole);
  });

  it('never takes more of a message than a client of the SDK takes', async () => {
    for (const byte of [0x00, 0x61, 0xff]) {
      const contents = await readOutput(keeping(Buffer.alloc(3 * outputPieceBytes, byte)), uri);
      expect(Buffer.byteLength(JSON.stringify(contents))).toBeLessThan(resultBytesLimit + 1024);
      expect(contents?._meta?.[nextPartKey]).toBe(`${uri}?from=${outputPieceBytes}`);
    }
  });
});

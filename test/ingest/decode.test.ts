import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/ingest/decode.js';

describe('decodeText', () => {
  it('strips one byte order mark and keeps CRLF', () => {
    expect(decodeText(Buffer.from('\ufeff{\r\n}'))).toEqual({ text: '{\r\n}' });
  });

  it('keeps a second byte order mark, which is then a syntax error', () => {
    expect(decodeText(Buffer.from('\ufeff\ufeff{}'))).toEqual({ text: '\ufeff{}' });
  });

  it.each([
    ['little endian with a byte order mark', Buffer.from('\ufeff{"id":"a"}', 'utf16le')],
    ['big endian with a byte order mark', Buffer.from('\ufeff{"id":"a"}', 'utf16le').swap16()],
    ['without a byte order mark', Buffer.from('{"id":"a"}', 'utf16le')],
  ])('refuses UTF-16 %s and says what to do', (_, bytes) => {
    const result = decodeText(bytes);
    expect(result).toMatchObject({ message: expect.stringMatching(/UTF-16.*save it as UTF-8/), position: { line: 1 } });
  });

  it('gives the place of the first byte that is not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{\n  "é": "'), Buffer.from([0xe9]), Buffer.from('"\n}')]);
    expect(decodeText(bytes)).toMatchObject({
      message: expect.stringContaining('not UTF-8; save it as UTF-8'),
      position: { line: 2, column: 9 },
    });
  });

  it('gives the end of a text that stops within a character', () => {
    expect(decodeText(Buffer.from('aé').subarray(0, 2))).toMatchObject({ position: { line: 1, column: 2 } });
  });
});

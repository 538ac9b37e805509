import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerBytes, parseSocketHeader, socketHeader } from '../../../src/invocation/spawner/messages.js';

const token = '0123456789abcdef'.repeat(2);

describe('the header of a socket', () => {
  it('gives back what was written, in so many bytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 - 1 }), (number) => {
        const header = Buffer.from(socketHeader(token, number));
        expect(header).toHaveLength(headerBytes);
        expect(parseSocketHeader(header)).toEqual({ token, number });
      }),
    );
  });

  it.each([
    '',
    token,
    socketHeader(token, 1).slice(1),
    `${socketHeader(token, 1)}\n`,
    socketHeader(token, 1).toUpperCase(),
  ])('is not %j', (text) => {
    expect(parseSocketHeader(Buffer.from(text))).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { faultOf, portableWords, stackOf } from '../../../src/invocation/module/fault.js';

const root = '/home/someone/so so/harness';

describe('A fault, in words for a client', () => {
  it.each([
    [
      "Cannot find module '/home/someone/so so/harness/src/b.js' imported from /home/someone/so so/harness/src/a.js",
      "Cannot find module 'src/b.js' imported from src/a.js",
    ],
    ['at file:///home/someone/so%20so/harness/src/a.js:3:1', 'at src/a.js:3:1'],
    [
      "ENOENT: no such file or directory, open '/etc/app/secret.conf'",
      "ENOENT: no such file or directory, open '…/secret.conf'",
    ],
    ['in /home/someone/so so/harness', 'in '],
    ['file:///usr/lib/node/x.js failed', '…/x.js failed'],
    ['see https://example.org/a/b and a/b/c or /tmp', 'see https://example.org/a/b and a/b/c or /tmp'],
    ['1/2/3 ./a/b ../c/d', '1/2/3 ./a/b ../c/d'],
  ])('%s: %s', (text, words) => {
    expect(portableWords(text, root)).toBe(words);
  });

  it('is bounded, and has neither a stack nor what a getter throws', () => {
    expect(faultOf(new Error('x'.repeat(10_000)), root).message.length).toBe(4096);
    expect(faultOf(Object.assign(new Error('m'), { code: 'E', stack: 'secret' }), root)).toEqual({
      message: 'm',
      name: 'Error',
      code: 'E',
    });
    const nasty = Object.defineProperty(new Error('m'), 'code', {
      get: () => {
        throw new Error();
      },
    });
    expect(faultOf(nasty, root)).toEqual({ message: 'm', name: 'Error' });
    expect(faultOf(undefined, root)).toEqual({ message: 'threw undefined' });
    expect(
      faultOf(
        {
          toJSON: () => {
            throw 1;
          },
        },
        root,
      ),
    ).toEqual({ message: 'threw ' });
    expect(stackOf('text')).toBeUndefined();
    expect(stackOf(new Error('m'))).toContain('Error: m\n');
  });
});

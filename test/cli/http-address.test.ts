import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { httpUrl, parseHttpAddress } from '../../src/cli/http-address.js';

const hosts = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain());

describe('The address after --http', () => {
  it('is read back from the URL that is told of it', () => {
    fc.assert(
      fc.property(hosts, fc.integer({ min: 0, max: 65_535 }), (host, port) => {
        const authority = httpUrl({ host, port }, '/mcp').slice('http://'.length, -'/mcp'.length);
        expect(parseHttpAddress(authority)).toEqual({ host, port });
        expect(parseHttpAddress(String(port))).toEqual({ port });
      }),
    );
  });

  it.each([
    '',
    '.',
    'graph',
    '65536',
    '-1',
    ':80',
    '::1:80',
    '[::1]',
    '[::1',
    '[x]:80',
    '80 ',
    'http://a:80',
    'a:b:80',
    'a:80/mcp',
  ])('is no %j', (value) => {
    expect(() => parseHttpAddress(value)).toThrow('Expected PORT or HOST:PORT');
  });
});

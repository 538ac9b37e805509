import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostOfAddress, isLoopback, parseAuthority, parseOrigin } from '../../../src/mcp/http/authority.js';

describe('A Host header', () => {
  it.each([
    ['localhost', 'localhost', undefined],
    ['LOCALHOST:8080', 'localhost', 8080],
    ['localhost:', 'localhost', undefined],
    ['127.0.0.1:1', '127.0.0.1', 1],
    ['[::1]:65535', '[::1]', 65_535],
    ['[0:0:0:0:0:0:0:1]', '[::1]', undefined],
    ['localhost.', 'localhost.', undefined],
    ['127.1', '127.1', undefined],
    ['2130706433', '2130706433', undefined],
    ['my_host.example', 'my_host.example', undefined],
  ])('%s names the host %s', (text, host, port) => {
    expect(parseAuthority(text)).toEqual({ host, port });
  });

  it.each([
    ...[
      '',
      'user@localhost',
      'user:pw@localhost',
      'localhost, localhost',
      'localhost,evil.example',
      'localhost/',
      'localhost?x',
    ],
    ...[
      'localhost#x',
      'localhost\\',
      ' localhost',
      'localhost ',
      'local host',
      'localhost:65536',
      'localhost:080000',
      'localhost:x',
    ],
    ...[
      'localhost:1:2',
      '::1',
      '[::1',
      '::1]',
      '[::1%25lo]',
      '[::1%lo]',
      '[evil.example]',
      '[::g]',
      'bücher.example',
      '%6cocalhost',
    ],
    ...['localhost\n', '*', 'http://localhost', 'a'.repeat(254)],
  ])('%j is malformed', (text) => {
    expect(parseAuthority(text)).toBeUndefined();
  });

  it('is read as a URL reads it, where it is read at all and not as another name', () => {
    fc.assert(
      fc.property(fc.webAuthority({ withIPv4: true, withIPv6: true, withPort: true }), (text) => {
        const parsed = parseAuthority(text);
        if (parsed === undefined) return;
        expect(parsed.host).toBe(new URL(`http://${text}`).hostname);
      }),
    );
  });
});

describe('An origin', () => {
  it.each([
    ['http://localhost:5173', 'http', 'localhost', 5173],
    ['https://app.example.org', 'https', 'app.example.org', undefined],
    ['http://[::1]:80', 'http', '[::1]', 80],
    ['vscode-webview://0abc', 'vscode-webview', '0abc', undefined],
  ])('%s', (text, scheme, host, port) => {
    expect(parseOrigin(text)).toEqual({ scheme, host, port });
  });

  it.each([
    ...[
      'null',
      '',
      '*',
      'localhost',
      'http://localhost/',
      'http://localhost/x',
      'http://LOCALHOST',
      'HTTP://localhost',
    ],
    ...[
      'http://user@localhost',
      'http://localhost, http://evil.example',
      'http://localhost http://evil.example',
      'file://',
      'http:localhost',
    ],
  ])('%j is none', (text) => {
    expect(parseOrigin(text)).toBeUndefined();
  });
});

describe('Loopback', () => {
  it.each(['localhost', '127.0.0.1', '127.8.9.10', '[::1]'])('is %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each([
    'localhost.',
    '127.1',
    '127.evil.example',
    '127.0.0.1.evil.example',
    '0.0.0.0',
    '[::]',
    '10.0.0.1',
    'localhost.evil.example',
  ])('is not %s', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

describe('The address of a socket', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '[::1]'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['fe80::1%eth0', '[fe80::1]'],
  ])('%s has the host %s', (address, host) => {
    expect(hostOfAddress(address)).toBe(host);
  });
});

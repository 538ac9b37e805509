import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { type AllowedNames, createAllowList } from '../../../src/mcp/http/allowed.js';
import { checkNames, shareWithPages } from '../../../src/mcp/http/check-names.js';
import { ask } from './app-request.js';

function appWith(names: AllowedNames = {}): Hono {
  const app = new Hono();
  const allowed = createAllowList(names);
  app.use(
    checkNames(() => allowed),
    shareWithPages(),
  );
  app.get('/x', (c) => c.text('served'));
  app.get('/fails', () => {
    throw new Error('at /home/somebody');
  });
  app.onError((_, c) => c.text('failed', 500));
  return app;
}

const mine = { allowedHosts: ['mcp.example.org', 'tls.example.org:443', 'odd.example.org:8443', '[2001:db8::1]'] };

describe('The host of a request (cases.md P14: DNS rebinding)', () => {
  it.each([
    ['localhost', '127.0.0.1', {}],
    ['LocalHost:9', '127.0.0.1', {}],
    ['127.0.0.1:9', '::1', {}],
    ['[::1]', '127.0.0.1', {}],
    ['127.0.0.2', '127.0.0.2', {}],
    ['192.168.1.5:80', '192.168.1.5', {}],
    ['192.168.1.5', '::ffff:192.168.1.5', {}],
    ['mcp.example.org', '192.168.1.5', mine],
    ['MCP.example.org:1234', '127.0.0.1', mine],
    ['tls.example.org', '127.0.0.1', mine],
    ['odd.example.org:8443', '127.0.0.1', mine],
    ['[2001:DB8:0::1]:1', '127.0.0.1', mine],
  ])('%s is allowed at %s', async (host, localAddress, names) => {
    expect((await ask(appWith(names), '/x', { headers: { host }, localAddress })).status).toBe(200);
  });

  it.each([
    ['evil.example', '127.0.0.1', {}],
    ['localhost.', '127.0.0.1', {}],
    ['localhost.evil.example', '127.0.0.1', {}],
    ['127.1', '127.0.0.1', {}],
    ['0.0.0.0', '127.0.0.1', {}],
    ['127.0.0.2', '127.0.0.1', {}],
    ['localhost', '192.168.1.5', {}],
    ['192.168.1.6', '192.168.1.5', {}],
    ['host.lan', '192.168.1.5', {}],
    ['mcp.example.org.', '127.0.0.1', mine],
    ['sub.mcp.example.org', '127.0.0.1', mine],
    ['tls.example.org:8443', '127.0.0.1', mine],
    ['odd.example.org', '127.0.0.1', mine],
  ])('%s is refused at %s, on every path', async (host, localAddress, names) => {
    for (const path of ['/x', '/', '/no/such', '/fails']) {
      const answer = await ask(appWith(names), path, { headers: { host }, localAddress });
      expect(answer.status).toBe(403);
      expect(await answer.text()).not.toContain(host);
    }
  });

  it.each(['user@localhost', 'localhost, localhost', '[::1%25lo]', 'localhost:99999'])(
    '%s is malformed',
    async (host) => {
      expect((await ask(appWith(), '/x', { headers: { host } })).status).toBe(400);
    },
  );

  it('is that of a target in absolute form, too', async () => {
    expect((await ask(appWith(), 'http://evil.example/x')).status).toBe(403);
  });

  it('is refused when it is missing', async () => {
    expect((await appWith().request('http://localhost/x')).status).toBe(400);
  });
});

describe('The origin of a page', () => {
  it.each([
    ['http://localhost:5173', 'localhost', {}],
    ['https://127.0.0.1', '[::1]:8080', {}],
    ['https://app.example.org', 'localhost', { allowedOrigins: ['https://app.example.org:443'] }],
    ['vscode-webview://abc', 'localhost', { allowedOrigins: ['vscode-webview://abc'] }],
  ])('%s is allowed to ask %s', async (origin, host, names) => {
    const answer = await ask(appWith(names), '/x', { headers: { origin, host } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    expect(answer.headers.get('access-control-expose-headers')).toContain('Mcp-Session-Id');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('vary')).toContain('Origin');
  });

  it.each([
    ['null', 'localhost', {}],
    ['', 'localhost', {}],
    ['http://evil.example', 'localhost', {}],
    ['http://localhost.evil.example', 'localhost', {}],
    ['http://localhost:5173/', 'localhost', {}],
    ['HTTP://LOCALHOST', 'localhost', {}],
    ['ftp://localhost', 'localhost', {}],
    ['http://localhost:5173', 'mcp.example.org', mine],
    ['http://mcp.example.org', 'mcp.example.org', mine],
    ['http://localhost:5173', 'localhost', { allowedOrigins: [] }],
    ['http://app.example.org', 'localhost', { allowedOrigins: ['https://app.example.org'] }],
    ['https://app.example.org:8443', 'localhost', { allowedOrigins: ['https://app.example.org'] }],
  ])('%s is not allowed to ask %s, nor to preflight', async (origin, host, names) => {
    for (const method of ['GET', 'OPTIONS']) {
      const headers = { origin, host, 'access-control-request-method': 'POST' };
      const answer = await ask(appWith(names), '/x', { method, headers });
      expect(answer.status).toBe(403);
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('is answered when it preflights, with the headers that it asks for and the methods of the service', async () => {
    const headers = {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,mcp-param-city',
    };
    const answer = await ask(appWith(), '/no/such', { method: 'OPTIONS', headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,mcp-param-city');
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,DELETE');
  });

  it('may read what went wrong, too', async () => {
    for (const [path, status] of [
      ['/no/such', 404],
      ['/fails', 500],
    ] as const) {
      const answer = await ask(appWith(), path, { headers: { origin: 'http://localhost' } });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, 'http://localhost']);
    }
  });

  it.each([
    [200, { 'sec-fetch-site': 'none' }],
    [200, { 'sec-fetch-site': 'same-origin' }],
    [200, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
    [200, { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' }],
    [403, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
    [403, { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'script' }],
    [403, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
  ])('is not sent with every request of a page: %i for %j', async (status, headers) => {
    expect((await ask(appWith(), '/x', { headers: headers as Record<string, string> })).status).toBe(status);
  });

  it('is absent where there is no browser: nothing is added to the answer', async () => {
    const answer = await ask(appWith(), '/x');
    expect([answer.status, answer.headers.get('access-control-allow-origin'), answer.headers.get('vary')]).toEqual([
      200,
      null,
      null,
    ]);
    expect((await ask(appWith(), '/x', { method: 'OPTIONS' })).status).toBe(404);
  });
});

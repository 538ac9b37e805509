import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { checkToken } from '../../../src/mcp/http/check-token.js';
import { type TokenState, tokenDigest } from '../../../src/store/access-token.js';
import { ask } from './app-request.js';

const secret = 'tg_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';

function appWith(token: TokenState): Hono {
  const app = new Hono();
  app.use(
    checkToken({ token: () => token, openAnswer: (c) => (c.req.path === '/healthz' ? c.text('live') : undefined) }),
  );
  app.all('*', (c) => c.text('served'));
  return app;
}

const guarded = appWith({ kind: 'set', digest: tokenDigest(secret) });

describe('A service with a token', () => {
  it.each([`Bearer ${secret}`, `bearer ${secret}`, `BEARER   ${secret}`])(
    'serves whoever sends it: %s',
    async (authorization) => {
      expect((await ask(guarded, '/mcp', { headers: { authorization } })).status).toBe(200);
    },
  );

  it.each([
    ['', {}],
    ['a query', {}, `?access_token=${secret}&token=${secret}`],
    ['a cookie', { cookie: `access_token=${secret}` }],
    ['another scheme', { authorization: `Basic ${btoa(`user:${secret}`)}` }],
    ['no scheme', { authorization: secret }],
    ['a longer scheme', { authorization: `Bearers ${secret}` }],
    ['another header', { 'x-authorization': `Bearer ${secret}`, 'proxy-authorization': `Bearer ${secret}` }],
  ])('asks for it where %s has none: 401 without an error code (RFC 6750 3.1)', async (_, headers, query = '') => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const answer = await ask(guarded, `/mcp${query}`, { method, headers: headers as Record<string, string> });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="toolgraph"']);
    }
  });

  it.each([
    ...[secret.slice(0, -1), `${secret}x`, secret.toUpperCase(), tokenDigest(secret).toString('hex'), 'undefined'],
    'a'.repeat(8_000),
  ])('refuses another: %s', async (other) => {
    const answer = await ask(guarded, '/mcp', { headers: { authorization: `Bearer ${other}` } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="toolgraph", error="invalid_token"');
    expect(await answer.text()).not.toContain(other);
  });

  it.each([
    'Bearer',
    'Bearer ',
    `Bearer ${secret} ${secret}`,
    `Bearer ${secret}, Bearer ${secret}`,
    'Bearer a"b',
    `Bearer ,${secret}`,
  ])('calls a malformed header so: %s', async (authorization) => {
    const answer = await ask(guarded, '/mcp', { headers: { authorization } });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      400,
      'Bearer realm="toolgraph", error="invalid_request"',
    ]);
  });

  it('answers without it what may be known to all, and only when none was sent', async () => {
    expect(await (await ask(guarded, '/healthz')).text()).toBe('live');
    expect((await ask(guarded, '/healthz/x')).status).toBe(401);
    expect((await ask(guarded, '/healthz', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
    expect(await (await ask(guarded, '/healthz', { headers: { authorization: `Bearer ${secret}` } })).text()).toBe(
      'served',
    );
  });

  it('lets nobody through when what is kept of it is broken', async () => {
    const broken = appWith({ kind: 'broken', why: 'a secret path' });
    for (const authorization of ['', `Bearer ${secret}`, 'Bearer undefined']) {
      const answer = await ask(broken, '/mcp', { headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain('a secret path');
    }
  });
});

it('A service without a token serves everybody', async () => {
  expect((await ask(appWith({ kind: 'none' }), '/mcp')).status).toBe(200);
});

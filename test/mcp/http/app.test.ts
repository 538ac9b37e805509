import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpApp, type HttpApp } from '../../../src/mcp/http/app.js';
import { createService, type Service } from '../../../src/service.js';
import type { TokenState } from '../../../src/store/access-token.js';
import { Instance, toolNode } from '../../e2e/instance.js';
import { ask, type Sent } from './app-request.js';

const secret = 'tg_something /home/somebody/secret.ts';
const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const version = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const _meta = { ...version, 'io.modelcontextprotocol/clientCapabilities': {} };

const posted = (method: string, params: Record<string, unknown>, headers: Record<string, string> = {}): Sent => ({
  method: 'POST',
  headers: { ...jsonHeaders, ...headers },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
});
const modern = (method: string, params: Record<string, unknown> = {}): Sent =>
  posted(
    method,
    { ...params, _meta },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': String(params.name ?? params.uri ?? '') },
  );
const initialize = posted('initialize', {
  ...{ protocolVersion: '2025-11-25', capabilities: {} },
  clientInfo: { name: 'test', version: '1' },
});

let instance: Instance;
let service: Service;
let app: HttpApp;
let token: TokenState = { kind: 'none' };
let isBroken = false;
const reported: string[] = [];

/** The service, in which whatever is asked for fails once it is broken. */
function breakable(whole: Service): Service {
  return new Proxy(whole, {
    get(target, key) {
      if (isBroken) throw new Error(secret);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

beforeAll(async () => {
  instance = await Instance.make([toolNode('a')]);
  service = createService({ root: instance.root, watch: false });
  await service.ready;
  app = createHttpApp(breakable(service), {
    version: '0.0.0',
    report: (line) => reported.push(line),
    guard: { access: () => undefined, token: () => token },
  });
});
afterAll(async () => {
  isBroken = false;
  await app.close();
  await service.close();
  await instance.dispose();
});

const get: Sent = {};
const routes: readonly (readonly [path: string, sent: Sent])[] = [
  ['/', get],
  ['/mcp', initialize],
  ['/mcp', modern('server/discover')],
  ['/mcp', modern('tools/list')],
  ['/mcp', modern('tools/call', { name: 'a', arguments: {} })],
  ['/mcp', modern('resources/list')],
  ['/mcp', modern('resources/read', { uri: 'toolgraph://tools' })],
  ['/mcp', modern('subscriptions/listen', { notifications: { toolsListChanged: true } })],
  ['/mcp', { method: 'GET', headers: { accept: 'text/event-stream' } }],
  ['/sparql?query=ASK%20%7B%7D', get],
  ['/sparql', { method: 'POST', headers: { 'content-type': 'application/sparql-query' }, body: 'ASK {}' }],
  ['/graph', get],
  ['/tools.json', get],
  ['/healthz', get],
  ['/healthz/live', get],
  ['/healthz/ready', get],
  ['/metrics', get],
  ['/no/such', get],
];

describe('A fault inside of the service', () => {
  it.each(routes)('shows no stack, path or secret at %s %j', async (path, sent) => {
    isBroken = true;
    try {
      const answer = await ask(app, path, sent);
      const text = `${JSON.stringify([...answer.headers])}${await answer.text()}`;
      expect(text).not.toMatch(/tg_|somebody|secret|\.ts\b|node_modules|\s+at /);
      expect(text).not.toContain(instance.root);
    } finally {
      isBroken = false;
    }
  });

  it('is an error to the client, and reported in one line', async () => {
    isBroken = true;
    reported.length = 0;
    const answer = await ask(app, '/tools.json');
    isBroken = false;
    expect(answer.status).toBe(500);
    expect(reported).toEqual([secret]);
  });
});

it('A list is of one service and its tiers: nobody in between may keep it for others', async () => {
  const answer = await ask(app, '/mcp', modern('tools/list'));
  const text = await answer.text();
  expect(JSON.parse(text.replace(/^[\s\S]*?data: /, '')).result).toMatchObject({ cacheScope: 'private', ttlMs: 0 });
});

describe('Without the token of the service', () => {
  it.each(routes)('%s is closed, but that it lives: %j', async (path, sent) => {
    token = { kind: 'broken', why: '' };
    try {
      const answer = await ask(app, path, sent);
      const isHealth = path.startsWith('/healthz');
      expect(answer.status).toBe(isHealth ? 200 : 401);
      if (isHealth) expect(await answer.json()).toEqual({ status: 'live' });
    } finally {
      token = { kind: 'none' };
    }
  });
});

describe('A foreign page', () => {
  it.each(routes)('gets nothing at %s %j', async (path, sent) => {
    const foreigners: Record<string, string>[] = [
      { host: 'evil.example' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
    ];
    for (const foreign of foreigners) {
      const answer = await ask(app, path, { ...sent, headers: { ...sent.headers, ...foreign } });
      expect(answer.status).toBe(403);
    }
  });
});

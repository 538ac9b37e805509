import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../e2e/event-queue.js';
import { declaration, MemoryService } from '../memory-service.js';
import { endpointOf, initialize, messageOf, postModern, postText, SessionClient, StreamReader } from './exchange.js';

const service = () => new MemoryService([declaration('a')]);
const listen = { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } };

describe('What is no request of MCP', () => {
  it.each(['PUT', 'PATCH', 'OPTIONS', 'HEAD'])('is refused with 405 and what is allowed: %s', async (method) => {
    const endpoint = endpointOf(service());
    const response = await endpoint.fetch(new Request('http://127.0.0.1/mcp', { method }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE']);
  });

  it.each(['{"jsonrpc":', '', '\u0000', '{"a":1}{"b":2}'])('is a parse error with 400: %j', async (body) => {
    const response = await postText(endpointOf(service()), body);
    expect(response.status).toBe(400);
    expect(await messageOf(response)).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it('is a parse error when it is not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const response = await endpointOf(service()).fetch(
      new Request('http://127.0.0.1/mcp', { method: 'POST', body, headers }),
    );
    expect((await messageOf(response)).error?.code).toBe(-32700);
  });

  it.each(['text/plain', 'application/json-seq', ''])('is refused with 415 as %j, in both eras', async (type) => {
    const endpoint = endpointOf(service());
    const headers = { 'content-type': type };
    expect((await initialize(endpoint, '2025-11-25', { headers })).status).toBe(415);
    expect((await postModern(endpoint, { method: 'tools/list' }, { headers })).status).toBe(415);
    expect(endpoint.sessions).toBe(0);
  });

  it.each(['null', '7', '"text"', '{}', '[]', '{"jsonrpc":"1.0","id":1,"method":"ping"}'])(
    'is refused with a JSON-RPC error, and opens no session: %s',
    async (body) => {
      const endpoint = endpointOf(service());
      const response = await postText(endpoint, body);
      expect(response.status).toBe(400);
      expect((await messageOf(response)).error?.code).toBeLessThan(-31_999);
      expect(endpoint.sessions).toBe(0);
    },
  );

  it('is a request of 2026-07-28 whose headers are missing or say something else', async () => {
    const endpoint = endpointOf(service());
    const call = { method: 'tools/call', params: { name: 'a', arguments: {} } };
    const wrong = { 'mcp-name': 'b', 'mcp-method': 'tools/list', 'mcp-protocol-version': '2025-11-25' };
    for (const [name, value] of Object.entries(wrong)) {
      const response = await postModern(endpoint, call, { headers: { [name]: value } });
      expect(response.status).toBe(400);
      expect((await messageOf(response)).error?.code).toBe(-32_020);
    }
    const bare = await postText(endpoint, JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }), {
      headers: { 'mcp-protocol-version': '2026-07-28' },
    });
    expect(bare.status).toBe(400);
  });
});

describe('The revisions that are served', () => {
  it('are exactly these', async () => {
    const endpoint = endpointOf(service());
    const { result } = await messageOf(await postModern(endpoint, { method: 'server/discover' }));
    expect(result?.supportedVersions).toEqual(['2026-07-28']);
    const asked = ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '2027-01-01'];
    const answered: unknown[] = [];
    for (const version of asked) {
      answered.push((await messageOf(await initialize(endpoint, version))).result?.protocolVersion);
    }
    expect(answered).toEqual([...asked.slice(0, 5), '2025-11-25', '2025-11-25']);
  });
});

describe('A batch', () => {
  const batch = JSON.stringify([
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  ]);

  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])('is refused in a session of %s', async (revision) => {
    const client = await SessionClient.open(endpointOf(service()), revision);
    const response = await postText(client.endpoint, batch, { headers: client.headers });
    expect(response.status).toBe(400);
    expect((await messageOf(response)).error?.code).toBe(-32_600);
  });

  it('is answered whole in a session of 2025-03-26, which has them', async () => {
    const client = await SessionClient.open(endpointOf(service()), '2025-03-26');
    const stream = new StreamReader(await postText(client.endpoint, batch, { headers: client.headers }));
    await stream.ended;
    const answers = new Map(stream.messages.all.map(({ id, result }) => [id, result]));
    expect(answers.get(2)?.tools).toMatchObject([{ name: 'a' }]);
    expect(answers.get(1)).toEqual({});
  });

  it('is refused in 2026-07-28', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const body = JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }]);
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    expect((await postText(endpointOf(service()), body, { headers })).status).toBe(400);
  });
});

describe('Limits', () => {
  it('refuse one session too many with 503, and take another when one has ended', async () => {
    const endpoint = endpointOf(service(), { maxSessions: 2 });
    const [first] = await Promise.all([SessionClient.open(endpoint), SessionClient.open(endpoint)]);
    const refused = await initialize(endpoint);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await messageOf(refused)).toMatchObject({
      id: 0,
      error: { message: expect.stringContaining('2 sessions') },
    });
    expect((await first.delete()).status).toBe(200);
    expect((await initialize(endpoint)).status).toBe(200);
    expect(endpoint.sessions).toBe(2);
  });

  it('hold for sessions that are opened at once', async () => {
    const endpoint = endpointOf(service(), { maxSessions: 2 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => initialize(endpoint)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503]);
  });

  it('refuse one stream too many of either era, and take another when one has ended', async () => {
    const endpoint = endpointOf(service(), { maxStreams: 2 });
    const client = await SessionClient.open(endpoint);
    const late = await SessionClient.open(endpoint);
    const stream = new StreamReader(await client.get());
    const listening = new StreamReader(await postModern(endpoint, listen));
    expect(endpoint.listeners).toBe(2);
    expect((await late.get()).status).toBe(503);
    const refused = await postModern(endpoint, { id: 7, ...listen });
    expect(refused.status).toBe(503);
    expect(await messageOf(refused)).toMatchObject({ id: 7, error: { message: expect.stringContaining('2 clients') } });
    await listening.cancel();
    expect(endpoint.listeners).toBe(1);
    expect((await late.get()).status).toBe(200);
    await stream.cancel();
    expect(endpoint.listeners).toBe(1);
  });

  it('grant a listen no more resources than one client can be told of, and hold no longer ones', async () => {
    const uris = ['x'.repeat(5000), ...Array.from({ length: 100 }, (_, i) => `toolgraph://tool/${i}`)];
    const params = { notifications: { toolsListChanged: true, resourceSubscriptions: uris } };
    const stream = new StreamReader(await postModern(endpointOf(service()), { ...listen, params }));
    const { params: granted } = await stream.messages.next();
    expect(granted?.notifications).toEqual({ toolsListChanged: true, resourceSubscriptions: uris.slice(1, 65) });
    await stream.cancel();
    const endpoint = endpointOf(service());
    await postModern(endpoint, { id: 'x'.repeat(5000), ...listen });
    expect(endpoint.listeners).toBe(0);
  });

  it('end a session of which nothing is heard, and none that has its stream open', async () => {
    const memory = service();
    const endpoint = endpointOf(memory, { sessionIdleMs: 0 });
    const [idle, listening] = [await SessionClient.open(endpoint), await SessionClient.open(endpoint)];
    const stream = new StreamReader(await listening.get());
    endpoint.sweep();
    expect(endpoint.sessions).toBe(1);
    const gone = await idle.post({ id: 1, method: 'ping' });
    expect(gone.status).toBe(404);
    expect((await messageOf(gone)).error?.code).toBe(-32_001);
    await stream.cancel();
    endpoint.sweep();
    expect(endpoint.sessions).toBe(0);
    expect(memory.listenerCount).toBe(0);
  });
});

describe('The end', () => {
  it('ends the listen of 2026-07-28 with its result, and the stream of a session; a request goes on', async () => {
    const memory = service();
    const calls = new EventQueue<() => void>('call');
    memory.onCall = () =>
      new Promise((resolve) => calls.push(() => resolve({ kind: 'ran', text: 'done', truncated: false })));
    const endpoint = endpointOf(memory);
    const client = await SessionClient.open(endpoint);
    const stream = new StreamReader(await client.get());
    const listening = new StreamReader(await postModern(endpoint, { id: 'l', ...listen }));
    const call = postModern(endpoint, { method: 'tools/call', params: { name: 'a', arguments: {} } });
    const finish = await calls.next();
    await endpoint.endListeners();
    await Promise.all([stream.ended, listening.ended]);
    expect(listening.messages.all.at(-1)).toMatchObject({ id: 'l', result: { resultType: 'complete' } });
    expect(endpoint.listeners).toBe(0);
    finish();
    expect((await messageOf(await call)).result?.content).toEqual([{ type: 'text', text: 'done' }]);
    await endpoint.close();
    expect([endpoint.sessions, memory.listenerCount]).toEqual([0, 0]);
  });
});

import { describe, expect, it } from 'vitest';
import { problem } from '../../../src/diagnostic.js';
import { EventQueue } from '../../e2e/event-queue.js';
import { declaration, MemoryService } from '../memory-service.js';
import { endpointOf, messageOf, postModern, SessionClient, StreamReader } from './exchange.js';

/** Calls that a test ends, each with its signal. */
function heldCalls(service: MemoryService) {
  const calls = new EventQueue<{ readonly signal: AbortSignal | undefined; readonly finish: () => void }>('call');
  service.onCall = (_name, _args, signal) =>
    new Promise((resolve) => {
      const finish = () => resolve({ kind: 'ran', text: 'done', truncated: false });
      signal?.addEventListener('abort', finish);
      calls.push({ signal, finish });
    });
  return calls;
}

const listChanged = { method: 'notifications/tools/list_changed' };
const call = { method: 'tools/call', params: { name: 'a', arguments: {} } };

describe('The stream of a session', () => {
  it('tells, when it opens, of a change that came before, and not of one that was undone or seen by then', async () => {
    const service = new MemoryService([declaration('a')]);
    const endpoint = endpointOf(service);
    const [unaware, aware, undone] = [
      await SessionClient.open(endpoint),
      await SessionClient.open(endpoint),
      await SessionClient.open(endpoint),
    ];
    const early = new StreamReader(await undone.get());
    service.publish([declaration('b')]);
    await early.messages.next(({ method }) => method === listChanged.method);
    await early.cancel();
    await aware.request('tools/list');
    const streams = [];
    for (const client of [unaware, aware, undone]) streams.push(new StreamReader(await client.get()));
    service.publish([declaration('c')]);
    for (const stream of streams) await stream.messages.next(({ method }) => method === listChanged.method);
    endpoint.endListeners();
    await Promise.all(streams.map((stream) => stream.ended));
    const told = streams.map(
      ({ messages }) => messages.all.filter(({ method }) => method === listChanged.method).length,
    );
    expect(told).toEqual([2, 1, 1]);
  });

  it('tells, when it opens again, of a resource whose text differs from what the client could know', async () => {
    const service = new MemoryService([declaration('a')]);
    const client = await SessionClient.open(endpointOf(service));
    const uris = ['toolgraph://problems', 'toolgraph://omissions'];
    for (const uri of uris) await client.request('resources/subscribe', { uri });
    service.publish([declaration('a')], [problem('unreadable', 'a problem')]);
    const stream = new StreamReader(await client.get());
    expect(await stream.messages.next()).toMatchObject({ params: { uri: uris[0] } });
    await stream.cancel();
    service.publish([declaration('a')], []);
    service.publish([declaration('a')], [problem('unreadable', 'a problem')]);
    const again = new StreamReader(await client.get());
    service.publish([declaration('b')], [problem('unreadable', 'a problem')]);
    expect(await again.messages.next()).toMatchObject(listChanged);
  });

  it('takes the place of one whose end the server does not know of', async () => {
    const service = new MemoryService([declaration('a')]);
    const endpoint = endpointOf(service);
    const client = await SessionClient.open(endpoint);
    const [old, current] = [new StreamReader(await client.get()), new StreamReader(await client.get())];
    await old.ended;
    expect(endpoint.listeners).toBe(1);
    service.publish([declaration('b')]);
    expect(await current.messages.next()).toMatchObject(listChanged);
    expect((await client.get({ accept: 'application/json' })).status).toBe(406);
    service.publish([declaration('c')]);
    expect(await current.messages.next()).toMatchObject(listChanged);
  });

  it('is not there without a session, or for one that has ended', async () => {
    const endpoint = endpointOf(new MemoryService([declaration('a')]));
    const bare = await endpoint.fetch(
      new Request('http://127.0.0.1/mcp', { headers: { accept: 'text/event-stream' } }),
    );
    expect(bare.status).toBe(400);
    const client = await SessionClient.open(endpoint);
    const stream = new StreamReader(await client.get());
    expect((await client.delete()).status).toBe(200);
    await stream.ended;
    expect((await client.get()).status).toBe(404);
    expect((await client.delete()).status).toBe(404);
    expect([endpoint.sessions, endpoint.listeners]).toEqual([0, 0]);
  });
});

describe('The id of a request in a session', () => {
  it('is refused while another request with it is under way, whose answer would be lost, and free again after', async () => {
    const service = new MemoryService([declaration('a')]);
    const calls = heldCalls(service);
    const client = await SessionClient.open(endpointOf(service));
    const first = await client.post({ id: 77, ...call });
    const held = await calls.next();
    const second = await client.post({ id: 77, ...call });
    expect(second.status).toBe(400);
    expect(await messageOf(second)).toMatchObject({ id: 77, error: { code: -32600 } });
    const other = await client.post({ id: '77', method: 'ping' });
    expect(await messageOf(other)).toMatchObject({ id: '77', result: {} });
    held.finish();
    expect(await messageOf(first)).toMatchObject({ id: 77, result: { content: [{ text: 'done' }] } });
    expect(await messageOf(await client.post({ id: 77, method: 'ping' }))).toMatchObject({ id: 77, result: {} });
  });
});

describe('A call whose client is gone', () => {
  it('goes on in a session, where a broken stream is no cancellation, and ends with the session', async () => {
    const service = new MemoryService([declaration('a')]);
    const calls = heldCalls(service);
    const client = await SessionClient.open(endpointOf(service));
    const answer = new StreamReader(await client.post({ id: 1, ...call }));
    const held = await calls.next();
    await answer.cancel();
    expect(held.signal?.aborted).toBe(false);
    await client.delete();
    expect(held.signal?.aborted).toBe(true);
  });

  it('is cancelled in 2026-07-28, before its answer has begun and after', async () => {
    const service = new MemoryService([declaration('a')]);
    const calls = heldCalls(service);
    const gone = new AbortController();
    const answered = postModern(endpointOf(service), call, { signal: gone.signal });
    const held = await calls.next();
    gone.abort();
    expect(held.signal?.aborted).toBe(true);
    expect((await answered).status).toBe(499);
  });

  it('is cancelled by a notification in a session, gets no answer, and leaves no stream open', async () => {
    const service = new MemoryService([declaration('a')]);
    const calls = heldCalls(service);
    const endpoint = endpointOf(service, { sessionIdleMs: 0 });
    const client = await SessionClient.open(endpoint);
    const answer = new StreamReader(await client.post({ id: 1, ...call }));
    const held = await calls.next();
    await client.post({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await answer.ended;
    expect([held.signal?.aborted, answer.messages.all]).toEqual([true, []]);
    await client.post({ method: 'notifications/cancelled', params: { requestId: 'unknown' } });
    expect((await client.request('ping')).result).toEqual({});
    endpoint.sweep();
    expect(endpoint.sessions).toBe(0);
  });
});

describe('Two clients of one service', () => {
  it('each have a session, which cannot be asked with the id of the other', async () => {
    const endpoint = endpointOf(new MemoryService([declaration('a')]));
    const [one, other] = [await SessionClient.open(endpoint), await SessionClient.open(endpoint)];
    expect(one.headers).not.toEqual(other.headers);
    const forged = await one.post({ id: 1, method: 'ping' }, { headers: { 'mcp-session-id': 'no-such-session' } });
    expect((await messageOf(forged)).error?.code).toBe(-32_001);
    expect((await other.request('ping')).result).toEqual({});
  });

  it('know a resource that is not there by the code of their revision', async () => {
    const endpoint = endpointOf(new MemoryService([declaration('a')]));
    const read = { method: 'resources/read', params: { uri: 'toolgraph://tool/nothing' } };
    const client = await SessionClient.open(endpoint);
    expect((await client.request(read.method, read.params)).error?.code).toBe(-32_002);
    expect((await messageOf(await postModern(endpoint, read))).error?.code).toBe(-32_602);
  });
});

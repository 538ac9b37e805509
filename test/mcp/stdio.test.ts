import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { problem } from '../../src/diagnostic.js';
import type { CallOutcome } from '../../src/invocation/outcome.js';
import { type StdioClients, serveStdioClients } from '../../src/mcp/stdio.js';
import { RawClient } from '../e2e/raw-client.js';
import { callAnswer, eras, isListChanged, isUpdated, Session } from '../e2e/session.js';
import { declaration, MemoryService } from './memory-service.js';

const running: StdioClients[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((clients) => clients.close()));
});

function start(service: MemoryService) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const reports: string[] = [];
  const clients = serveStdioClients(service, {
    version: '9.9.9',
    stdin,
    stdout,
    report: (line) => reports.push(line),
  });
  running.push(clients);
  return { wire: new RawClient(stdin, stdout), stdin, clients, reports };
}

/** Everything that was sent before has been handled when this resolves: the wire keeps the order. */
async function settled(session: Session): Promise<void> {
  await session.result(session.era === '2025-11-25' ? 'ping' : 'server/discover');
}

describe.each(eras)('serveStdioClients in the era %s', (era) => {
  it('sends one list notification for each generation whose list differs, and none for the same list', async () => {
    const service = new MemoryService([declaration('a')]);
    const session = await Session.open(start(service).wire, era);
    service.publish([declaration('a'), declaration('b')]);
    service.publish([declaration('a'), declaration('b')], [problem('unreadable', 'x')]);
    service.publish([declaration('b')]);
    await settled(session);
    expect(session.wire.notifications.take(isListChanged)).toHaveLength(2);
    expect(await session.names()).toEqual(['b']);
  });

  it('makes the new list visible before it tells of it', async () => {
    const service = new MemoryService([declaration('a')]);
    const session = await Session.open(start(service).wire, era);
    for (let n = 0; n < 20; n++) {
      service.publish([declaration(`t${n}`)]);
      await session.listChanged();
      expect(await session.names()).toEqual([`t${n}`]);
    }
  });

  it('W14: sends nothing for the first generation, and the list waits for it', async () => {
    const service = new MemoryService();
    const session = await Session.open(start(service).wire, era);
    const uri = 'toolgraph://tools';
    if (era === '2025-11-25') session.send('resources/subscribe', { uri });
    else await session.listen({ resourceSubscriptions: [uri] });
    const listing = session.names();
    await settled(session);
    service.publish([declaration('a')]);
    expect(await listing).toEqual(['a']);
    expect(session.wire.notifications.take((m) => isListChanged(m) || isUpdated(m))).toEqual([]);
    service.publish([declaration('b')]);
    await session.listChanged();
    await session.resourceUpdated(uri);
  });

  it('tells of a subscribed resource only when its text differs', async () => {
    const service = new MemoryService([declaration('a')]);
    const session = await Session.open(start(service).wire, era, ['toolgraph://problems']);
    const same = service.current;
    service.publish([declaration('a')], [problem('unreadable', 'x')]);
    await session.resourceUpdated('toolgraph://problems');
    expect(same?.listDigest).toBe(service.current?.listDigest);
    expect(await session.read('toolgraph://problems')).toMatchObject({ problems: [{ code: 'unreadable' }] });
    await settled(session);
    expect(session.wire.notifications.take((m) => isListChanged(m) || isUpdated(m))).toEqual([]);
  });

  it('passes a cancel on to the call and writes no answer for it', async () => {
    const service = new MemoryService([declaration('slow')]);
    const aborted = new Promise<void>((resolve) => {
      service.onCall = (_name, _args, signal) =>
        new Promise<CallOutcome>((finish) => {
          signal?.addEventListener('abort', () => {
            resolve();
            finish({ kind: 'failed', code: 'cancelled', message: 'cancelled', details: {} });
          });
        });
    });
    const session = await Session.open(start(service).wire, era);
    const call = session.send('tools/call', { name: 'slow', arguments: {} });
    await settled(session);
    session.cancel(call.id);
    await aborted;
    await expect(call.answer(300)).rejects.toThrow('no answer');
    expect(await session.names()).toEqual(['slow']);
  });

  it('aborts calls in flight and resolves closed when stdin ends', async () => {
    const service = new MemoryService([declaration('slow')]);
    const aborted = new Promise<void>((resolve) => {
      service.onCall = (_name, _args, signal) => {
        signal?.addEventListener('abort', () => resolve());
        return new Promise<CallOutcome>(() => {});
      };
    });
    const { wire, clients } = start(service);
    const session = await Session.open(wire, era);
    session.send('tools/call', { name: 'slow', arguments: {} });
    await settled(session);
    wire.end();
    await clients.closed;
    await aborted;
    expect(service.listenerCount).toBe(0);
  });

  it('P16: resolves closed when stdin breaks without an end', async () => {
    const { wire, stdin, clients } = start(new MemoryService([declaration('a')]));
    await settled(await Session.open(wire, era));
    stdin.destroy(new Error('EIO'));
    await clients.closed;
  }, 10_000);

  it('answers an unknown tool with -32602 and the code, and a fault of ours without its text', async () => {
    const service = new MemoryService([declaration('a')]);
    service.onCall = () => Promise.reject(new Error('/secret/path broke'));
    const { wire, reports } = start(service);
    const session = await Session.open(wire, era);
    const unknown = await session.request('tools/call', { name: '__proto__', arguments: {} });
    expect(unknown.error).toEqual({
      code: -32602,
      message: 'Unknown tool: __proto__',
      data: { code: 'unknown_tool' },
    });
    const failed = await session.request('tools/call', { name: 'a', arguments: {} });
    expect(failed.line).not.toContain('secret');
    expect(callAnswer(failed.result ?? {}).refusal).toMatchObject({ code: 'internal_error', details: {} });
    expect(reports).toEqual(['/secret/path broke']);
  });

  it('answers requests that are piped in at once, though stdin ends right after them', async () => {
    const service = new MemoryService();
    const { wire, clients } = start(service);
    const opening = Session.open(wire, era);
    const session = await opening;
    const list = session.send('tools/list');
    wire.end();
    service.publish([declaration('a')]);
    expect((await list.answer()).result?.tools).toHaveLength(1);
    await clients.closed;
  });
});

function initialize(wire: RawClient, protocolVersion: string) {
  return wire.result('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } });
}

/** Id of the `subscriptions/listen` that `Session.open` sends after `server/discover`. */
const listenId = 2;

describe('serveStdioClients before the client may be told', () => {
  it('2025: holds a change back until notifications/initialized, and sends it then once', async () => {
    const service = new MemoryService([declaration('a')]);
    const { wire } = start(service);
    await initialize(wire, '2025-06-18');
    service.publish([declaration('b')]);
    service.publish([declaration('c')]);
    await wire.result('ping');
    expect(wire.notifications.all).toEqual([]);
    wire.notify('notifications/initialized');
    await wire.notifications.next(isListChanged);
    await wire.result('ping');
    expect(wire.notifications.all).toHaveLength(1);
  });

  it('2025: says nothing on notifications/initialized of a change that the client has listed already, or that was undone', async () => {
    const service = new MemoryService([declaration('a')]);
    const { wire } = start(service);
    await initialize(wire, '2025-06-18');
    service.publish([declaration('b')]);
    service.publish([declaration('c')]);
    await wire.result('tools/list');
    service.publish([declaration('d')]);
    service.publish([declaration('c')]);
    wire.notify('notifications/initialized');
    await wire.result('ping');
    expect(wire.notifications.all).toEqual([]);
  });

  it('2026: a change between tools/list and subscriptions/listen is told right after the acknowledgement', async () => {
    const service = new MemoryService([declaration('a')]);
    const { wire } = start(service);
    const session = await Session.open(wire, '2026-07-28');
    await session.list();
    session.cancel(listenId);
    service.publish([declaration('b')]);
    await settled(session);
    expect(wire.notifications.take(isListChanged)).toEqual([]);
    const id = await session.listen({ toolsListChanged: true });
    const told = await session.listChanged();
    expect(told.params?._meta).toEqual({ 'io.modelcontextprotocol/subscriptionId': id });
    await session.listen({ toolsListChanged: true });
    await settled(session);
    expect(wire.notifications.take(isListChanged)).toEqual([]);
  });

  it('2026: without a subscription nothing is sent', async () => {
    const service = new MemoryService([declaration('a')]);
    const { wire } = start(service);
    const session = await Session.open(wire, '2026-07-28');
    session.cancel(listenId);
    service.publish([declaration('b')]);
    await settled(session);
    expect(wire.notifications.take(isListChanged)).toEqual([]);
  });
});

describe('serveStdioClients and what hosts do at the opening', () => {
  it('serves a client that falls back to initialize after a discover probe, and leaves no listener of the probe behind', async () => {
    const service = new MemoryService([declaration('a')]);
    const { wire } = start(service);
    const probe = await wire.result('server/discover', {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    });
    expect(probe.supportedVersions).toEqual(['2026-07-28']);
    const session = await Session.open(wire, '2025-11-25');
    expect(service.listenerCount).toBe(1);
    service.publish([declaration('b')]);
    await session.listChanged();
    await settled(session);
    expect(wire.notifications.take(isListChanged)).toEqual([]);
  });

  it('lists byte-identical tools in both eras', async () => {
    const service = new MemoryService([declaration('a'), declaration('b')]);
    const lines = await Promise.all(
      eras.map(async (era) => {
        const session = await Session.open(start(service).wire, era);
        const { line } = await session.request('tools/list');
        return line.slice(line.indexOf('"tools":['), line.indexOf('"_meta":{"toolgraph/generation"'));
      }),
    );
    const expected = JSON.stringify([declaration('a'), declaration('b')]);
    expect(lines).toEqual([`"tools":${expected},`, `"tools":${expected},`]);
  });

  it('survives garbage, a batch and a line of 10 MB, which it drops', async () => {
    const service = new MemoryService([declaration('a')]);
    const { wire, reports } = start(service);
    const session = await Session.open(wire, '2025-11-25');
    wire.write('not json\n\n\u0000\u001b[2J\n{}\n[]\n"text"\n');
    wire.write(`${JSON.stringify([{ jsonrpc: '2.0', id: 77, method: 'tools/list' }])}\n`);
    wire.write(`{"jsonrpc":"2.0","id":78,"method":"tools/list","params":{"x":"${'x'.repeat(10_000_000)}"}}\n`);
    expect(await session.names()).toEqual(['a']);
    expect(wire.lateResponses).toEqual([]);
    expect(reports.filter((line) => line.includes('was dropped'))).toHaveLength(1);
    expect(reports.filter((line) => /\p{Cc}/u.test(line))).toEqual([]);
  });

  it('keeps stdout for the protocol: console writes to stderr until the end', async () => {
    const service = new MemoryService([declaration('a')]);
    const before = globalThis.console;
    const { wire, clients } = start(service);
    expect(globalThis.console).not.toBe(before);
    await Session.open(wire, '2025-11-25');
    await clients.close();
    expect(globalThis.console).toBe(before);
  });

  it('says in the instructions how many problems there are', async () => {
    const service = new MemoryService();
    service.publish([declaration('a')], [problem('unreadable', 'x'), problem('invalid-node', 'y')]);
    const { wire } = start(service);
    const { instructions, serverInfo } = await initialize(wire, '2025-11-25');
    expect(instructions).toContain('2 problems');
    expect(instructions).toContain('toolgraph://problems');
    expect(serverInfo).toEqual({ name: 'toolgraph', version: '9.9.9' });
  });
});

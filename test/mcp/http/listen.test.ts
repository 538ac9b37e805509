import { once } from 'node:events';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { HttpApp } from '../../../src/mcp/http/app.js';
import { connectionLimits, listen } from '../../../src/mcp/http/listen.js';
import { bodyOf } from '../../../src/mcp/http/web/body-text.js';
import { eventually } from '../../e2e/deadline.js';
import { EventQueue } from '../../e2e/event-queue.js';
import { openSocket, request, sendRaw } from '../../e2e/raw-http.js';

const short = { connectionsCheckingInterval: 20, headersTimeout: 100, requestTimeout: 150, keepAliveTimeout: 100 };

async function* failing(): AsyncGenerator<string> {
  yield 'begun';
  // By then the first piece is on its way.
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error('the export was ended');
}

async function served(limits = {}): Promise<URL> {
  const hono = new Hono().post('/', async (c) => c.text(await c.req.text())).get('/', (c) => c.text('served'));
  hono.get('/broken', (c) => c.body(bodyOf(c, failing())));
  hono.onError((_, c) => c.text('failed', 500));
  const app: HttpApp = {
    fetch: (asked, connection) => hono.fetch(asked, connection),
    ...{ sessions: () => 0, listeners: () => 0, endClients() {} },
    ...{ drain: async () => {}, close: async () => {} },
  };
  const server = await listen(app, { host: '127.0.0.1', port: 0 }, { ...connectionLimits, ...limits });
  onTestFinished(() => server.close(0));
  return new URL(`http://127.0.0.1:${server.address.port}`);
}

describe('A client that sends too slowly', () => {
  it.each([
    ['a header without end', 'GET / HTTP/1.1\r\nHost: localhost\r\nX: a'],
    ['a body without end', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\na'],
    ['chunks without end', 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n'],
  ])('is told so, and its connection closed: %s', async (_, bytes) => {
    const url = await served(short);
    expect((await sendRaw(url, bytes)).status).toBe(408);
  });

  it('loses its connection when it sends nothing', async () => {
    const url = await served(short);
    const socket = await openSocket(url);
    socket.resume();
    await once(socket, 'close');
  });

  it('loses its connection when it asks nothing more', async () => {
    const url = await served(short);
    const socket = await openSocket(url);
    socket.write(request('GET / HTTP/1.1', ['Host: localhost']));
    socket.resume();
    await once(socket, 'close');
  });
});

it('More connections than may be are closed at once, and the others are served', async () => {
  const url = await served({ maxConnections: 2 });
  const first = await openSocket(url);
  first.write('GET / HTTP/1.1\r\n');
  const second = await openSocket(url);
  second.write('GET / HTTP/1.1\r\n');
  expect((await sendRaw(url, request('GET / HTTP/1.1', ['Host: localhost']))).status).toBe(0);
  second.write('Host: localhost\r\n\r\n');
  const [answer] = await once(second, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  first.destroy();
});

describe('The end of a server', () => {
  /** An app that answers when the test says so, on a server that the test closes. */
  async function held() {
    const asked = new EventQueue<(text: string) => void>('request');
    const ends: string[] = [];
    const app: HttpApp = {
      fetch: () => new Promise((resolve) => asked.push((text) => resolve(new Response(text)))),
      ...{ sessions: () => 0, listeners: () => 0, endClients() {} },
      drain: async () => void ends.push('drained'),
      close: async () => void ends.push('closed'),
    };
    const server = await listen(app, { host: '127.0.0.1', port: 0 });
    return { asked, ends, server, url: new URL(`http://127.0.0.1:${server.address.port}`) };
  }

  it('waits for a request in flight, and not for a connection that is kept for another one', async () => {
    const { asked, ends, server, url } = await held();
    const answer = fetch(url);
    const respond = await asked.next();
    const idle = await openSocket(url);
    idle.resume();
    const closed = server.close(60_000);
    await eventually(() => ends.includes('drained'), 'it ends');
    respond('answered');
    expect(await (await answer).text()).toBe('answered');
    await closed;
    expect(ends).toEqual(['drained', 'closed']);
  });

  it('waits no longer than it is given', async () => {
    const { asked, ends, server, url } = await held();
    const answer = fetch(url);
    await asked.next();
    await Promise.all([server.close(10), expect(answer).rejects.toThrow()]);
    expect(ends).toEqual(['drained', 'closed']);
  });
});

it('An answer that fails in its midst is broken off, without a stack on stderr', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  const url = await served();
  await expect(fetch(new URL('/broken', url)).then((response) => response.text())).rejects.toThrow();
  expect(await (await fetch(url)).text()).toBe('served');
  expect(printed).not.toHaveBeenCalled();
});

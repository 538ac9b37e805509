import { chmodSync, readdirSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeToken } from '../../src/store/access-token.js';
import { openStateFolder } from '../../src/store/state-folder.js';
import { run } from '../cli/cli-process.js';
import { eventually } from './deadline.js';
import { HttpServerProcess, makeInstance, startHttpServer } from './harness.js';
import { Instance, toolNode } from './instance.js';
import { openSocket, request, sendRaw } from './raw-http.js';
import { connectCurrentSdk, connectFirstSdk } from './sdk-clients.js';
import { type Era, eras } from './session.js';

const host = 'Host: localhost';
const json = 'Content-Type: application/json';
const accept = 'Accept: application/json, text/event-stream';
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const initialize = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

const listen = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
    notifications: { toolsListChanged: true },
  },
});

describe('toolgraph serve --http on loopback', () => {
  let instance: Instance;
  let server: HttpServerProcess;
  beforeAll(async () => {
    instance = await Instance.make([toolNode('a')]);
    server = await HttpServerProcess.start(instance);
  });
  afterAll(async () => {
    try {
      expect(await server.stop()).toEqual({ code: 0, signal: null });
    } finally {
      server.kill('SIGKILL');
      await instance.dispose();
    }
  });

  const get = 'GET /mcp HTTP/1.1';
  const post = 'POST /mcp HTTP/1.1';
  const huge = 9 * 1024 * 1024;

  it.each([
    ['a request of its host', 200, request(post, [host, json, accept], initialize)],
    ['a host in capitals', 200, request(post, ['HOST: LOCALHOST:1', json, accept], initialize)],
    ['a page of loopback', 200, request(post, [host, json, accept, 'Origin: http://localhost:5173'], initialize)],
    ['a foreign host', 403, request(get, ['Host: evil.example'])],
    ['a foreign host on a path that there is not', 403, request('GET /no/such HTTP/1.1', ['Host: evil.example'])],
    ['a foreign host in the target', 403, request('GET http://evil.example/mcp HTTP/1.1', [host])],
    ['a dot after the host', 403, request(get, ['Host: localhost.'])],
    ['a user before the host', 400, request(get, ['Host: evil.example@localhost'])],
    ['two hosts', 400, request(get, [host, 'Host: evil.example'])],
    ['two hosts that are the same', 400, request(get, [host, host])],
    ['two hosts in one header', 400, request(get, ['Host: localhost, localhost'])],
    ['no host', 400, request(get, [])],
    ['no host, in HTTP/1.0', 400, request('GET /mcp HTTP/1.0', [])],
    ['an empty host', 400, request(get, ['Host:'])],
    ['a foreign page', 403, request(post, [host, json, accept, 'Origin: http://evil.example'], initialize)],
    ['a page without origin', 403, request(post, [host, json, accept, 'Origin: null'], initialize)],
    ['two origins', 403, request(get, [host, 'Origin: http://localhost', 'Origin: http://evil.example'])],
    ['a preflight of a foreign page', 403, request('OPTIONS /mcp HTTP/1.1', [host, 'Origin: http://evil.example'])],
    ['a preflight of loopback', 204, request('OPTIONS /mcp HTTP/1.1', [host, 'Origin: http://localhost:1'])],
    ['an image of a foreign page', 403, request(get, [host, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: image'])],
    ['no HTTP', 400, 'hello\r\n\r\n'],
    ['TLS', 400, Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03, 0x0a, 0x0d, 0x0a])],
    ['a header without a colon', 400, request(get, [host, 'nonsense'])],
    ['a header over two lines', 400, request(get, [host, 'X: a', ' b'])],
    ['a NUL in a header', 400, request(get, [host, 'X: a\0b'])],
    ['two lengths', 400, `${post}\r\n${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    [
      'a length and chunks',
      400,
      `${post}\r\n${host}\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a chunk without a size', 400, `${post}\r\n${host}\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['large headers', 431, request(get, [host, `X: ${'a'.repeat(20_000)}`])],
    ['a long target', 431, request(`GET /${'a'.repeat(20_000)} HTTP/1.1`, [host])],
    ['a body that says it is too large', 413, `${post}\r\n${host}\r\n${json}\r\nContent-Length: ${huge}\r\n\r\n`],
    ['no JSON', 400, request(post, [host, json, accept], '{"a":')],
    [
      'no UTF-8',
      400,
      Buffer.from(request(post, [host, json, accept], '"\xff"').replace('Length: 4', 'Length: 3'), 'latin1'),
    ],
    ['deep JSON', 400, request(post, [host, json, accept], `${'['.repeat(200_000)}${']'.repeat(200_000)}`)],
    ['another type of content', 415, request(post, [host, 'Content-Type: text/plain', accept], ping)],
    ['no type of content', 415, request(post, [host, accept], ping)],
    ['a path that there is not', 404, request('GET /no/such HTTP/1.1', [host])],
    ['a path upwards', 404, request('GET /../../etc/passwd HTTP/1.1', [host])],
    ['an unknown method', 405, request('PATCH /mcp HTTP/1.1', [host])],
  ])('answers %s with %i, without a stack, a path or what was sent', async (_, status, bytes) => {
    const answer = await sendRaw(server.url, bytes);
    expect([answer.status, answer.head.split('\r\n')[0]]).toEqual([status, expect.stringContaining(`${status}`)]);
    if (status === 200) return;
    expect(answer.body).not.toMatch(/\n\s+at |node_modules|dist\/|evil|aaaa/);
    expect(answer.body).not.toContain(instance.root);
  });

  it('answers a body that proves to be too large with 413, and takes no more of it', async () => {
    const socket = await openSocket(server.url);
    let answer = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
    });
    socket.write(`${post}\r\n${host}\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = `100000\r\n${' '.repeat(1024 * 1024)}\r\n`;
    let sent = 0;
    await eventually(() => {
      if (socket.writableLength < 4 * chunk.length && !socket.destroyed && ++sent) socket.write(chunk);
      return socket.destroyed;
    }, 'the connection of an endless body is closed');
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(100);
  });

  it.skipIf(process.platform !== 'linux')(
    'answers others while a thousand connections send nothing, or too little, and keeps nothing of them',
    async () => {
      const descriptors = (): number => readdirSync(`/proc/${server.pid}/fd`).length;
      const sockets = await Promise.all(Array.from({ length: 1000 }, () => openSocket(server.url)));
      for (const [n, socket] of sockets.entries()) if (n % 2 === 0) socket.write(`${post}\r\n${host}\r\nX: `);
      await eventually(() => descriptors() >= 1000, 'all are accepted');
      expect((await sendRaw(server.url, request(post, [host, json, accept], initialize))).status).toBe(200);
      for (const socket of sockets) socket.destroy();
      await eventually(() => descriptors() < 200, 'all are closed');
    },
  );

  it('takes up a change of the config while it runs', async () => {
    const named = request(get, ['Host: mcp.example.org', 'Origin: https://app.example.org']);
    expect((await sendRaw(server.url, named)).status).toBe(403);
    const http = { allowedHosts: ['mcp.example.org'], allowedOrigins: ['https://app.example.org'] };
    await instance.config({ http });
    await eventually(async () => (await sendRaw(server.url, named)).status === 400, 'the name is allowed');
    await instance.config({ http: { requestsPerSecond: 1 } });
    await eventually(async () => (await sendRaw(server.url, request(get, [host]))).status === 429, 'there is a limit');
    await instance.config({});
    await eventually(async () => (await sendRaw(server.url, request(get, [host]))).status === 400, 'the limit is gone');
  });

  it('has told nobody of a fault: what clients send wrong is none of the server', () => {
    expect(server.stderr.all.filter((line) => !/listening on|there is no token|1 tool/.test(line))).toEqual([]);
  });
});

describe('toolgraph serve --http with a token', () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const tokenOf = ({ root }: Instance): string => makeToken(openStateFolder(root, {}).path);
  const statusWith = async ({ url }: HttpServerProcess, headers: Record<string, string>, query = ''): Promise<number> =>
    (await fetch(`${url}${query}`, { method: 'POST', headers, body: '' })).status;

  it.each(eras)('serves who sends it, in the era %s, and what was opened with it ends with it', async (era) => {
    const instance = await makeInstance([toolNode('a')]);
    const first = tokenOf(instance);
    const server = await startHttpServer(instance);
    expect(await statusWith(server, {})).toBe(401);
    expect(await statusWith(server, {}, `?access_token=${first}`)).toBe(401);
    expect(await statusWith(server, bearer(first))).toBe(415);

    const stream = await openStream(server.url, era, bearer(first));
    const second = (await run(['token', instance.root])).stdout.trim();
    // Nobody asks anything meanwhile.
    expect(await stream.text()).toContain(era === '2025-11-25' ? '' : '"result"');
    expect(await statusWith(server, bearer(first))).toBe(401);
    expect(await statusWith(server, bearer(second))).toBe(415);
    if (stream.session !== undefined) {
      const headers = { ...bearer(second), accept: 'text/event-stream', 'mcp-session-id': stream.session };
      expect((await fetch(server.url, { headers })).status).toBe(404);
    }

    await run(['token', instance.root, '--revoke']);
    expect(await statusWith(server, bearer(second))).toBe(401);
    expect(await statusWith(server, {})).toBe(401);
    await server.stderr.next((line) => line.includes('no request is let through: the token was revoked'));
    expect(server.stderr.all.join('\n')).not.toMatch(/tg_/);
  });

  it('listens on other addresses only with one, and there it answers to the address itself', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const refused = await run(['serve', instance.root, '--http', '0.0.0.0:0']);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/^toolgraph: http:\/\/0\.0\.0\.0:0 can be reached .* toolgraph token.*\n$/);

    const token = tokenOf(instance);
    const server = await startHttpServer(instance, { args: ['--http', '0.0.0.0:0'] });
    const own = Object.values(networkInterfaces())
      .flat()
      .find((at) => at?.family === 'IPv4' && !at.internal)?.address;
    if (own === undefined) return;
    const url = new URL(`http://${own}:${server.url.port}/mcp`);
    const authorization = `Authorization: Bearer ${token}`;
    const statusAt = async (named: string): Promise<number> =>
      (await sendRaw(url, request('POST /mcp HTTP/1.1', [`Host: ${named}`, authorization]))).status;
    expect([await statusAt(own), await statusAt('localhost'), await statusAt('0.0.0.0')]).toEqual([415, 403, 403]);
  });

  it('is sent by the clients of the SDK, which get nothing without it', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const token = tokenOf(instance);
    const { url } = await startHttpServer(instance);
    for (const connect of [
      (headers: Record<string, string>) => connectFirstSdk(url, headers),
      (headers: Record<string, string>) => connectCurrentSdk(url, 'legacy', headers),
      (headers: Record<string, string>) => connectCurrentSdk(url, 'auto', headers),
    ]) {
      await expect(connect({})).rejects.toThrow();
      const client = await connect(bearer(token));
      expect(await client.names()).toEqual(['a']);
      await client.close();
    }
  });

  it.each([
    ['is broken', (instance: Instance) => instance.write(file, 'tg_x')],
    ['can be read by others', (instance: Instance) => chmodSync(instance.path(file), 0o644)],
  ])('does not start where what is kept of it %s', async (_, breakIt) => {
    const instance = await makeInstance([toolNode('a')]);
    tokenOf(instance);
    await breakIt(instance);
    const { code, stdout, stderr } = await run(['serve', instance.root, '--http', '0']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^toolgraph: \.toolgraph\/access-token\.sha256 .*; make another with toolgraph token/);
  });

  const file = '.toolgraph/access-token.sha256';
});

interface OpenStream {
  readonly session: string | undefined;
  /** All that came on it, once it has ended. */
  text(): Promise<string>;
}

/** Opens the stream on which a client of the era is told of changes. */
async function openStream(url: URL, era: Era, headers: Record<string, string>): Promise<OpenStream> {
  const all = { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  if (era === '2025-11-25') {
    const opened = await fetch(url, { method: 'POST', headers: all, body: initialize });
    await opened.text();
    const session = opened.headers.get('mcp-session-id') ?? '';
    const stream = await fetch(url, {
      headers: { ...headers, accept: 'text/event-stream', 'mcp-session-id': session },
    });
    expect(stream.status).toBe(200);
    return { session, text: () => stream.text() };
  }
  const stated = { 'mcp-protocol-version': era, 'mcp-method': 'subscriptions/listen' };
  const stream = await fetch(url, { method: 'POST', headers: { ...all, ...stated }, body: listen });
  expect(stream.status).toBe(200);
  return { session: undefined, text: () => stream.text() };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listServerTools, NoListError, type ServerListing } from '../../src/mcp/server-list.js';
import { isRunning } from '../e2e/processes.js';
import { answer } from './answer-2025.js';
import { serve } from './serve-once.js';

const oddServer = fileURLToPath(new URL('fixtures/odd-server.mjs', import.meta.url));
/** Where the wait is what is tested. */
const shortMs = 1500;

function list(way: string, timeoutMs = 30_000, signal = new AbortController().signal): Promise<ServerListing> {
  const command = { file: process.execPath, args: [oddServer, way], cwd: process.cwd(), env: process.env };
  return listServerTools({ kind: 'command', command }, { timeoutMs, signal, version: '0' });
}

async function failure(work: Promise<unknown>): Promise<NoListError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof NoListError)) throw new Error(`expected a NoListError, got ${String(error)}`);
  return error;
}

describe('The list of a server on stdio', () => {
  it('has all pages', async () => {
    const { tools, name, version, protocol } = await list('two pages');
    expect(tools.map((tool) => tool.name)).toEqual(['a', 'b']);
    expect({ name, version, protocol }).toEqual({ name: 'odd', version: '1', protocol: '2025-06-18' });
  });

  it('is empty where the server says that it has no tools', async () => {
    expect((await list('no tools')).tools).toEqual([]);
  });

  it('is read past lines that are no protocol', async () => {
    expect((await list('chatty')).tools).toHaveLength(1);
  });

  it('is read of a server that dies of the question for its era', async () => {
    expect((await list('dies when probed')).tools).toHaveLength(1);
  });

  it('has entries without a name told as faults, and the others whole', async () => {
    const { tools, faults } = await list('bare entries');
    expect(tools).toEqual([{ name: 'a' }, { name: 'b', inputSchema: 'x' }]);
    expect(faults).toEqual([1, 2, 3].map((i) => `entry ${i} of its tools/list has no name`));
  });

  it('takes a schema of any depth', async () => {
    const { tools } = await list('deep schema');
    expect(tools[0]?.inputSchema).toMatchObject({ properties: { a: { items: { items: {} } } } });
  });

  it('keeps a property __proto__', async () => {
    const { tools } = await list('proto property');
    expect(JSON.stringify(tools[0]?.inputSchema)).toContain('"properties":{"__proto__":{"type":"string"}}');
  });

  it.each([
    ['endless pages', 'its list has more than 200 pages'],
    ['one cursor', 'its list has no end: the cursor "again" came again'],
    ['huge list', 'it lists more than 5000 tools'],
    ['long line', /it wrote a line of 178\d{5} bytes; at most 16777216 are read/],
    [
      'garbage',
      /it writes to stdout what is not the protocol; .*it wrote 1001 lines on stdout that are no JSON-RPC, the first: "not json"/,
    ],
    ['refusal', 'the database is gone'],
    ['no array', /expected array/],
  ])('is refused from a server with %s', async (way, message) => {
    expect((await failure(list(way))).message).toMatch(message);
  });

  it('says why a server ended, with its stderr', async () => {
    const { message, stderr } = await failure(list('exit'));
    expect(message).toContain('it ended with exit code 3');
    expect(stderr).toBe('the configuration is missing\n');
  });

  it('says that a command does not exist', async () => {
    const command = { file: 'no-such-command', args: [], cwd: process.cwd(), env: process.env };
    const options = { timeoutMs: 30_000, signal: new AbortController().signal, version: '0' };
    const { message } = await failure(listServerTools({ kind: 'command', command }, options));
    expect(message).toBe('The command no-such-command was not found on PATH; install it');
  });

  it('is not waited for longer than was said', async () => {
    expect((await failure(list('silent', shortMs))).message).toBe('it gave no list within 1.5 s');
  });

  it('is not waited for when the work is aborted', async () => {
    const controller = new AbortController();
    const work = failure(list('silent', 30_000, controller.signal));
    controller.abort();
    expect((await work).message).toContain('aborted');
  });

  it.each(['stubborn', 'leaves a child'])('leaves no process behind of a server that is: %s', async (way) => {
    const { tools } = await list(way);
    const pids = tools.map(({ name }) => Number(name.slice(3)));
    expect(pids).toHaveLength(2);
    for (const pid of pids) expect(await isRunning(pid)).toBe(false);
  });
});

describe('The list of a server on HTTP', () => {
  it('is asked for with the headers', async () => {
    const seen: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      seen.push(request.headers.authorization);
      answer(request, response, { tools: [{ name: 'a', inputSchema: { type: 'object' } }] });
    });
    expect((await listUrl(url)).tools.map(({ name }) => name)).toEqual(['a']);
    expect(new Set(seen)).toEqual(new Set([secret]));
  });

  it('does not follow to another origin, and does not send the headers there', async () => {
    let reached = 0;
    const elsewhere = await serve((_, response) => {
      reached += 1;
      response.writeHead(500).end();
    });
    const url = await serve((_, response) => void response.writeHead(307, { location: elsewhere.href }).end());
    expect((await failure(listUrl(url))).message).toMatch(/redirect/i);
    expect(reached).toBe(0);
  });

  it('is refused with words that do not repeat a header', async () => {
    const url = await serve((request, response) =>
      answer(request, response, `no entry for ${request.headers.authorization}`),
    );
    const { message } = await failure(listUrl(url));
    expect(message).toContain('no entry for …');
    expect(message).not.toContain(secret);
  });

  it('is read only so far', async () => {
    const url = await serve((request, response) => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = ' '.repeat(1024 * 1024);
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    });
    expect((await failure(listUrl(url))).message).toContain('it answered more than 67108864 bytes');
  });

  it('is not waited for longer than was said', async () => {
    const url = await serve(() => {});
    expect((await failure(listUrl(url, shortMs))).message).toBe('it gave no list within 1.5 s');
  });

  it('is not had where nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    expect((await failure(listUrl(new URL(`http://127.0.0.1:${port}/mcp`)))).message).toMatch(/ECONNREFUSED/);
  });

  it('is not had from a page', async () => {
    const url = await serve(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello'),
    );
    expect((await failure(listUrl(url))).message).toMatch(/content type/i);
  });
});

const secret = 'Bearer of-a-secret';

function listUrl(url: URL, timeoutMs = 30_000): Promise<ServerListing> {
  const target = { kind: 'url', url, headers: [['Authorization', secret]] } as const;
  return listServerTools(target, { timeoutMs, signal: new AbortController().signal, version: '0' });
}

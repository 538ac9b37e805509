import { readdirSync } from 'node:fs';
import { Agent, type ClientRequest, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from './deadline.js';
import { EventQueue } from './event-queue.js';
import { type HttpServerProcess, makeInstance, startHttpServer, startServer } from './harness.js';
import { nodePath, toolNode } from './instance.js';
import { connectCurrentSdk, connectFirstSdk, type SdkClient } from './sdk-clients.js';
import { eras, isListChanged } from './session.js';

const open: SdkClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

describe('P2: one edit', () => {
  it('reaches every client once, on pipes and over HTTP, in both eras, of either SDK and of none', async () => {
    const instance = await makeInstance([toolNode('first')]);
    const server = await startHttpServer(instance);
    const raw = await Promise.all(eras.flatMap((era) => [startServer(instance).open(era), server.open(era)]));
    for (const served of [instance, server.url]) {
      open.push(await connectFirstSdk(served));
      for (const mode of ['auto', 'legacy'] as const) open.push(await connectCurrentSdk(served, mode));
    }
    const everyone = [
      ...raw.map((session) => ({
        names: () => session.names(),
        listChanged: (): Promise<unknown> => session.listChanged(),
        count: () => session.wire.notifications.all.filter(isListChanged).length,
      })),
      ...open.map(({ names, listChanges }) => ({
        names,
        listChanged: (): Promise<unknown> => listChanges.next(),
        count: () => listChanges.all.length,
      })),
    ];
    expect(everyone).toHaveLength(10);
    for (const { names } of everyone) expect(await names()).toEqual(['first']);
    await instance.write(nodePath('second'), toolNode('second'));
    for (const { names, listChanged } of everyone) {
      await listChanged();
      expect(await names()).toEqual(['first', 'second']);
    }
    await instance.remove(nodePath('second'));
    for (const { names, listChanged } of everyone) {
      await listChanged();
      expect(await names()).toEqual(['first']);
    }
    expect(everyone.map(({ count }) => count())).toEqual(everyone.map(() => 2));
  });

  it('reaches 1,000 clients of both eras at once, and their broken connections leave nothing behind', async () => {
    const instance = await makeInstance([toolNode('first')]);
    const server = await startHttpServer(instance);
    const before = descriptors(server);
    const crowd = new Crowd(server.url);
    await crowd.listen(500);
    await instance.write(nodePath('second'), toolNode('second'));
    for (let told = 0; told < 1000; told++) await crowd.told.next();
    const [witness, late] = [await server.open('2026-07-28'), await server.open('2025-11-25')];
    expect(await late.names()).toEqual(['first', 'second']);
    expect(crowd.told.all).toHaveLength(1000);
    expect(new Set(crowd.told.all).size).toBe(1000);
    expect(await gauge(server, 'listeners')).toBe(1002);
    crowd.destroy();
    await instance.remove(nodePath('second'));
    await witness.listChanged();
    await eventually(async () => (await gauge(server, 'listeners')) === 2, 'only the two clients listen');
    // Those of the two clients, and what a process opens in the course of time.
    await eventually(() => descriptors(server) < before + 20, 'the sockets of the crowd are closed');
  });
});

/** The number that /metrics gives. */
async function gauge({ url }: HttpServerProcess, name: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', url))).text();
  return Number(new RegExp(`^toolgraph_${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** How many descriptors the server has open. Linux alone tells. */
function descriptors({ pid }: HttpServerProcess): number {
  return process.platform === 'linux' ? readdirSync(`/proc/${pid}/fd`).length : 0;
}

/** Many clients that do nothing but listen, half of each era, without a library. */
class Crowd {
  /** Numbers of the clients that were told of a change. */
  readonly told = new EventQueue<number>('client that is told');
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  readonly #open: ClientRequest[] = [];

  constructor(url: URL) {
    this.#url = url;
  }

  /** Has `perEra` clients of each era listen; resolves when each of them does. */
  async listen(perEra: number): Promise<void> {
    const numbers = Array.from({ length: perEra }, (_, i) => i);
    for (let i = 0; i < perEra; i += 50) {
      await Promise.all(numbers.slice(i, i + 50).flatMap((n) => [this.#listen2026(n), this.#listen2025(perEra + n)]));
    }
  }

  destroy(): void {
    for (const sent of this.#open) sent.destroy();
    this.#agent.destroy();
  }

  async #listen2026(n: number): Promise<void> {
    const prefix = 'io.modelcontextprotocol/';
    const _meta = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: {} };
    const params = { notifications: { toolsListChanged: true }, _meta };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    const body = { jsonrpc: '2.0', id: n, method: 'subscriptions/listen', params };
    let acknowledged = (): void => {};
    const opened = new Promise<void>((resolve) => {
      acknowledged = resolve;
    });
    await this.#send('POST', headers, body, (text) => {
      if (text.includes('subscriptions/acknowledged')) acknowledged();
      this.#read(n, text);
    });
    await opened;
  }

  async #listen2025(n: number): Promise<void> {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'crowd', version: '0.0.0' } };
    const session = await this.#send('POST', {}, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const headers = { 'mcp-session-id': session };
    await this.#send('POST', headers, { jsonrpc: '2.0', method: 'notifications/initialized' });
    await this.#send('GET', headers, undefined, (text) => this.#read(n, text));
  }

  #read(n: number, text: string): void {
    if (text.includes('notifications/tools/list_changed')) this.told.push(n);
  }

  /** Resolves with the session id of the answer when its headers have come; a reader is given the rest, without which it is waited for. */
  #send(
    method: 'GET' | 'POST',
    headers: Readonly<Record<string, string>>,
    body?: object,
    read?: (text: string) => void,
  ): Promise<string> {
    const accept =
      read === undefined || method === 'POST' ? 'application/json, text/event-stream' : 'text/event-stream';
    const options = { method, agent: this.#agent, headers: { 'content-type': 'application/json', accept, ...headers } };
    return new Promise((resolve, reject) => {
      const sent = request(this.#url, options, (response) => {
        const session = String(response.headers['mcp-session-id'] ?? '');
        response.setEncoding('utf8').on('error', () => {});
        if (read === undefined) response.resume().on('end', () => resolve(session));
        else {
          this.#open.push(sent);
          response.on('data', read);
          resolve(session);
        }
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

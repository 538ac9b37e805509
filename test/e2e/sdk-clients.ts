import { tmpdir } from 'node:os';
import { Client as CurrentClient, StreamableHTTPClientTransport as CurrentHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as CurrentTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { EventQueue } from './event-queue.js';
import { serveCommand, serveEnv } from './harness.js';
import type { Instance } from './instance.js';

/** What the tests need of any SDK's client. */
export interface SdkClient {
  readonly listChanges: EventQueue<true>;
  names(): Promise<string[]>;
  /** Text of the first content block, whether the call failed or not. */
  callText(name: string, args: Record<string, unknown>): Promise<string>;
  /** Structured content of the result, undefined where there is none. Fails where the client finds it unlike the listed schema. */
  callValue(name: string, args: Record<string, unknown>): Promise<unknown>;
  close(): Promise<void>;
}

/** Where a client connects: an instance is served on pipes by a process of its own, a URL is that of a server over HTTP. */
export type Served = Instance | URL;

type SentHeaders = Record<string, string>;

const clientInfo = { name: 'test', version: '0.0.0' };

/** The SDK's 1.x: revision 2025-11-25. `headers` are sent with every request over HTTP. */
export async function connectFirstSdk(served: Served, headers: SentHeaders = {}): Promise<SdkClient> {
  const client = new FirstClient(clientInfo);
  const listChanges = new EventQueue<true>('list notification');
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => listChanges.push(true));
  await client.connect(served instanceof URL ? firstHttp(served, headers) : new FirstTransport(spawnOf(served)));
  return sdkClient(client, listChanges);
}

/** The SDK's current major, which negotiates: it probes with `server/discover` in a process of its own first. */
export async function connectCurrentSdk(
  served: Served,
  mode: 'auto' | 'legacy',
  headers: SentHeaders = {},
): Promise<SdkClient> {
  const listChanges = new EventQueue<true>('list notification');
  const client = new CurrentClient(clientInfo, {
    versionNegotiation: { mode },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => listChanges.push(true) } },
  });
  const http = (url: URL) => new CurrentHttp(url, { requestInit: { headers } });
  await client.connect(served instanceof URL ? http(served) : new CurrentTransport(spawnOf(served)));
  return sdkClient(client, listChanges);
}

/** Its session id may be undefined where the SDK's own interface, read with exactOptionalPropertyTypes, has it absent. */
function firstHttp(url: URL, headers: SentHeaders): Transport {
  return new FirstHttp(url, { requestInit: { headers } }) as Transport;
}

function spawnOf(instance: Instance) {
  const [command, ...args] = serveCommand(instance);
  return { command, args, cwd: tmpdir(), env: serveEnv(), stderr: 'ignore' as const };
}

function sdkClient(client: FirstClient | CurrentClient, listChanges: EventQueue<true>): SdkClient {
  return {
    listChanges,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    callText: async (name, args) => {
      const { content } = await client.callTool({ name, arguments: args });
      return (content as { text: string }[])[0]?.text ?? '';
    },
    callValue: async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent,
    close: () => client.close(),
  };
}

import { tmpdir } from 'node:os';
import { Client as CurrentClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as CurrentTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
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

const clientInfo = { name: 'test', version: '0.0.0' };

/** The SDK's 1.x: revision 2025-11-25. */
export async function connectFirstSdk(instance: Instance): Promise<SdkClient> {
  const client = new FirstClient(clientInfo);
  const listChanges = new EventQueue<true>('list notification');
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => listChanges.push(true));
  await client.connect(new FirstTransport(spawnOf(instance)));
  return sdkClient(client, listChanges);
}

/** The SDK's current major, which negotiates: it probes with `server/discover` in a process of its own first. */
export async function connectCurrentSdk(instance: Instance, mode: 'auto' | 'legacy'): Promise<SdkClient> {
  const listChanges = new EventQueue<true>('list notification');
  const client = new CurrentClient(clientInfo, {
    versionNegotiation: { mode },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => listChanges.push(true) } },
  });
  await client.connect(new CurrentTransport(spawnOf(instance)));
  return sdkClient(client, listChanges);
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

import { Client, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { EventQueue } from '../e2e/event-queue.js';
import { type ClientKind, describeClient, describeHttpClient } from './client-claims.js';
import { errorText, resultText, resultValue } from './result-text.js';

// The SDK's current major, at revision 2026-07-28, to which it negotiates.
const current: ClientKind<Tool> = {
  shown: (declaration) => declaration as Tool,
  connect: async (server) => {
    const listChanges = new EventQueue<true>('list notification');
    const client = new Client(
      { name: 'test', version: '0.0.0' },
      {
        versionNegotiation: { mode: 'auto' },
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => listChanges.push(true) } },
      },
    );
    await client.connect(
      server instanceof URL
        ? new StreamableHTTPClientTransport(server)
        : new StdioClientTransport({ ...server, stderr: 'ignore' }),
    );
    return {
      listChanges,
      list: async () => (await client.listTools()).tools,
      call: async (name, args) => resultText(await client.callTool({ name, arguments: args })),
      structured: async (name, args) => resultValue(await client.callTool({ name, arguments: args })),
      failure: async (name, args) => errorText(await client.callTool({ name, arguments: args })),
      close: () => client.close(),
    };
  },
};

describeClient('@modelcontextprotocol/client', current);
describeHttpClient('@modelcontextprotocol/client', current);

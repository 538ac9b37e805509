import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Tool, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { EventQueue } from '../e2e/event-queue.js';
import { type ClientKind, describeClient, describeHttpClient } from './client-claims.js';
import { errorText, resultText, resultValue } from './result-text.js';

// The client of most hosts, at revision 2025-11-25. It refuses the whole list for one tool that its schemas do not accept.
const first: ClientKind<Tool> = {
  shown: (declaration) => declaration as Tool,
  connect: async (server) => {
    const client = new Client({ name: 'test', version: '0.0.0' });
    const listChanges = new EventQueue<true>('list notification');
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => listChanges.push(true));
    const transport =
      server instanceof URL
        ? new StreamableHTTPClientTransport(server)
        : new StdioClientTransport({ ...server, stderr: 'ignore' });
    // Its optional members are typed without undefined.
    await client.connect(transport as Transport);
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

describeClient('@modelcontextprotocol/sdk', first);
describeHttpClient('@modelcontextprotocol/sdk', first);

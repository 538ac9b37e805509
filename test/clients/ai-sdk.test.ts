import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { asSchema } from '@ai-sdk/provider-utils';
import type { JsonSchema } from '../../schemas/declaration.js';
import { type ClientKind, describeClient, describeHttpClient } from './client-claims.js';
import { errorText, resultText, resultValue } from './result-text.js';

interface Shown {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly schema: JsonSchema;
  readonly meta: unknown;
}

type Tools = Awaited<ReturnType<Awaited<ReturnType<typeof createMCPClient>>['tools']>>;

// A client with protocol code of its own, at revision 2025-11-25. It passes no list_changed on.
const aiSdk: ClientKind<Shown> = {
  shown: ({ name, title, description, inputSchema, _meta }) => ({
    name,
    title,
    description,
    schema: inputSchema,
    meta: _meta,
  }),
  connect: async (server) => {
    const client = await createMCPClient({
      transport:
        server instanceof URL
          ? { type: 'http', url: server.href }
          : new StdioTransport({ ...server, stderr: 'ignore' }),
    });
    /** Tools as they were when they were last listed: a host goes on using them. */
    const known = new Map<string, Tools[string]>();
    const execute = async (name: string, args: Record<string, unknown>): Promise<unknown> =>
      await known.get(name)?.execute(args, { toolCallId: 'call', messages: [] });
    return {
      list: async () => {
        const tools = Object.entries(await client.tools());
        for (const [name, tool] of tools) known.set(name, tool);
        return await Promise.all(tools.map(([name, tool]) => shownTool(name, tool)));
      },
      call: async (name, args) => resultText(await execute(name, args)),
      structured: async (name, args) => resultValue(await execute(name, args)),
      failure: async (name, args) => errorText(await execute(name, args)),
      close: () => client.close(),
    };
  },
};

describeClient('@ai-sdk/mcp', aiSdk);
describeHttpClient('@ai-sdk/mcp', aiSdk);

async function shownTool(name: string, { title, description, inputSchema, _meta }: Tools[string]): Promise<Shown> {
  return { name, title, description, schema: (await asSchema(inputSchema).jsonSchema) as JsonSchema, meta: _meta };
}

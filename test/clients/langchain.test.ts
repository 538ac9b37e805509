import type { DynamicStructuredTool } from '@langchain/core/tools';
import { loadMcpTools, MultiServerMCPClient } from '@langchain/mcp-adapters';
import { expect, it } from 'vitest';
import type { Json, JsonSchema } from '../../schemas/declaration.js';
import { EventQueue } from '../e2e/event-queue.js';
import { type ClientKind, connectTo, describeClient, describeHttpClient } from './client-claims.js';
import { resultText, resultValue } from './result-text.js';
import { writeMapped } from './served-instances.js';

interface Shown {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

const server = 'toolgraph';

// On the SDK's 1.x, with a conversion of schemas of its own. It checks arguments itself before it calls.
const langchain: ClientKind<Shown> = {
  shown: ({ name, description, inputSchema }) => ({ name, description, schema: simplified(inputSchema) }),
  connect: async (target) => {
    const listChanges = new EventQueue<true>('list notification');
    const client = new MultiServerMCPClient({
      mcpServers: {
        [server]:
          target instanceof URL
            ? { transport: 'http', url: target.href, automaticSSEFallback: false }
            : { transport: 'stdio', ...target, stderr: 'ignore' },
      },
      onToolsListChanged: () => listChanges.push(true),
    });
    const sdkClient = await client.getClient(server);
    if (sdkClient === undefined) throw new Error('no connection');
    /** Tools as they were when they were last listed: a host goes on using them. */
    const known = new Map<string, DynamicStructuredTool>();
    const invoke = async (name: string, args: Record<string, unknown>): Promise<unknown> =>
      await known.get(name)?.invoke(args);
    return {
      listChanges,
      list: async () => {
        const tools = await loadMcpTools(server, sdkClient);
        for (const tool of tools) known.set(tool.name, tool);
        return tools.map(({ name, description, schema }) => ({ name, description, schema: schema as JsonSchema }));
      },
      // A result with `_meta` is one block, with `meta` beside the text; without it, it would be the text alone.
      call: async (name, args) => resultText({ content: [await invoke(name, args)] }),
      structured: async (name, args) => resultValue(await invoke(name, args)),
      failure: async (name, args) => await invoke(name, args).then(String, (error: Error) => error.message),
      close: () => client.close(),
    };
  },
};

describeClient('@langchain/mcp-adapters', langchain);
describeHttpClient('@langchain/mcp-adapters', langchain);

it('P4, P13: @langchain/mcp-adapters reads the schemas as the server does, and refuses what breaks them', async () => {
  const client = await connectTo(langchain, (await writeMapped()).root);
  await client.list();
  const accepted = { place: 'here', text: '', words: ['a'] };
  const broken: [string, Record<string, unknown>][] = [
    ['asks_first', { word: 'yes', user_confirmed: false }],
    ['asks_first', { word: 'yes' }],
    ['takes_nothing', { any: 1 }],
    ['prints', { ...accepted, words: [] }],
    ['prints', { ...accepted, place: 'Not a word' }],
    ['prints', { ...accepted, level: 'high' }],
    ['prints', { ...accepted, percent: 101 }],
  ];
  for (const [name, args] of broken) {
    expect(await client.failure(name, args)).toBe('Received tool input did not match expected schema');
  }
  expect(await client.call('prints', accepted)).toBe('here\na\n');
});

/**
 * The schema as this client makes it: without composition, so its model knows less than the server checks. (It merges the
 * objects of an `allOf`, `anyOf` or `oneOf` into the schema that has them; no schema here has such.)
 */
function simplified(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword]) => !dropped.has(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, simplifiedValue(keyword, value)]));
}

const dropped = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'unevaluatedProperties']);

function simplifiedValue(keyword: string, value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const schema = value as JsonSchema;
  if (keyword === 'items' || keyword === 'additionalProperties') return simplified(schema);
  if (keyword !== 'properties') return value;
  return Object.fromEntries(Object.entries(schema).map(([name, property]) => [name, simplified(Object(property))]));
}

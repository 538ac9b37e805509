import {
  type FunctionTool,
  getAllMcpTools,
  MCPServerStdio,
  MCPServerStreamableHttp,
  RunContext,
  type Tool,
} from '@openai/agents-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JsonSchema } from '../../schemas/declaration.js';
import { patienceMs } from '../e2e/deadline.js';
import { type ClientKind, describeClient, describeHttpClient, type Launch, launchOf } from './client-claims.js';
import { resultText } from './result-text.js';
import { declaredTools, projectRoot, writeMapped } from './served-instances.js';

interface Shown {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

// On the SDK's current major, with names and schemas of its own. It passes no list_changed on, and an error result is to the
// model a text like any other.
const agents: ClientKind<Shown> = {
  shown: ({ name, description, inputSchema }) => ({
    name: name.replace(/[^a-zA-Z0-9]/g, '_'),
    description,
    schema: { ...inputSchema, required: inputSchema.required ?? [], additionalProperties: true },
  }),
  connect: async (target) => {
    const server = serverOf(target);
    await server.connect();
    /** Tools as they were when they were last listed: a host goes on using them. */
    const known = new Map<string, FunctionTool>();
    const invoke = async (name: string, args: Record<string, unknown>): Promise<string> =>
      resultText({ content: [await known.get(name)?.invoke(new RunContext(), JSON.stringify(args))] });
    return {
      list: async () => {
        const tools = functionTools(await getAllMcpTools([server]));
        for (const tool of tools) known.set(tool.name, tool);
        return tools.map(({ name, description, parameters }) => ({
          name,
          description,
          schema: parameters as object as JsonSchema,
        }));
      },
      call: invoke,
      // In place of the text, when asked for.
      structured: async (name, args) => {
        server.useStructuredContent = true;
        const output = await known.get(name)?.invoke(new RunContext(), JSON.stringify(args));
        server.useStructuredContent = false;
        return JSON.parse(String(output));
      },
      failure: invoke,
      close: () => server.close(),
    };
  },
};

describeClient('@openai/agents-core', agents);
describeHttpClient('@openai/agents-core', agents);

describe('@openai/agents-core in strict mode, where every property is required and null stands for none', () => {
  it('takes every schema of the mapping but an open object and compositions, which it leaves as they are', async () => {
    const { root } = await writeMapped();
    const tools = await strictTools(root);
    const declared = await declaredTools(root);
    expect(tools.map(({ name }) => name)).toEqual(declared.map(({ name }) => name));
    const left = tools.filter(({ strict }) => !strict);
    expect(left.map(({ name }) => name)).toEqual(['takes_labels', 'takes_reading']);
    for (const { name, parameters } of left) {
      expect(parameters).toEqual(declared.find((tool) => tool.name === name)?.inputSchema);
    }
  });

  it("takes every schema of the project's own instance", async () => {
    const tools = await strictTools(projectRoot);
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.filter(({ strict }) => !strict)).toEqual([]);
  });

  it('P8: leaves an input that is null out of the call', async () => {
    const prints = (await strictTools((await writeMapped()).root)).find(({ name }) => name === 'prints');
    const optional = { codes: null, level: null, percent: null, ratio: null, verbose: null };
    const args = { ...optional, place: 'here', text: 'text', words: ['a'] };
    expect(await prints?.invoke(new RunContext(), JSON.stringify(args))).toMatchObject({ text: 'here\na\ntext' });
  });
});

async function strictTools(root: string): Promise<FunctionTool[]> {
  const server = serverOf(launchOf(root));
  onTestFinished(() => server.close());
  await server.connect();
  return functionTools(await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true }));
}

function serverOf(target: Launch | URL): MCPServerStdio | MCPServerStreamableHttp {
  const options = { name: 'toolgraph', clientSessionTimeoutSeconds: patienceMs / 1000, timeout: patienceMs };
  return target instanceof URL
    ? new MCPServerStreamableHttp({ ...options, url: target.href })
    : new MCPServerStdio({ ...options, ...target });
}

function functionTools(tools: readonly Tool[]): FunctionTool[] {
  return tools.filter((tool) => tool.type === 'function');
}

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { FunctionCall } from './tool-function.js';

/** The bound on a call is the caller's, so the SDK's own is put out of reach (a timer takes 31 bits). */
const timeout = 2 ** 31 - 1;

/** The tools that a module has registered on a server of SDK 1.x, called through that SDK's in-memory transport. */
export class RegisteredTools {
  readonly #client: Client;
  readonly #names: readonly string[];

  private constructor(client: Client, names: readonly string[]) {
    this.#client = client;
    this.#names = names;
  }

  /** Has the module register its tools. Rejects with what it throws. */
  static async of(register: (server: McpServer) => unknown): Promise<RegisteredTools> {
    const server = new McpServer({ name: 'toolgraph', version: '1' });
    await register(server);
    const client = new Client({ name: 'toolgraph', version: '1' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    const hasTools = client.getServerCapabilities()?.tools !== undefined;
    const { tools } = hasTools ? await client.listTools() : { tools: [] };
    return new RegisteredTools(
      client,
      tools.map(({ name }) => name),
    );
  }

  /** The result of the tool, as MCP has it. Rejects when it is registered under none of the names. */
  async call({ names, inputs, context: { signal, progress } }: FunctionCall): Promise<unknown> {
    const name = names.find((wanted) => this.#names.includes(wanted));
    if (name === undefined) {
      const there = this.#names.length === 0 ? 'no tool' : this.#names.slice(0, 20).join(', ');
      throw new Error(`the module registers ${there}; expected ${names.join(' or ')}`);
    }
    return this.#client.request({ method: 'tools/call', params: { name, arguments: inputs } }, CallToolResultSchema, {
      signal,
      timeout,
      onprogress: (told) => progress(told.progress, told.total, told.message),
    });
  }
}

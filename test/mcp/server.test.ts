import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, it } from 'vitest';
import { createMcpServer } from '../../src/mcp/server.js';
import { declaration, MemoryService } from './memory-service.js';

/** A client of the SDK's 1.x, which checks every result against its schemas, on a server in this process. */
async function connect(service: MemoryService) {
  const server = createMcpServer(service, { version: '1.2.3' });
  const errors: Error[] = [];
  server.onerror = (error) => errors.push(error);
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '0.0.0' });
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  return { client, errors };
}

describe('createMcpServer', () => {
  it('declares exactly what it has: lists that change, resources that can be subscribed to, and completion', async () => {
    const { client } = await connect(new MemoryService([]));
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
    });
    expect(client.getServerVersion()).toEqual({ name: 'toolgraph', version: '1.2.3' });
    expect(client.getInstructions()).toContain('the toolgraph instance memory');
    expect(client.getInstructions()).not.toContain('toolgraph://problems');
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'toolgraph://{resource}{?format}',
      'toolgraph://tool/{id}{?format}',
      'toolgraph://skill/{name}{?format}',
      'toolgraph://view/{id}{?format}',
      'toolgraph://invocations{?tool,limit,format}',
      'toolgraph://output/{call}{?from}',
    ]);
  });

  it('lists the declarations as they are, in one page, with the generation', async () => {
    const service = new MemoryService([declaration('a'), declaration('b')]);
    const { client } = await connect(service);
    const { tools, nextCursor, _meta } = await client.listTools();
    expect(tools).toEqual([declaration('a'), declaration('b')]);
    expect(nextCursor).toBeUndefined();
    expect(_meta).toEqual({ 'toolgraph/generation': { number: 1, digest: service.current?.digest } });
  });

  it('passes name, arguments and signal on, and gives the outcome back', async () => {
    const service = new MemoryService([declaration('a')]);
    const seen: unknown[] = [];
    service.onCall = async (name, args, signal) => {
      seen.push(name, args, signal instanceof AbortSignal);
      return { kind: 'refused', code: 'invalid_params', message: 'no', details: { issues: [] } };
    };
    const { client } = await connect(service);
    const result = await client.callTool({ name: 'a', arguments: { ref: 'x' } });
    expect(seen).toEqual(['a', { ref: 'x' }, true]);
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: '{"code":"invalid_params","message":"no","details":{"issues":[]}}' }],
    });
    expect(result.structuredContent).toBeUndefined();
  });

  it('answers a call of a removed tool with the reason, and of an unknown one with a protocol error', async () => {
    const service = new MemoryService([declaration('a')]);
    service.removed.set('gone', 'its document was removed');
    const { client } = await connect(service);
    const gone = await client.callTool({ name: 'gone', arguments: {} });
    expect(JSON.stringify(gone.content)).toContain('tool_removed');
    for (const name of ['never', '__proto__', 'toString']) {
      await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({
        code: -32602,
        data: { code: 'unknown_tool' },
      });
    }
  });

  it('answers a URI that is no resource with the error of the protocol, for reading and for subscribing', async () => {
    const { client } = await connect(new MemoryService([]));
    const expected = { code: -32602, data: { uri: 'toolgraph://nothing' } };
    await expect(client.readResource({ uri: 'toolgraph://nothing' })).rejects.toMatchObject(expected);
    await expect(client.subscribeResource({ uri: 'toolgraph://nothing' })).rejects.toMatchObject(expected);
    await client.subscribeResource({ uri: 'toolgraph://tools' });
  });

  it('tells nothing of its own faults but that there was one', async () => {
    const service = new MemoryService();
    const { client, errors } = await connect(service);
    const list = client.listTools();
    service.fail(new Error('EACCES /home/someone/instance'));
    const refused = await list.catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: -32603 });
    expect(String(refused)).not.toContain('someone');
    const call = await client.callTool({ name: 'a', arguments: {} });
    expect(call.isError).toBe(true);
    expect(JSON.stringify(call)).toContain('internal_error');
    expect(JSON.stringify(call)).not.toContain('someone');
    expect(errors.map(({ message }) => message)).toEqual([
      'EACCES /home/someone/instance',
      'EACCES /home/someone/instance',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { type Declaration, definitionKey } from '../../../schemas/declaration.js';
import type { McpEndpoint } from '../../../src/mcp/http/endpoint.js';
import { EventQueue } from '../../e2e/event-queue.js';
import { declaration, MemoryService } from '../memory-service.js';
import { endpointOf, messageOf, postModern, SessionClient } from './exchange.js';

/** Names and values that a text of JSON could be put together wrongly with. */
const awkward: Declaration = {
  ...declaration('awkward', 'é \u2028 \ud83d\ude00 \ud800 "tools":[] \\"tools\\":[] \u0000'),
  inputSchema: {
    type: 'object',
    properties: JSON.parse(
      '{"b":{"type":"string"},"1":{"type":"string"},"__proto__":{"type":"string"},"tools":{"type":"array"}}',
    ),
    additionalProperties: false,
  },
  // The SDK writes it otherwise for revisions before 2026-07-28.
  outputSchema: { type: 'array', items: { $ref: '#/$defs/x' }, $defs: { x: { type: 'string' } } } as never,
  _meta: { [definitionKey]: 'tools":[]' },
};

const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

/** The answers to `tools/list` as bytes, on one connection. */
async function lister(endpoint: McpEndpoint, revision: string): Promise<(id: unknown) => Promise<string>> {
  if (revision === '2026-07-28') {
    return async (id) => (await postModern(endpoint, { id, method: 'tools/list' })).text();
  }
  const client = await SessionClient.open(endpoint, revision);
  return async (id) => (await client.post({ id, method: 'tools/list', params: {} })).text();
}

describe.each(revisions)('An answer to tools/list in %s', (revision) => {
  it('has the bytes that the SDK writes, whether its list was written before or not', async () => {
    for (const tools of [[], [declaration('a')], [awkward, declaration('b')]]) {
      for (const id of [1, '"tools":[]', 'x","tools":[]', '\u2028']) {
        const unspliced = await lister(endpointOf(new MemoryService(tools)), revision);
        const spliced = await lister(endpointOf(new MemoryService(tools)), revision);
        const expected = await unspliced(id);
        await spliced(0);
        expect(await spliced(id)).toBe(expected);
        expect(await spliced(id)).toBe(expected);
      }
    }
  });

  it('is that of its own generation', async () => {
    const service = new MemoryService([declaration('a')]);
    const list = await lister(endpointOf(service), revision);
    await list(1);
    expect(await list(2)).toContain('"name":"a"');
    const { digest } = service.publish([declaration('b')]);
    for (const id of [3, 4]) {
      const text = await list(id);
      expect(text).toContain('"name":"b"');
      expect(text).not.toContain('"name":"a"');
      expect(text).toContain(digest);
    }
  });
});

describe('The list of a generation', () => {
  it.each(['2025-11-25', '2026-07-28'])('is written once, however many ask for it at once in %s', async (revision) => {
    let written = 0;
    const counted = {
      ...declaration('a'),
      toJSON: () => ({ ...declaration('a'), title: `written ${++written} times` }),
    };
    const service = new MemoryService([declaration('before')]);
    const endpoint = endpointOf(service);
    const list = await lister(endpoint, revision);
    await list(0);
    service.publish([declaration('a')]);
    Object.assign(service.current?.entries.get('a') ?? {}, { declaration: counted });
    const texts = await Promise.all(Array.from({ length: 50 }, (_, id) => list(id)));
    expect(written).toBe(1);
    expect(new Set(texts.map((text) => text.replace(/"id":\d+/, ''))).size).toBe(1);
  });

  it('is written by the next request when the client of the first is gone', async () => {
    const service = new MemoryService();
    const endpoint = endpointOf(service);
    const gone = new AbortController();
    const first = postModern(endpoint, { method: 'tools/list' }, { signal: gone.signal });
    const second = postModern(endpoint, { method: 'tools/list' });
    const asked = new EventQueue<string>('answer');
    void second.then(() => asked.push('second'));
    gone.abort();
    service.publish([declaration('a')]);
    await asked.next();
    expect((await messageOf(await second)).result?.tools).toMatchObject([{ name: 'a' }]);
    expect((await first).status).toBe(499);
  });
});

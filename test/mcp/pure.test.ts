import { describe, expect, it } from 'vitest';
import { generationKey } from '../../schemas/declaration.js';
import { callKey } from '../../schemas/invocation.js';
import { callEntry } from '../../src/invocation/call.js';
import type { KeptOutput } from '../../src/invocation/kept-outputs.js';
import { callTool, forRevision, listTools, type ToolResult, UnknownToolError } from '../../src/mcp/pure.js';
import type { Entry, Generation, Omission } from '../../src/projection/generation.js';
import type { AnsweredCall, CallOptions, RefusedName, Service } from '../../src/service.js';
import { callSettings, shellEntry } from '../invocation/shell-entry.js';

function entryNamed(name: string, words: readonly [string, ...string[]] = ['printf', name]): Entry {
  const entry = shellEntry({ words });
  return { ...entry, name, declaration: { ...entry.declaration, name } };
}

type KeptBytes = NonNullable<Awaited<ReturnType<Service['outputs']['read']>>>;

function omission(name: string, code: Omission['code']): Omission {
  const id = name.replaceAll('_', '-');
  const iri = `urn:toolgraph:test:tool/${id}`;
  return { id, iri, name, code, reason: `It is ${code}.`, document: `graph/${id}.json`, pointer: '' };
}

function textOf({ content: [block] }: ToolResult): string {
  return block?.type === 'text' ? block.text : '';
}

function generationOf(number: number, entries: readonly Entry[], over: Partial<Generation> = {}): Generation {
  return {
    number,
    key: 'k',
    digest: `digest-${number}`,
    listDigest: `list-${number}`,
    entries: new Map(entries.map((entry) => [entry.name, entry])),
    omissions: [],
    views: new Map(),
    viewOmissions: [],
    problems: [],
    ...over,
  };
}

/** What `pure.ts` asks of a service, over one holder of the current generation; calls run for real. */
function serviceOver(first: Generation) {
  const gone = new Map<string, { code: 'tool_removed' | 'tool_unavailable'; reason: string }>();
  return {
    gone,
    outputs: { list: (): KeptOutput[] => [], read: async (): Promise<KeptBytes | undefined> => undefined },
    instances: [],
    query: () => Promise.reject(new Error('no query')),
    ready: Promise.resolve(first),
    current: first as Generation | undefined,
    absence: (name: string) => {
      const absence = gone.get(name);
      return absence && { ...absence, iri: `urn:toolgraph:test:tool/${name}` };
    },
    async call(generation: Generation, name: string, args: unknown, options: CallOptions = {}): Promise<AnsweredCall> {
      const entry = generation.entries.get(name);
      if (entry === undefined) throw new Error(`no entry ${name}`);
      const { signal } = options;
      return { id: 'recorded', outcome: await callEntry(entry, args, callSettings({ ...(signal && { signal }) })) };
    },
    async refuse(_of: Generation, _name: string, _args: unknown, refusal: RefusedName): Promise<AnsweredCall> {
      const { code, message } = refusal;
      return { id: 'refused', outcome: { kind: 'refused', code, message, details: {} } };
    },
    status: (): ReturnType<Service['status']> => ({
      instance: 'test',
      version: '0.1.0',
      state: 'ready',
      generation: { number: first.number, digest: first.digest },
      tools: first.entries.size,
      views: first.views.size,
      omissions: first.omissions.length,
      problems: first.problems.length,
      documents: 2,
    }),
  };
}

describe('callTool', () => {
  it('gives the text of the tool and the generation that it came from', async () => {
    const service = serviceOver(generationOf(3, [entryNamed('greet')]));
    expect(await callTool(service, 'greet', {})).toEqual({
      content: [{ type: 'text', text: 'greet' }],
      _meta: { [generationKey]: { number: 3, digest: 'digest-3' }, [callKey]: 'recorded' },
    });
  });

  it('P6: gives the outputs in structuredContent and as the text', async () => {
    const outputs = { log: { format: 'text', schema: { type: 'string' } } } as const;
    const service = serviceOver(generationOf(3, [{ ...shellEntry({ words: ['echo', 'a'], outputs }), name: 'greet' }]));
    expect(await callTool(service, 'greet', {})).toEqual({
      content: [{ type: 'text', text: '{"log":"a"}' }],
      structuredContent: { log: 'a' },
      _meta: { [generationKey]: { number: 3, digest: 'digest-3' }, [callKey]: 'recorded' },
    });
  });

  it('cases P10: gives no structuredContent with an error, though the tool has outputs', async () => {
    const outputs = { log: { format: 'text', schema: { type: 'string', maxLength: 0 } } } as const;
    for (const words of [['false'], ['echo', 'a']] as const) {
      const service = serviceOver(generationOf(1, [{ ...shellEntry({ words, outputs }), name: 'fail' }]));
      const result = await callTool(service, 'fail', {});
      expect(result.isError).toBe(true);
      expect(result).not.toHaveProperty('structuredContent');
    }
  });

  it('takes arguments that are left out for none', async () => {
    const service = serviceOver(generationOf(1, [entryNamed('greet')]));
    expect(await callTool(service, 'greet', undefined)).not.toHaveProperty('isError');
  });

  it('gives a refusal as the JSON of code, message and details', async () => {
    const service = serviceOver(generationOf(3, [entryNamed('greet')]));
    const result = await callTool(service, 'greet', { other: 1 });
    expect(result).toMatchObject({ isError: true, _meta: { [generationKey]: { number: 3 } } });
    expect(result).not.toHaveProperty('structuredContent');
    expect(JSON.parse(textOf(result))).toEqual({
      code: 'invalid_params',
      message: 'Invalid arguments: /other is not an input of this tool',
      details: { issues: [{ path: '/other', message: 'is not an input of this tool' }] },
    });
  });

  it('leaves the details of an error out when they do not fit into a result', async () => {
    const service = serviceOver(generationOf(1, [entryNamed('fail')]));
    const message = 'é'.repeat(9000);
    const failing = (error: string) => ({
      ...service,
      call: async (): Promise<AnsweredCall> => ({
        outcome: { kind: 'failed', code: 'module_failed', message, details: { error } },
      }),
    });
    // Each of them is \\\\u0000 in the message: seven bytes.
    const fitting = await callTool(failing('\0'.repeat(1_000_000)), 'fail', {});
    expect(JSON.parse(textOf(fitting)).details.error).toHaveLength(1_000_000);
    const result = await callTool(failing('\0'.repeat(1_200_000)), 'fail', {});
    expect(JSON.parse(textOf(result))).toEqual({
      code: 'module_failed',
      message: 'é'.repeat(2047),
      details: {
        leftOut: expect.stringMatching(/^details of an error that takes \d+ bytes; at most 8388608 fit into a result$/),
      },
    });
  });

  it('gives a failure in the same way', async () => {
    const service = serviceOver(generationOf(1, [entryNamed('fail', ['false'])]));
    const result = await callTool(service, 'fail', {});
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toMatchObject({ code: 'exit_code', details: { exitCode: 1 } });
  });

  it.each(['nobody', '__proto__', 'constructor', 'toString', ''])('throws for the unknown name %j', async (name) => {
    const call = callTool(serviceOver(generationOf(1, [entryNamed('greet')])), name, {});
    await expect(call).rejects.toThrow(UnknownToolError);
    await expect(call).rejects.toMatchObject({
      code: 'unknown_tool',
      message: `Unknown tool: ${name}`,
    });
  });

  it('P15: throws for an internal tool as for an unknown one, even when it was served before', async () => {
    const service = serviceOver(generationOf(1, [], { omissions: [omission('secret', 'internal')] }));
    service.gone.set('secret', { code: 'tool_unavailable', reason: 'The tier is internal.' });
    await expect(callTool(service, 'secret', {})).rejects.toThrow('Unknown tool: secret');
  });

  it.each(['tool_removed', 'tool_unavailable'] as const)(
    'gives %s with the reason for a name that is gone',
    async (code) => {
      const service = serviceOver(generationOf(2, [], { omissions: [omission('greet', 'unmet-env')] }));
      service.gone.set('greet', { code, reason: 'GH_TOKEN is not set.' });
      const result = await callTool(service, 'greet', {});
      expect(result).toMatchObject({ isError: true, _meta: { [generationKey]: { number: 2 }, [callKey]: 'refused' } });
      expect(JSON.parse(textOf(result))).toEqual({ code, message: 'GH_TOKEN is not set.', details: {} });
    },
  );

  it('waits for the first generation', async () => {
    const first = generationOf(1, [entryNamed('greet')]);
    const service = { ...serviceOver(first), current: undefined };
    expect(await callTool(service, 'greet', {})).toMatchObject({ content: [{ text: 'greet' }] });
  });

  it('W13: a call in flight finishes on the generation that it began with', async () => {
    const service = serviceOver(generationOf(1, [entryNamed('slow', ['sh', '-c', 'sleep 1; echo done'])]));
    const call = callTool(service, 'slow', {});
    service.current = generationOf(2, []);
    service.gone.set('slow', { code: 'tool_removed', reason: 'graph/slow.json was deleted.' });
    expect(await callTool(service, 'slow', {})).toMatchObject({ isError: true });
    expect(await call).toEqual({
      content: [{ type: 'text', text: 'done\n' }],
      _meta: { [generationKey]: { number: 1, digest: 'digest-1' }, [callKey]: 'recorded' },
    });
  });

  it('X8: passes the cancel on to the process', async () => {
    const service = serviceOver(generationOf(1, [entryNamed('slow', ['sleep', '300'])]));
    const controller = new AbortController();
    const call = callTool(service, 'slow', {}, { signal: controller.signal });
    controller.abort();
    expect(JSON.parse(textOf(await call))).toMatchObject({ code: 'cancelled' });
  });
});

it('listTools gives the declarations in the order of the generation, and says which one it is', () => {
  const entries = [entryNamed('a'), entryNamed('b')];
  expect(listTools(generationOf(7, entries))).toEqual({
    tools: entries.map((entry) => entry.declaration),
    _meta: { [generationKey]: { number: 7, digest: 'digest-7' } },
  });
});

describe('forRevision', () => {
  const text = { type: 'text', text: 'said' } as const;
  const audio = { type: 'audio', data: 'AAEC', mimeType: 'audio/wav' } as const;
  const link = { type: 'resource_link', uri: 'toolgraph://output/1', name: 'output of x' } as const;
  const image = { type: 'image', data: 'AAEC', mimeType: 'image/png' } as const;
  const resource = { type: 'resource', resource: { uri: 'urn:x', mimeType: 'text/plain', text: 'a' } } as const;
  const result: ToolResult = {
    content: [text, audio, link, image, resource],
    _meta: { [generationKey]: { number: 1, digest: 'd' } },
  };

  it('has audio and links in words where a revision has none', () => {
    const ofAudio = { type: 'text', text: 'audio (audio/wav, 3 bytes), which this revision of MCP cannot carry' };
    const ofLink = { type: 'text', text: 'output of x: toolgraph://output/1' };
    const contents = ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2026-07-28'].map(
      (revision) => forRevision(result, revision).content,
    );
    expect(contents).toEqual([
      [text, ofAudio, ofLink, image, resource],
      [text, ofAudio, ofLink, image, resource],
      [text, audio, ofLink, image, resource],
      result.content,
      result.content,
    ]);
    expect(forRevision(result, '2024-11-05')._meta).toEqual(result._meta);
  });
});

import { describe, expect, it } from 'vitest';
import { makeInstance, startHttpServer } from './harness.js';
import { nodePath, toolNode, typeIri } from './instance.js';
import { eras } from './session.js';

const greet = toolNode('greet', {
  io: { inputs: [{ name: 'word', schema: typeIri('Word'), required: true, arg: { positional: 0 } }] },
});

describe.each(eras)('toolgraph serve --http to a raw client in the era %s', (era) => {
  it('P2: lists, calls, reads, and is told once of one edit', async () => {
    const instance = await makeInstance([greet]);
    const server = await startHttpServer(instance);
    const session = await server.open(era, ['toolgraph://tools', 'toolgraph://omissions']);
    expect(await session.names()).toEqual(['greet']);
    expect(await session.call('greet', { word: 'you' })).toMatchObject({ text: 'greet you\n', isError: false });
    await instance.write(nodePath('added'), toolNode('added'));
    await session.listChanged();
    expect(await session.names()).toEqual(['added', 'greet']);
    await session.resourceUpdated('toolgraph://tools');
    expect(await session.read('toolgraph://status')).toMatchObject({ state: 'ready', tools: 2 });
    const missing = await session.request('resources/read', { uri: 'toolgraph://tool/nothing' });
    expect(missing.error?.code).toBe(era === '2025-11-25' ? -32002 : -32602);
    expect(await session.listChangesDuring(600)).toBe(0);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });
});

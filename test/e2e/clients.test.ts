import { afterEach, describe, expect, it } from 'vitest';
import { makeInstance, startServer } from './harness.js';
import { nodePath, toolNode, typeIri } from './instance.js';
import { connectCurrentSdk, connectFirstSdk, type SdkClient } from './sdk-clients.js';
import { eras } from './session.js';

const greet = toolNode('greet', {
  io: { inputs: [{ name: 'word', schema: typeIri('Word'), required: true, arg: { positional: 0 } }] },
});

const open: SdkClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

const connections = [
  ['SDK 1.x', connectFirstSdk],
  ['SDK 2.x, negotiated', (instance) => connectCurrentSdk(instance, 'auto')],
  ['SDK 2.x, 2025 only', (instance) => connectCurrentSdk(instance, 'legacy')],
] satisfies [string, (instance: Awaited<ReturnType<typeof makeInstance>>) => Promise<SdkClient>][];

describe.each(connections)('a client of the %s', (_name, connect) => {
  it('P2: lists, calls, and is told once of each of two edits', async () => {
    const instance = await makeInstance([greet]);
    const client = await connect(instance);
    open.push(client);
    expect(await client.names()).toEqual(['greet']);
    expect(await client.callText('greet', { word: 'you' })).toBe('greet you\n');

    await instance.write(nodePath('added'), toolNode('added'));
    await client.listChanges.next();
    expect(await client.names()).toEqual(['added', 'greet']);
    expect(await client.callText('added', {})).toBe('added\n');

    await instance.remove(nodePath('added'));
    await client.listChanges.next();
    expect(await client.names()).toEqual(['greet']);
    expect(await client.listChanges.during(600)).toEqual([]);
    expect(JSON.parse(await client.callText('added', {}))).toMatchObject({ code: 'tool_removed' });
  });
});

describe.each(eras)('a raw client in the era %s', (era) => {
  it('P2: is told once of one edit, on the connection, after the new list can be read', async () => {
    const instance = await makeInstance([greet]);
    const session = await startServer(instance).open(era, ['toolgraph://tools', 'toolgraph://omissions']);
    expect(await session.names()).toEqual(['greet']);
    await instance.write(nodePath('added'), toolNode('added'));
    await session.listChanged();
    expect(await session.names()).toEqual(['added', 'greet']);
    await session.resourceUpdated('toolgraph://tools');
    expect(await session.listChangesDuring(600)).toBe(0);
  });
});

describe('a client of the era 2026-07-28', () => {
  it('P2: gets each notification once on each of its subscriptions, and none on one that it has cancelled', async () => {
    const instance = await makeInstance([greet]);
    const session = await startServer(instance).open('2026-07-28');
    const second = await session.listen({ toolsListChanged: true });
    const third = await session.listen({ toolsListChanged: true });
    session.cancel(third);
    await instance.write(nodePath('added'), toolNode('added'));
    const told = await Promise.all([session.listChanged(), session.listChanged()]);
    const ids = told.map(({ params }) => JSON.stringify(params?._meta));
    expect(new Set(ids).size).toBe(2);
    expect(ids.some((id) => id.endsWith(`:${second}}`))).toBe(true);
    expect(await session.listChangesDuring(600)).toBe(0);
  });
});

describe('two clients of one instance', () => {
  it('each have a server of their own, and both are told of one edit', async () => {
    const instance = await makeInstance([greet]);
    const sessions = await Promise.all(eras.map((era) => startServer(instance).open(era)));
    for (const session of sessions) expect(await session.names()).toEqual(['greet']);
    await instance.write(nodePath('added'), toolNode('added'));
    await Promise.all(sessions.map((session) => session.listChanged()));
    const lists = await Promise.all(sessions.map((session) => session.list()));
    expect(lists.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ['added', 'greet'],
      ['added', 'greet'],
    ]);
    expect(lists[0]?.generation).toEqual(lists[1]?.generation);
  });
});

import { describe, expect, it } from 'vitest';
import { eventually } from './deadline.js';
import { makeInstance, type ServerProcess, startServer } from './harness.js';
import { type Instance, nodePath, toolNode, typeIri } from './instance.js';
import type { Session } from './session.js';

/** Longer than the quiet time, the longest gathering and the scan after the last event together (DESIGN decisions 4 and 5). */
const settleMs = 900;

interface Started {
  readonly instance: Instance;
  readonly server: ServerProcess;
  readonly session: Session;
}

async function startWith(nodes: readonly Record<string, unknown>[], args: readonly string[] = []): Promise<Started> {
  const instance = await makeInstance(nodes);
  const server = startServer(instance, { args });
  const session = await server.open('2026-07-28', ['toolgraph://problems']);
  await session.list();
  return { instance, server, session };
}

interface ReportedProblem {
  readonly code: string;
  readonly message: string;
  readonly document?: string;
  readonly line?: number;
}

async function problems(session: Session): Promise<readonly ReportedProblem[]> {
  return (await session.read('toolgraph://problems')).problems as ReportedProblem[];
}

/** Waits until the client has been told that the problems changed and there are `count` of them. */
async function problemsWhenThereAre(count: number, session: Session): Promise<readonly ReportedProblem[]> {
  for (;;) {
    await session.resourceUpdated('toolgraph://problems');
    const found = await problems(session);
    if (found.length === count) return found;
  }
}

describe('edits that a client cannot see', () => {
  it('a satisfies-only edit, skills and prose are silent', async () => {
    const { instance, session } = await startWith([toolNode('a')]);
    const before = await session.list();
    await instance.write(nodePath('a'), toolNode('a', { satisfies: ['another-skill', 'testing'] }));
    await instance.write('graph/skills/another.md', '---\nname: another-skill\ndescription: Another\n---\nText\n');
    await instance.write('graph/README.md', 'Prose\n');
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    await instance.write('graph/skills/another.md', '---\nname: another-skill\ndescription: Changed\n---\nText\n');
    await instance.remove('graph/README.md');
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    expect(await session.list()).toEqual(before);
    await instance.write(nodePath('a'), toolNode('a', { description: 'Seen' }));
    await session.listChanged();
    expect((await session.list()).generation.number).toBe(before.generation.number + 1);
  });
});

describe('edits of what nodes depend on', () => {
  it('a changed type changes the tools that use it, and a type that goes away keeps them as they were, with a problem', async () => {
    const input = { name: 'word', schema: typeIri('Word'), arg: { positional: 0 } };
    const { instance, session } = await startWith([toolNode('a', { io: { inputs: [input] } }), toolNode('b')]);
    const pattern = async () => (await session.list()).tools[0]?.inputSchema.properties.word?.pattern;
    expect(await pattern()).toBe('^[a-z]{1,20}$');
    await instance.writeTypes({ Word: { type: 'string', pattern: '^[0-9]+$' } });
    await session.listChanged();
    expect(await pattern()).toBe('^[0-9]+$');

    await instance.remove('graph/types.json');
    expect(await problemsWhenThereAre(1, session)).toMatchObject([
      { code: 'unresolved-schema', document: nodePath('a') },
    ]);
    expect(await session.names()).toEqual(['a', 'b']);
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    await instance.writeTypes();
    await session.listChanged();
    expect(await pattern()).toBe('^[a-z]{1,20}$');
    expect(await problems(session)).toEqual([]);
  });

  it('the config is followed: prefix and tiers change the list; an invalid one leaves the last good one in force', async () => {
    const { instance, session, server } = await startWith([toolNode('a'), toolNode('b', { tier: 'experimental' })]);
    expect(await session.names()).toEqual(['a']);
    expect((await session.call('b')).refusal).toMatchObject({ code: 'tool_unavailable' });
    await instance.config({ tiers: ['stable', 'experimental'] });
    await session.listChanged();
    expect(await session.names()).toEqual(['a', 'b']);
    await instance.config({ tiers: ['stable', 'experimental'], prefix: 'my' });
    await session.listChanged();
    expect(await session.names()).toEqual(['my_a', 'my_b']);
    expect((await session.call('my_b')).text).toBe('b\n');

    await instance.config({ prefix: 'not a prefix!' });
    expect(await problemsWhenThereAre(1, session)).toMatchObject([
      { code: 'invalid-config', document: 'toolgraph.config.json' },
    ]);
    await server.stderr.next((line) => line.includes('invalid-config'));
    expect(await session.names()).toEqual(['my_a', 'my_b']);
    await instance.remove('toolgraph.config.json');
    await session.listChanged();
    expect(await session.names()).toEqual(['a']);
    expect(await problems(session)).toEqual([]);
  });
});

describe('a node that breaks while it is served', () => {
  const broken: [string, unknown, string][] = [
    ['is no JSON', '{"id": "b",\n  "title": oops}', 'unreadable'],
    ['has an unknown key', toolNode('b', { invok: { shell: 'ls' } }), 'invalid-node'],
    [
      'names a type that nobody defines',
      toolNode('b', { io: { inputs: [{ name: 'x', schema: typeIri('None') }] } }),
      'unresolved-schema',
    ],
    ['names a context on the network', toolNode('b', { '@context': 'http://169.254.169.254/x' }), 'unknown-context'],
  ];

  it.each(broken)(
    'that %s keeps its last good declaration, is reported, and others go on',
    async (_what, content, code) => {
      const { instance, session, server } = await startWith([toolNode('a'), toolNode('b')]);
      const before = (await session.list()).tools;
      await instance.write(nodePath('b'), content);
      const [found] = await problemsWhenThereAre(1, session);
      expect(found).toMatchObject({ code, document: nodePath('b') });
      expect(found?.message).not.toContain(instance.root);
      const line = await server.stderr.next((text) => text.includes(code));
      expect(line).toContain(nodePath('b'));
      expect((await session.list()).tools).toEqual(before);
      expect((await session.call('b')).text).toBe('b\n');
      expect(await session.listChangesDuring(settleMs)).toBe(0);

      await instance.write(nodePath('a'), toolNode('a', { description: 'Goes on' }));
      await session.listChanged();
      expect((await session.list()).tools[0]?.description).toBe('Goes on');
      await instance.write(nodePath('b'), toolNode('b', { description: 'Healed' }));
      await session.listChanged();
      expect((await session.list()).tools[1]?.description).toBe('Healed');
      expect(await problems(session)).toEqual([]);
    },
  );

  it('and is then removed is retracted', async () => {
    const { instance, session } = await startWith([toolNode('a'), toolNode('b')]);
    await instance.write(nodePath('b'), '{"half');
    await problemsWhenThereAre(1, session);
    await instance.remove(nodePath('b'));
    await session.listChanged();
    expect(await session.names()).toEqual(['a']);
    expect(await problems(session)).toEqual([]);
  });
});

describe('G5: two documents with one id', () => {
  it('while running: the one that was served first keeps serving, both are named, and removing the other heals it', async () => {
    const { instance, session, server } = await startWith([toolNode('a')]);
    await instance.write('graph/tools/0-earlier.json', toolNode('a', { description: 'An impostor' }));
    const [found] = await problemsWhenThereAre(1, session);
    expect(found?.code).toBe('duplicate-id');
    for (const path of [nodePath('a'), 'graph/tools/0-earlier.json']) {
      expect(`${found?.document} ${found?.message}`).toContain(path);
    }
    await server.stderr.next((line) => line.includes('duplicate-id'));
    expect((await session.list()).tools).toMatchObject([{ name: 'a', description: 'Does a' }]);
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    await instance.remove('graph/tools/0-earlier.json');
    await eventually(async () => (await problems(session)).length === 0, 'no problem is left');
    expect((await session.list()).tools).toMatchObject([{ name: 'a', description: 'Does a' }]);
  });

  it('when the first is removed, the other takes over', async () => {
    const { instance, session } = await startWith([toolNode('a')]);
    await instance.write('graph/tools/z-later.json', toolNode('a', { description: 'The heir' }));
    await problemsWhenThereAre(1, session);
    await instance.remove(nodePath('a'));
    await session.listChanged();
    expect((await session.list()).tools).toMatchObject([{ name: 'a', description: 'The heir' }]);
    expect(await problems(session)).toEqual([]);
  });
});

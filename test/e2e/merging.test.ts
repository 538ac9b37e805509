import { describe, expect, it } from 'vitest';
import { patienceMs, within } from './deadline.js';
import { makeInstance, startServer } from './harness.js';
import { type Instance, nodePath, toolNode, typeIri } from './instance.js';
import type { Session } from './session.js';

/** Longer than the quiet time, the longest gathering and the scan after the last event together (DESIGN decisions 4 and 5). */
const settleMs = 900;

const morePath = 'graph/more.ttl';
const input = { name: 'word', schema: typeIri('Word'), arg: { positional: 0 } };

/** Turtle that states something of the Tool `a` or, with `/input/word`, of its input. */
function turtle(...statements: readonly string[]): string {
  const prefixes = [
    '@prefix tg: <https://w3id.org/toolgraph/ns#> .',
    '@prefix dct: <http://purl.org/dc/terms/> .',
    '@prefix tool: <urn:toolgraph:demo:tool/> .',
  ];
  return `${[...prefixes, ...statements].join('\n')}\n`;
}

/** All that a Tool must have beside its class, as the rest of a Turtle statement. */
const whole = [
  '  dct:title "Whole" ; dct:description "In Turtle" ; tg:satisfies <urn:toolgraph:demo:skill/testing> ;',
  `  tg:invoke '{"shell":"echo whole"}'^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON> .`,
];

async function makeDemo(nodes: readonly Record<string, unknown>[]): Promise<Instance> {
  const instance = await makeInstance(nodes);
  await instance.config({ name: 'demo' });
  return instance;
}

async function problems(session: Session): Promise<readonly Record<string, unknown>[]> {
  return (await session.read('toolgraph://problems')).problems as Record<string, unknown>[];
}

async function problemsWhenThereAre(count: number, session: Session): Promise<readonly Record<string, unknown>[]> {
  for (;;) {
    await session.resourceUpdated('toolgraph://problems');
    const found = await problems(session);
    if (found.length === count) return found;
  }
}

describe('a Turtle file that describes a Tool of a JSON file', () => {
  it('changes what is listed with one notification, is there after a restart, and no longer when the file goes', async () => {
    const instance = await makeDemo([toolNode('a', { io: { inputs: [input] } }), toolNode('b')]);
    const server = startServer(instance);
    const session = await server.open('2026-07-28', ['toolgraph://problems']);
    const before = await session.list();
    await instance.write(morePath, turtle('<urn:toolgraph:demo:tool/a/input/word> dct:description "Any word" .'));
    await session.listChanged();
    const merged = await session.list();
    expect(merged.tools[0]?.inputSchema.properties.word?.description).toBe('Any word');
    expect(merged.tools[1]).toEqual(before.tools[1]);
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    expect(await problems(session)).toEqual([]);

    const second = await startServer(instance).open('2025-11-25');
    expect((await second.list()).generation).toEqual(merged.generation);
    await instance.remove(morePath);
    await Promise.all([session.listChanged(), second.listChanged()]);
    expect((await session.list()).tools).toEqual(before.tools);
    expect((await second.list()).tools).toEqual(before.tools);
  });

  it('keeps a Tool out of the list that it says is internal, also while it cannot be parsed', async () => {
    const instance = await makeDemo([toolNode('a'), toolNode('b')]);
    await instance.write(morePath, turtle('tool:a tg:tier "internal" .'));
    const session = await startServer(instance).open('2026-07-28', ['toolgraph://problems']);
    expect(await session.names()).toEqual(['b']);
    await instance.write(morePath, turtle('tool:a tg:tier internal" .'));
    expect(await problemsWhenThereAre(1, session)).toMatchObject([{ code: 'unreadable', document: morePath, line: 4 }]);
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    expect(await session.names()).toEqual(['b']);
    await instance.write(morePath, turtle('tool:a tg:tier "stable" .'));
    await session.listChanged();
    expect(await session.names()).toEqual(['a', 'b']);
  });

  it('with another title leaves the Tool as it was served, is named together with the JSON file, and heals silently', async () => {
    const instance = await makeDemo([toolNode('a', { title: 'First' })]);
    const server = startServer(instance);
    const session = await server.open('2026-07-28', ['toolgraph://problems']);
    const before = await session.list();
    await instance.write(morePath, turtle('tool:a dct:title "Second" .'));
    const [found] = await problemsWhenThereAre(1, session);
    expect(found).toMatchObject({
      code: 'invalid-node',
      message: `title: two different values, "First" in ${nodePath('a')} and "Second" in ${morePath}; keep one`,
      document: nodePath('a'),
      line: 4,
    });
    await server.stderr.next((line) => line.includes('invalid-node') && line.includes(morePath));
    expect((await session.list()).tools).toEqual(before.tools);
    expect((await session.call('a')).text).toBe('a\n');

    const refused = startServer(instance);
    expect((await within(refused.exited, patienceMs, () => 'the server did not end')).code).toBe(1);
    expect(refused.stderrText).toContain('two different values');
    await instance.remove(morePath);
    await problemsWhenThereAre(0, session);
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    expect((await session.list()).tools).toEqual(before.tools);
  });

  it('G5: that states it is the Tool too is a second home: neither is served at start, and removing it heals', async () => {
    const instance = await makeDemo([toolNode('a'), toolNode('b')]);
    await instance.write('graph/a.ttl', turtle('tool:a a tg:Tool ;', ...whole));
    await instance.write(morePath, turtle('tool:a tg:tier "stable" .'));
    const refused = startServer(instance);
    expect((await within(refused.exited, patienceMs, () => 'the server did not end')).code).toBe(1);
    const session = await startServer(instance, { args: ['--keep-going'] }).open('2026-07-28', [
      'toolgraph://problems',
    ]);
    expect(await session.names()).toEqual(['b']);
    const found = await problems(session);
    expect(found.map(({ code, document }) => [code, document])).toEqual([
      ['duplicate-id', 'graph/a.ttl'],
      ['duplicate-id', nodePath('a')],
    ]);
    await instance.remove('graph/a.ttl');
    await session.listChanged();
    expect((await session.list()).tools).toMatchObject([{ name: 'a', description: 'Does a' }, { name: 'b' }]);
    expect(await problems(session)).toEqual([]);
  });

  it('makes a Tool whole that another Turtle file states only in part', async () => {
    const instance = await makeDemo([]);
    await instance.write('graph/a.ttl', turtle('tool:a a tg:Tool ; tg:inputs () ; tg:outputs () .'));
    const session = await startServer(instance, { args: ['--keep-going'] }).open('2025-11-25', [
      'toolgraph://problems',
    ]);
    expect(await session.names()).toEqual([]);
    expect(await problems(session)).toContainEqual(
      expect.objectContaining({ code: 'invalid-node', document: 'graph/a.ttl', subject: 'urn:toolgraph:demo:tool/a' }),
    );
    await instance.write(morePath, turtle('tool:a', ...whole));
    await session.listChanged();
    expect(await session.names()).toEqual(['a']);
    expect((await session.call('a')).text).toBe('whole\n');
    expect(await problems(session)).toEqual([]);
  });
});

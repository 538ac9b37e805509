import { describe, expect, it } from 'vitest';
import { eventually, patienceMs, within } from './deadline.js';
import { makeInstance, startServer } from './harness.js';
import { type Instance, nodePath, toolNode, typeIri } from './instance.js';
import { eras } from './session.js';

/** Two tools that work, and three documents each with a problem of its own. */
async function instanceWithProblems(): Promise<Instance> {
  const instance = await makeInstance([toolNode('a'), toolNode('b')]);
  await instance.write('graph/tools/broken.json', '{\n  "id": "broken",\n  oops\n}');
  await instance.write(nodePath('typo'), toolNode('typo', { invok: {} }));
  await instance.write(
    nodePath('untyped'),
    toolNode('untyped', { io: { inputs: [{ name: 'x', schema: typeIri('None') }] } }),
  );
  return instance;
}

const problemFiles = ['graph/tools/broken.json', nodePath('typo'), nodePath('untyped')];

it('a list of tools that is more than clients on stdio read is told of on stderr, and served', async () => {
  const io = { inputs: [{ name: 'x', schema: typeIri('Long'), arg: { stdin: true } }], outputs: [] };
  const ids = Array.from({ length: 12 }, (_, n) => `tool-${n}`);
  const instance = await makeInstance(ids.map((id) => toolNode(id, { invoke: { shell: 'cat' }, io })));
  await instance.writeTypes({
    Long: { type: 'string', enum: Array.from({ length: 900 }, (_, n) => `${n}`.padEnd(1000)) },
  });
  const server = startServer(instance);
  const session = await server.open('2026-07-28');
  const line = await server.stderr.next((said) => said.includes('the list of tools takes'));
  expect(line).toMatch(/takes 108\d{5} bytes of JSON.*10420224; serve fewer tools/);
  expect(await session.names()).toHaveLength(12);
});

describe('a start with problems', () => {
  it('ends with exit 1 and names every one on stderr, though the client waits', async () => {
    const server = startServer(await instanceWithProblems());
    const { code } = await within(server.exited, patienceMs, () => 'the server did not end');
    expect(code).toBe(1);
    for (const file of problemFiles) expect(server.stderrText).toContain(file);
    expect(server.stderrText).toMatch(/unreadable/);
    expect(server.stderrText).toMatch(/invalid-node.*"invok".*invoke/);
    expect(server.stderrText).toMatch(/unresolved-schema/);
    expect(server.wire.strayLines).toEqual([]);
  });

  it.each(eras)('in the era %s serves the rest with --keep-going and tells the client of the problems', async (era) => {
    const server = startServer(await instanceWithProblems(), { args: ['--keep-going'] });
    const session = await server.open(era);
    expect(await session.names()).toEqual(['a', 'b']);
    const { problems } = await session.read('toolgraph://problems');
    const documents = (problems as { document: string }[]).map(({ document }) => document);
    expect(documents.sort()).toEqual(problemFiles);
    expect(problems).toContainEqual(expect.objectContaining({ code: 'unreadable', line: 3 }));
  });

  it('says in the instructions of a server that keeps going how many there are', async () => {
    const instance = await instanceWithProblems();
    await instance.config({ keepGoing: true });
    const server = startServer(instance);
    const opened = await server.wire.result('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '0.0.0' },
    });
    expect(opened.instructions).toContain('3 problems');
  });
});

describe('G5: a start with two documents of one id', () => {
  it.each([
    ['a.json', 'b.json'],
    ['b.json', 'a.json'],
  ])('made in the order %s, %s serves neither and names both; removing one heals it', async (first, second) => {
    const instance = await makeInstance([toolNode('other')]);
    await instance.write(`graph/tools/${first}`, toolNode('twin', { description: first }));
    await instance.write(`graph/tools/${second}`, toolNode('twin', { description: second }));
    const refused = startServer(instance);
    expect((await within(refused.exited, patienceMs, () => 'the server did not end')).code).toBe(1);
    expect(refused.stderrText).toMatch(/duplicate-id/);

    const session = await startServer(instance, { args: ['--keep-going'] }).open('2025-11-25');
    expect(await session.names()).toEqual(['other']);
    const { problems } = await session.read('toolgraph://problems');
    const text = JSON.stringify(problems);
    expect(text).toContain('graph/tools/a.json');
    expect(text).toContain('graph/tools/b.json');
    await instance.remove('graph/tools/b.json');
    await session.listChanged();
    expect((await session.list()).tools).toMatchObject([{ name: 'other' }, { name: 'twin', description: 'a.json' }]);
    await eventually(async () => (await session.read('toolgraph://status')).problems === 0, 'no problem is left');
  });
});

describe('what a start says on stderr', () => {
  it('is one summary line, then each omission with its reason', async () => {
    const instance = await makeInstance([
      toolNode('a'),
      toolNode('piped', { invoke: { shell: 'ls | wc -l' } }),
      toolNode('absent', { invoke: { shell: 'no-such-command-of-toolgraph' } }),
    ]);
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    expect(await session.names()).toEqual(['a']);
    await server.stderr.next((line) => line.includes('shell-syntax') && line.includes('piped'));
    await server.stderr.next((line) => line.includes('command-not-found') && line.includes('absent'));
    const { omissions } = await session.read('toolgraph://omissions');
    expect(omissions).toMatchObject([
      { id: 'absent', code: 'command-not-found' },
      { id: 'piped', code: 'shell-syntax' },
    ]);
    expect((await session.call('piped')).refusal).toMatchObject({ code: 'tool_unavailable' });
  });
});

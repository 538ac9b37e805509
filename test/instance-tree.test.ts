import { existsSync } from 'node:fs';
import { rename, symlink, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createService, type Service, type ServiceOptions } from '../src/service.js';
import { Instance, nodePath, toolNode } from './e2e/instance.js';

const waiting = { timeout: 20_000 };

async function make(nodes: readonly Record<string, unknown>[]): Promise<Instance> {
  const instance = await Instance.make(nodes);
  onTestFinished(() => instance.dispose());
  return instance;
}

function open(instance: Instance, options: Partial<ServiceOptions> = {}): Service {
  const service = createService({ root: instance.root, ...options });
  onTestFinished(() => service.close());
  return service;
}

const beside = (instance: Instance): string => `../${basename(instance.root)}`;
const namesOf = (service: Service) => [...(service.current?.entries.keys() ?? [])];

describe('the first generation', () => {
  it('W14: waits for the included instances, however many nodes they have', async () => {
    const ids = Array.from({ length: 1_000 }, (_, n) => `n${n}`);
    const other = await make([]);
    await other.write('graph/tools/many.json', { '@graph': ids.map((id) => toolNode(id)) });
    const root = await make([toolNode('t')]);
    await root.config({ include: [beside(other)] });
    const progress: number[] = [];
    const service = open(root, { onIngestProgress: (_done, total) => progress.push(total) });
    expect([...(await service.ready).entries.keys()]).toEqual([...ids, 't'].sort());
    expect(service.nodes).toHaveLength(1_001);
    // The documents of both: two type documents, one with many nodes, one with one, and no config.
    expect(progress.at(-1)).toBe(4);
    expect(service.status().documents).toBe(4);
  });

  it('does not wait for an instance whose store another process has locked: that is a problem', async () => {
    const other = await make([toolNode('a')]);
    await createService({ root: other.root, watch: false }).close();
    const lock = new Database(other.path('.toolgraph/open.lock'));
    lock.exec('BEGIN EXCLUSIVE');
    const root = await make([toolNode('t')]);
    await root.config({ include: [beside(other)] });
    const service = open(root);
    const { entries, problems } = await service.ready;
    expect([...entries.keys()]).toEqual(['t']);
    expect(problems).toMatchObject([{ code: 'unreadable', document: beside(other), instance: beside(other) }]);
    expect(problems[0]?.message).toContain('another process has held its lock for too long');
    expect(service.status().state).toBe('degraded');
    lock.close();
  });

  it('is exactly the one of the instance when it includes none', async () => {
    const root = await make([toolNode('t')]);
    const alone = await open(root).ready;
    await root.config({ include: [] });
    const service = open(root);
    expect(await service.ready).toEqual(alone);
    expect(alone.number).toBe(1);
  });
});

it('skills and nodes of an included instance say which one that is; those of the root do not', async () => {
  const other = await make([toolNode('a')]);
  const root = await make([toolNode('t')]);
  for (const instance of [other, root]) await instance.write('graph/skills/s.md', '---\nname: s\n---\n');
  await root.config({ include: [beside(other)] });
  const service = open(root);
  await service.ready;
  expect(service.nodes.map(({ document, instance }) => [document, instance])).toEqual([
    [nodePath('t'), undefined],
    [`${beside(other)}/${nodePath('a')}`, beside(other)],
  ]);
  expect(service.skills.map(({ document }) => document)).toEqual([
    'graph/skills/s.md',
    `${beside(other)}/graph/skills/s.md`,
  ]);
});

it('a look at the host that finds something in several instances makes one generation', async () => {
  const [other, root] = [await make([]), await make([])];
  for (const [n, instance] of [other, root].entries()) {
    await instance.write(nodePath('t'), toolNode(`t${n}`, { when: { exists: ['there'] } }));
  }
  await root.config({ include: [beside(other)] });
  const service = open(root);
  await service.ready;
  const lists: string[][] = [];
  service.subscribe(({ generation }) => lists.push([...generation.entries.keys()]));
  for (const instance of [other, root]) await writeFile(instance.path('there'), '');
  await service.lookAtHost();
  expect(lists).toEqual([['t0', 't1']]);
});

it('W13: a call that runs when its instance is no longer included ends on what it began with', async () => {
  const other = await make([toolNode('slow', { invoke: { shell: 'bin/slow.sh' } })]);
  await other.script('bin/slow.sh', ['touch begun', 'while [ ! -e go ]; do sleep 0.05; done', 'pwd']);
  const root = await make([]);
  await root.config({ include: [beside(other)] });
  const service = open(root);
  const call = service.call(await service.ready, 'slow', {});
  await vi.waitFor(() => expect(existsSync(other.path('begun'))).toBe(true), waiting);
  await root.config({});
  await vi.waitFor(() => expect(namesOf(service)).toEqual([]), waiting);
  await writeFile(other.path('go'), '');
  expect(await call).toMatchObject({ outcome: { kind: 'ran', text: `${other.root}\n` } });
  expect(service.absence('slow')).toMatchObject({ code: 'tool_removed' });
});

it('W7: an included link that is switched to another instance is that instance from then on, with its name and its state', async () => {
  const [one, two] = [await make([toolNode('t')]), await make([toolNode('t')])];
  const root = await make([]);
  await symlink(one.root, root.path('current'));
  await root.config({ include: ['current'] });
  const service = open(root);
  await service.ready;
  const iris = () => service.nodes.map(({ iri }) => iri);
  const before = iris();
  const lists: string[][] = [];
  service.subscribe(({ generation }) => lists.push([...generation.entries.keys()]));
  await symlink(two.root, root.path('next'));
  await rename(root.path('next'), root.path('current'));
  await vi.waitFor(() => expect(iris()).not.toEqual(before), waiting);
  expect(existsSync(two.path('.toolgraph/graph.db'))).toBe(true);
  await two.write(nodePath('new'), toolNode('new'));
  await vi.waitFor(() => expect(namesOf(service)).toEqual(['new', 't']), waiting);
  const alone = open(two);
  await alone.ready;
  expect(iris().sort()).toEqual(alone.nodes.map(({ iri }) => iri).sort());
  for (const list of lists) expect(list).toContain('t');
});

it('a one-shot service reads included instances once and follows none', async () => {
  const other = await make([toolNode('a')]);
  const root = await make([toolNode('t')]);
  await root.config({ include: [beside(other), '../toolgraph-none'] });
  const service = open(root, { watch: false });
  const { entries, problems } = await service.ready;
  expect([...entries.keys()]).toEqual(['a', 't']);
  expect(problems).toMatchObject([
    { code: 'invalid-config', document: 'toolgraph.config.json', pointer: '/include/1', line: 4 },
  ]);
});

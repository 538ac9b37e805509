import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createService, type Service } from '../src/service.js';
import { Instance, nodePath, toolNode } from './e2e/instance.js';

async function open(instance: Instance, env: NodeJS.ProcessEnv = process.env): Promise<Service> {
  onTestFinished(() => instance.dispose());
  const service = createService({ root: instance.root, env });
  onTestFinished(() => service.close());
  await service.ready;
  return service;
}

const namesOf = (service: Service) => [...(service.current?.entries.keys() ?? [])];
const waiting = { timeout: 20_000 };

it('P12: a command that appears on PATH while the service runs makes its tool appear, and one that goes takes it away', async () => {
  const instance = await Instance.make([toolNode('greet', { invoke: { shell: 'toolgraph-test-greet' } })]);
  const bin = instance.path('bin');
  await mkdir(bin);
  const service = await open(instance, { ...process.env, PATH: bin });
  expect(service.current?.omissions).toMatchObject([{ id: 'greet', code: 'command-not-found' }]);
  await writeFile(`${bin}/toolgraph-test-greet`, '#!/bin/sh\necho hello\n');
  await chmod(`${bin}/toolgraph-test-greet`, 0o755);
  await service.lookAtHost();
  expect(namesOf(service)).toEqual(['greet']);
  await chmod(`${bin}/toolgraph-test-greet`, 0o644);
  await service.lookAtHost();
  expect(namesOf(service)).toEqual([]);
});

it('another base makes every node anew without a list that lacks any of them', async () => {
  const instance = await Instance.make([toolNode('a'), toolNode('b')]);
  const service = await open(instance);
  const lists: string[][] = [];
  service.subscribe(({ generation }) => lists.push([...generation.entries.keys()]));
  await instance.config({ name: 'other', base: 'urn:other:' });
  await vi.waitFor(
    () => expect(service.nodes.map(({ iri }) => iri)).toEqual(['urn:other:tool/a', 'urn:other:tool/b']),
    waiting,
  );
  await instance.write(nodePath('c'), toolNode('c'));
  await vi.waitFor(() => expect(namesOf(service)).toEqual(['a', 'b', 'c']), waiting);
  for (const list of lists) expect(list).toEqual(expect.arrayContaining(['a', 'b']));
});

it('a context document that changes makes the nodes anew that are written with it', async () => {
  const instance = await Instance.make([]);
  const described = (key: string) => ({ '@context': { [key]: 'http://purl.org/dc/terms/description' } });
  const { description, ...rest } = toolNode('mapped');
  await instance.write('graph/terms.jsonld', described('about'));
  await instance.write(nodePath('mapped'), {
    '@context': ['https://w3id.org/toolgraph/v1.jsonld', '../terms.jsonld'],
    '@type': 'Tool',
    ...rest,
    description,
    note: 'kept as data',
  });
  const service = await open(instance);
  // `note` is not mapped yet, so the node is a problem; when the context maps it, it is data.
  expect(service.current?.problems).toMatchObject([{ code: 'invalid-node' }]);
  await instance.write('graph/terms.jsonld', { '@context': { note: 'https://example.org/note' } });
  await vi.waitFor(() => expect(namesOf(service)).toEqual(['mapped']), waiting);
  expect(service.current?.problems).toEqual([]);
});

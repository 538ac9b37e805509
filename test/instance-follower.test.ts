import { chmod, mkdir, writeFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createService, type Service } from '../src/service.js';
import { recordsVersion } from '../src/store/record-schema.js';
import { openRecordStore } from '../src/store/record-store.js';
import { Instance, nodePath, toolNode } from './e2e/instance.js';

async function open(
  instance: Instance,
  env: NodeJS.ProcessEnv = process.env,
  onNotice: (words: string) => void = () => {},
): Promise<Service> {
  onTestFinished(() => instance.dispose());
  const service = createService({ root: instance.root, env, onNotice });
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

it('a change of the host that cannot be recorded is told of once, and made known when it can be', async () => {
  const instance = await Instance.make([toolNode('greet', { invoke: { shell: 'toolgraph-test-greet' } })]);
  const bin = instance.path('bin');
  await mkdir(bin);
  const notices: string[] = [];
  const service = await open(instance, { ...process.env, PATH: bin }, (words) => notices.push(words));
  const records = new Database(instance.path('.toolgraph/records.db'));
  onTestFinished(() => void records.close());
  records.pragma('user_version = 99');
  await writeFile(`${bin}/toolgraph-test-greet`, '#!/bin/sh\necho hello\n', { mode: 0o755 });
  await service.lookAtHost();
  await service.lookAtHost();
  expect(namesOf(service)).toEqual([]);
  expect(service.status().state).toBe('degraded');
  expect(notices).toEqual([expect.stringMatching(/records\.db: a newer toolgraph wrote it/)]);
  records.pragma(`user_version = ${recordsVersion}`);
  await service.lookAtHost();
  expect(namesOf(service)).toEqual(['greet']);
  expect(service.status().state).toBe('ready');
});

it('takes the number that another process has given the same generation since (DESIGN decision 6)', async () => {
  const instance = await Instance.make([toolNode('a')]);
  const service = await open(instance);
  const digest = service.current?.digest ?? '';
  const file = new Database(instance.path('.toolgraph/records.db'));
  const key = String(file.prepare('SELECT key FROM generation').pluck().get());
  file.close();
  const other = openRecordStore(instance.path('.toolgraph'));
  expect(other.nextGeneration(key, 'older', new Date())).toBe(2);
  expect(other.nextGeneration(key, digest, new Date())).toBe(3);
  other.close();
  expect(service.current?.number).toBe(1);
  await service.lookAtHost();
  expect(service.current).toMatchObject({ number: 3, digest });
});

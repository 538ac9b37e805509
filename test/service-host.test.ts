import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdir, rm } from 'node:fs/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { observeHost } from '../src/instance/host.js';
import { createService, type Service } from '../src/service.js';
import { Instance, toolNode } from './e2e/instance.js';
import { inotifyWatches } from './instance/inotify-watches.js';

vi.mock('../src/instance/host.js', async (original) => {
  const host = await original<typeof import('../src/instance/host.js')>();
  return { ...host, observeHost: vi.fn(host.observeHost) };
});

const waiting = { timeout: 20_000 };

async function open(): Promise<{ instance: Instance; service: Service }> {
  const instance = await Instance.make([
    toolNode('greet', { invoke: { shell: 'toolgraph-test-greet' } }),
    toolNode('report', { when: { exists: ['build/report'] } }),
  ]);
  onTestFinished(() => instance.dispose());
  await instance.script('bin/toolgraph-test-greet', ['echo hello']);
  const service = createService({ root: instance.root, env: { PATH: `${instance.path('bin')}:/usr/bin:/bin` } });
  onTestFinished(() => service.close());
  await service.ready;
  return { instance, service };
}

it('P12: a call asks nothing of the host: a command that is gone is found when it is run', async () => {
  const { instance, service } = await open();
  const generation = await service.ready;
  const calling = new AsyncLocalStorage<true>();
  const asked: unknown[] = [];
  vi.mocked(observeHost).mockImplementation(async () => {
    asked.push(calling.getStore());
    throw new Error('not now');
  });
  onTestFinished(() => void vi.mocked(observeHost).mockReset());
  const call = () => calling.run(true, () => service.call(generation, 'greet', {}));
  expect(await call()).toMatchObject({ outcome: { kind: 'ran', text: 'hello\n' } });
  await rm(instance.path('bin/toolgraph-test-greet'));
  expect(await call()).toMatchObject({ outcome: { kind: 'failed', code: 'spawn_failed' } });
  expect(asked).not.toContain(true);
  await calling.run(true, () => service.lookAtHost());
  expect(asked).toContain(true);
});

it.runIf(process.platform === 'linux')('ends every watch of the host with itself', async () => {
  const before = inotifyWatches();
  const { instance, service } = await open();
  const names = () => [...(service.current?.entries.keys() ?? [])];
  await mkdir(instance.path('build'));
  await instance.write('build/report', '');
  await vi.waitFor(() => expect(names()).toEqual(['greet', 'report']), waiting);
  expect(inotifyWatches()).toBeGreaterThan(before);
  await service.close();
  expect(inotifyWatches()).toBe(before);
});

it('gives tools the environment as it was when the service was made', async () => {
  const instance = await Instance.make([toolNode('language', { invoke: { shell: 'printenv LC_TOOLGRAPH_TEST' } })]);
  onTestFinished(() => instance.dispose());
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('LC_TOOLGRAPH_TEST', 'before');
  const service = createService({ root: instance.root });
  onTestFinished(() => service.close());
  vi.stubEnv('LC_TOOLGRAPH_TEST', 'after');
  const answered = await service.call(await service.ready, 'language', {});
  expect(answered.outcome).toMatchObject({ kind: 'ran', text: 'before\n' });
});

import { readFile, rename } from 'node:fs/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Generation } from '../src/projection/generation.js';
import { createService, type Service } from '../src/service.js';
import { Instance, nodePath, toolNode } from './e2e/instance.js';
import { isRunning } from './e2e/processes.js';

async function makeInstance(nodes: readonly Record<string, unknown>[]): Promise<Instance> {
  const instance = await Instance.make(nodes);
  onTestFinished(() => instance.dispose());
  return instance;
}

function open(instance: Instance): Service {
  const service = createService({ root: instance.root });
  onTestFinished(() => service.close());
  return service;
}

function nextGeneration(service: Service): Promise<Generation> {
  return new Promise((resolve) => {
    const end = service.subscribe(({ generation }) => {
      end();
      resolve(generation);
    });
  });
}

const versioned = (n: number) => toolNode('now', { invoke: { shell: `echo Version ${n}` } });

it('W10: a call runs what its own generation lists, and not what the current one does', async () => {
  const instance = await makeInstance([versioned(1)]);
  const service = open(instance);
  const first = await service.ready;
  const changed = nextGeneration(service);
  await instance.replace(nodePath('now'), versioned(2));
  const second = await changed;
  expect(await service.call(first, 'now', {})).toMatchObject({ outcome: { kind: 'ran', text: 'Version 1\n' } });
  expect(await service.call(second, 'now', {})).toMatchObject({ outcome: { kind: 'ran', text: 'Version 2\n' } });
});

it('P16: close ends a call in flight with its processes', async () => {
  const instance = await makeInstance([toolNode('slow', { invoke: { shell: 'bin/slow.sh' } })]);
  await instance.script('bin/slow.sh', ['sleep 20 &', 'echo $! > pid.part', 'mv pid.part pid', 'wait']);
  const service = open(instance);
  const call = service.call(await service.ready, 'slow', {});
  const pid = await vi.waitFor(async () => Number(await readFile(instance.path('pid'), 'utf8')), { timeout: 20_000 });
  expect(await isRunning(pid)).toBe(true);
  await service.close();
  expect(await isRunning(pid)).toBe(false);
  expect(await call).toMatchObject({ outcome: { kind: 'failed', code: 'cancelled' } });
});

it('a node of an earlier run that cannot be looked at now is not served from the store, and comes when it can (decision 3)', async () => {
  const instance = await makeInstance([toolNode('a')]);
  await instance.config({ folders: [{ path: 'graph' }, { path: 'more' }] });
  await instance.write('more/b.json', toolNode('b'));
  const earlier = createService({ root: instance.root });
  expect([...(await earlier.ready).entries.keys()]).toEqual(['a', 'b']);
  await earlier.close();

  await rename(instance.path('more'), instance.path('away'));
  const service = open(instance);
  const { entries, problems } = await service.ready;
  expect([...entries.keys()]).toEqual(['a']);
  expect(problems).toMatchObject([{ code: 'unreadable', document: 'more' }]);
  expect(service.status().state).toBe('degraded');
  await rename(instance.path('away'), instance.path('more'));
  await vi.waitFor(() => expect([...(service.current?.entries.keys() ?? [])]).toEqual(['a', 'b']), { timeout: 20_000 });
  expect(service.status()).toMatchObject({ state: 'ready', problems: 0 });
});

it('what a node hides in the words of an omission or a problem is visible where agents read it', async () => {
  const hidden = '\u202e\u{e0041}';
  const shown = '\\u202e\\u{e0041}';
  const instance = await makeInstance([
    toolNode('omitted', { invoke: { mcp: { tool: hidden } } }),
    toolNode('several', {
      invoke: { inProcess: { module: `${hidden}.js` }, container: { image: 'x:1', command: 'a | b' } },
    }),
    toolNode('broken', { [hidden]: true }),
  ]);
  const { omissions, problems } = await open(instance).ready;
  expect(omissions.map(({ reason }) => reason)).toEqual([
    `it is an MCP tool already (${shown}): its only arm is mcp`,
    `its module ${shown}.js is not a file of the instance`,
  ]);
  expect(omissions[1]?.rejectedArms?.[0]?.reason).toContain(shown);
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(shown)]);
});

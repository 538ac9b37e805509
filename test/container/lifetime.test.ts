import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../e2e/deadline.js';
import { recordsOf } from '../e2e/records.js';
import { eras } from '../e2e/session.js';
import {
  containerInstance,
  containerNode,
  containerSession,
  containers,
  fakeEngines,
  isContainerRunning,
  serveContainers,
} from './harness.js';

const hang = (fields: Record<string, unknown> = {}) => containerNode('hang', 'sleep 300', fields);
const noContainer = async () => (await containers()).length === 0;

it('X7: a container that takes too long is killed, and is gone when the call is answered', async () => {
  const session = await containerSession([hang({ limits: { timeoutMs: 3000 } })]);
  expect((await session.call('hang')).refusal).toMatchObject({ code: 'timeout' });
  expect(await containers()).toEqual([]);
});

it.each(eras)('X8: a container whose call is cancelled is killed, in the era %s', async (era) => {
  const instance = await containerInstance([hang()]);
  const session = await serveContainers(instance).open(era);
  const call = session.send('tools/call', { name: 'hang', arguments: {} });
  await eventually(isContainerRunning, 'the container runs');
  session.cancel(call.id);
  await eventually(noContainer, 'the container is gone');
  await eventually(() => recordsOf(instance)[0]?.outcome === 'cancelled', 'the record says so');
});

it('X5: what it leaves running in the container ends with it', async () => {
  const session = await containerSession([containerNode('leave', ['sh', '-c', 'sleep 300 & echo left'])]);
  expect(await session.call('leave')).toMatchObject({ isError: false, text: 'left\n' });
  expect(await containers()).toEqual([]);
});

it('P16: the server ends its containers when its client goes', async () => {
  const server = serveContainers(await containerInstance([hang()]));
  const session = await server.open('2025-11-25');
  session.send('tools/call', { name: 'hang', arguments: {} });
  await eventually(isContainerRunning, 'the container runs');
  await server.stop();
  expect(await containers()).toEqual([]);
});

it('X7: what a killed server left is removed by the next, and what another runs is not', async () => {
  const instance = await containerInstance([hang(), containerNode('other', 'sleep 300')]);
  const killed = serveContainers(instance);
  const living = serveContainers(instance);
  const [left, kept] = [await killed.open('2025-11-25'), await living.open('2025-11-25')];
  left.send('tools/call', { name: 'hang', arguments: {} });
  kept.send('tools/call', { name: 'other', arguments: {} });
  const running = async () => (await containers()).filter((line) => line.includes('Up ')).length;
  await eventually(async () => (await running()) === 2, 'both containers run');
  killed.kill('SIGKILL');
  await killed.exited;
  expect(await running()).toBe(2);
  const next = serveContainers(instance);
  await next.stderr.next((line) => line.includes('removed a container that earlier servers of this instance left'));
  expect(await running()).toBe(1);
  const [name] = (await containers())[0]?.split(' ') ?? [];
  await living.stop();
  expect(name).toMatch(/^toolgraph-[0-9a-f-]{36}$/);
  expect(await containers()).toEqual([]);
});

it('without an engine that answers is left out with the reason, and listed when one answers', async () => {
  const instance = await containerInstance([hang()]);
  const path = await fakeEngines({});
  const server = serveContainers(instance, { env: { PATH: path } });
  const session = await server.open('2025-11-25');
  expect(await session.names()).toEqual([]);
  expect((await session.call('hang')).refusal).toMatchObject({
    code: 'tool_unavailable',
    message: expect.stringContaining('no-container-engine'),
  });
  await writeFile(join(path, 'podman'), `#!/bin/sh\nPATH=${process.env.PATH} exec podman "$@"\n`, { mode: 0o755 });
  await session.listChanged();
  expect(await session.names()).toEqual(['hang']);
});

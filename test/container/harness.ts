import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { inject, onTestFinished } from 'vitest';
import { makeInstance, type ServerProcess, type StartOptions, startServer } from '../e2e/harness.js';
import { type Instance, toolNode } from '../e2e/instance.js';
import type { Session } from '../e2e/session.js';
import { plainImage } from './engine-setup.js';

const { flags, containersConf } = inject('engine');

/** A Tool that runs this command of busybox in a container. */
export function containerNode(
  id: string,
  command: string | readonly string[],
  fields: Record<string, unknown> = {},
  container: Record<string, unknown> = {},
): Record<string, unknown> {
  return toolNode(id, { invoke: { container: { image: plainImage, command, ...container } }, ...fields });
}

/** An instance whose config names the engine of these tests. */
export async function containerInstance(
  nodes: readonly Record<string, unknown>[],
  config: Record<string, unknown> = {},
  runFlags: readonly string[] = [],
): Promise<Instance> {
  const instance = await makeInstance(nodes);
  await instance.config({ engine: { command: 'podman', flags: [...flags, ...runFlags] }, ...config });
  return instance;
}

export function serveContainers(instance: Instance, { env = {}, ...options }: StartOptions = {}): ServerProcess {
  return startServer(instance, { ...options, env: { CONTAINERS_CONF: containersConf, ...env } });
}

/** A session with a server of an instance that holds these Tools. */
export async function containerSession(nodes: readonly Record<string, unknown>[]): Promise<Session> {
  return serveContainers(await containerInstance(nodes)).open('2025-11-25');
}

/** Names of all containers of the engine, those that have ended too. */
export async function containers(): Promise<string[]> {
  const listed = await execa('podman', [...flags, 'ps', '--all', '--format={{.Names}} {{.Status}}'], {
    env: { CONTAINERS_CONF: containersConf },
  });
  return listed.stdout.split('\n').filter((line) => line !== '');
}

/** Whether a container of toolgraph runs. */
export async function isContainerRunning(): Promise<boolean> {
  return (await containers()).some((line) => line.startsWith('toolgraph-') && line.includes('Up '));
}

/** A folder for PATH with this shell script as each of these engines. */
export async function fakeEngines(scripts: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolgraph-engines-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return folder;
}

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ContainerEngines } from '../../src/instance/container-engines.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgraph-engines-'));
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const both = new Set(['podman', 'docker']);

function engine(name: string, script: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bin', name), 0o755);
}

/** Notes how it is started, and ends well or not. */
function noting(name: string, exitCode = 0): void {
  engine(name, `echo "${name} $* $SECRET$CONTAINERS_CONF" >> ${folder}/calls; exit ${exitCode}`);
}

function calls(): string[] {
  return readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
}

function ask(
  engines = new ContainerEngines(),
  config: Parameters<ContainerEngines['answering']>[1] = {},
  asked = both,
) {
  return engines.answering(asked, config, { PATH: join(folder, 'bin'), SECRET: 's', CONTAINERS_CONF: '/c' });
}

it('answers with the first engine that can list its containers, and asks no other', async () => {
  noting('podman');
  noting('docker');
  expect(await ask()).toEqual(new Set(['podman']));
  expect(calls()).toEqual(['podman ps --quiet --filter=label=toolgraph.instance /c']);
});

it('answers with docker where podman is there and does not work, or is not there', async () => {
  noting('podman', 125);
  noting('docker');
  expect(await ask()).toEqual(new Set(['docker']));
  rmSync(join(folder, 'bin', 'podman'));
  expect(await ask()).toEqual(new Set(['docker']));
});

it('asks the one that the config names alone, with those flags that are not of "run"', async () => {
  noting('podman');
  noting('docker', 1);
  expect(await ask(undefined, { command: 'docker', flags: ['--context=a', '--memory=1g'] })).toEqual(new Set());
  expect(calls()).toEqual(['docker --context=a ps --quiet --filter=label=toolgraph.instance /c']);
});

it('starts nothing when nothing is asked, and says no where nothing is installed', async () => {
  expect(await ask()).toEqual(new Set());
  noting('podman');
  expect(await ask(undefined, {}, new Set())).toEqual(new Set());
  expect(calls).toThrow('ENOENT');
});

it('remembers an answer for a while, and not beyond a change of what is installed', async () => {
  let now = 0;
  const engines = new ContainerEngines(5_000, () => now);
  expect(await ask(engines)).toEqual(new Set());
  engine('podman', `[ ! -e ${folder}/down ]`);
  expect(await ask(engines)).toEqual(new Set(['podman']));
  writeFileSync(join(folder, 'down'), '');
  now = 7_999;
  expect(await ask(engines)).toEqual(new Set(['podman']));
  now = 8_000;
  expect(await ask(engines)).toEqual(new Set());
  rmSync(join(folder, 'down'));
  expect(await ask(engines)).toEqual(new Set());
  engines.forget();
  expect(await ask(engines)).toEqual(new Set(['podman']));
});

it('gives up on an engine that hangs; the last answer stands in', async () => {
  let now = 0;
  const engines = new ContainerEngines(300, () => now);
  engine('podman', `[ -e ${folder}/hang ] && exec /bin/sleep 60; exit 0`);
  // The first start on a busy machine may take longer than the patience of this test's engines.
  do now += 8_000;
  while (!(await ask(engines)).has('podman'));
  writeFileSync(join(folder, 'hang'), '');
  now += 8_000;
  expect(await ask(engines)).toEqual(new Set(['podman']));
  expect(await ask(new ContainerEngines(300))).toEqual(new Set());
});

import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import type { TestProject } from 'vitest/node';

/** A podman with storage of its own, so that nothing of the host is touched. */
export interface TestEngine {
  /** Global flags of podman, as the config of an instance has them under engine.flags. */
  readonly flags: readonly string[];
  /** Value of CONTAINERS_CONF. */
  readonly containersConf: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    engine: TestEngine;
  }
}

/** Runs as root, and has no entrypoint. */
export const plainImage = 'localhost/toolgraph-test:plain';
/** States a user and an entrypoint. */
export const statedImage = 'localhost/toolgraph-test:stated';

/** What a machine without systemd, a usable limit of processes, or overlay mounts needs: CI is often one. */
const containersConf = `[containers]
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
pids_limit = 0
`;
const applets = [
  'sh',
  'cat',
  'echo',
  'id',
  'ls',
  'sleep',
  'env',
  'touch',
  'head',
  'yes',
  'grep',
  'true',
  'seq',
  'wc',
  'printf',
];

/** Vitest's global setup: two images of a root file system that holds busybox and nothing else. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'toolgraph-containers-'));
  const conf = join(folder, 'containers.conf');
  await writeFile(conf, containersConf);
  const flags = [
    ...['--storage-driver=vfs', `--root=${folder}/storage`, `--runroot=${folder}/run`, `--tmpdir=${folder}/tmp`],
    ...['--runtime=runc', '--cgroup-manager=cgroupfs'],
  ];
  const podman = (...args: string[]) => execa('podman', [...flags, ...args], { env: { CONTAINERS_CONF: conf } });
  try {
    const archive = await rootFileSystem(folder);
    await podman('import', '--quiet', archive, plainImage);
    const stated = ['USER 1234:1234', 'ENTRYPOINT ["/bin/echo", "entry"]'].flatMap((line) => ['--change', line]);
    await podman('import', '--quiet', ...stated, archive, statedImage);
  } catch (error) {
    throw new Error('these tests need podman, runc and busybox-static: apt-get install them, as .ci/run does', {
      cause: error,
    });
  }
  project.provide('engine', { flags, containersConf: conf });
  return async () => {
    await podman('rm', '--all', '--force', '--time=0');
    await rm(folder, { recursive: true, force: true });
  };
}

async function rootFileSystem(folder: string): Promise<string> {
  const root = join(folder, 'root');
  for (const path of ['bin', 'etc', 'proc', 'sys', 'dev', 'tmp']) await mkdir(join(root, path), { recursive: true });
  await chmod(join(root, 'tmp'), 0o1777);
  await copyFile('/bin/busybox', join(root, 'bin/busybox'));
  for (const applet of applets) await symlink('busybox', join(root, 'bin', applet));
  const archive = join(folder, 'root.tar');
  await execa('tar', ['-C', root, '-cf', archive, '.']);
  return archive;
}

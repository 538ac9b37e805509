import { describe, expect, it } from 'vitest';
import { partEngineFlags } from '../../schemas/engine.js';
import { type ContainerRun, containerUser, isMountable, runArguments } from '../../src/invocation/container-argv.js';

const run: ContainerRun = {
  binding: { engine: 'podman', network: false },
  name: 'toolgraph-1',
  labels: { 'toolgraph.instance': 'i', 'toolgraph.server': '7 boot' },
  flags: [],
  user: '65534:65534',
  mounts: [],
  variables: [],
  hasStdin: false,
  image: 'x:1',
  args: [],
};
const limits = ['--memory=1g', '--cpus=1', '--pids-limit=256'];
const beginning = [
  ...['run', '--rm', '--name=toolgraph-1', '--label=toolgraph.instance=i', '--label=toolgraph.server=7 boot'],
  ...['--pull=never', '--log-driver=none', '--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges'],
];
const scratch = '--tmpfs=/tmp:rw,noexec,nosuid,nodev,size=64m,mode=1777';

describe('runArguments', () => {
  it('P9: takes from a container all that the node does not state', () => {
    expect(runArguments(run)).toEqual([
      ...beginning,
      '--network=none',
      ...limits,
      scratch,
      '--user=65534:65534',
      'x:1',
    ]);
  });

  it('P9: gives it what the node states, the flags of the config after that, and the command last', () => {
    const stated: ContainerRun = {
      ...run,
      binding: { engine: 'podman', network: true },
      flags: ['--root', '/r', '--memory=2g', '--user', '7', '--log-level=debug'],
      user: undefined,
      mounts: [
        { source: '/i/a', target: '/a', readOnly: true },
        { source: '/i/b', target: '/tmp', readOnly: false },
      ],
      variables: ['LANG', 'TOKEN'],
      hasStdin: true,
      args: ['sync', '--only', '$(x)'],
    };
    expect(runArguments(stated)).toEqual([
      ...['--root', '/r', '--log-level=debug'],
      ...beginning,
      ...limits,
      '--mount=type=bind,source=/i/a,target=/a,readonly',
      '--mount=type=bind,source=/i/b,target=/tmp',
      ...['--env=LANG', '--env=TOKEN', '--interactive', '--memory=2g', '--user', '7'],
      ...['x:1', 'sync', '--only', '$(x)'],
    ]);
  });

  it('knows which path would end a field of a mount', () => {
    expect(['/a b', '/a:b', '/a,b', '/a"b', '/a\nb'].map(isMountable)).toEqual([true, true, false, false, false]);
  });
});

it.each([
  ['', { uid: 0, gid: 0 }, '65534:65534'],
  ['', undefined, '65534:65534'],
  ['', { uid: 1000, gid: 100 }, '1000:100'],
  ['root', { uid: 1000, gid: 100 }, '1000:100'],
  ['0:5', { uid: 0, gid: 0 }, '65534:65534'],
  ['00', { uid: 0, gid: 0 }, '65534:65534'],
  ['1234:0', { uid: 0, gid: 0 }, undefined],
  ['node', { uid: 1000, gid: 100 }, undefined],
])('containerUser: of an image that states %j, and a service of %j, it is %j', (stated, service, user) => {
  expect(containerUser(stated, service)).toBe(user);
});

it('partEngineFlags: --runtime is of podman itself, and of "run" of docker', () => {
  const flags = ['--runtime', 'runc', '--memory=1g', '--userns', 'host'];
  const global = ['--runtime', 'runc'];
  expect(partEngineFlags('podman', flags)).toEqual({ global, run: flags.slice(2) });
  expect(partEngineFlags('docker', flags)).toEqual({ global: [], run: flags });
});

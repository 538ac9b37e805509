import { expect, it } from 'vitest';
import { cgroupFolder } from '../../src/invocation/cgroup-folder.js';

const user = '/user.slice/user-1000.slice/user@1000.service/app.slice/term.scope';
const plain = '25 20 0:22 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n';
const hybrid = [
  '30 25 0:26 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids',
  '41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw',
].join('\n');

it.each([
  ['of a user', plain, `0::${user}\n`, `/sys/fs/cgroup${user}`],
  ['beside version 1', hybrid, '9:name=systemd:/x\n8:pids:/y\n0::/z\n', '/sys/fs/cgroup/unified/z'],
  ['at the root', plain, '0::/\n', '/sys/fs/cgroup'],
  ['of another server', plain, '0::/a/toolgraph-7\n', '/sys/fs/cgroup/a'],
  ['of a unit with such a name', plain, '0::/a/toolgraph-web.service\n', '/sys/fs/cgroup/a/toolgraph-web.service'],
  ['of which a part is mounted', '1 2 0:22 /a /mnt/c\\040d rw - cgroup2 none rw\n', '0::/a/b\n', '/mnt/c d/b'],
  ['outside of what is mounted', '1 2 0:22 /a /mnt rw - cgroup2 none rw\n', '0::/ab\n', undefined],
  ['outside of its namespace', plain, '0::/../x\n', undefined],
  ['of version 1 only', '30 25 0:26 / /sys/fs/cgroup/pids rw - cgroup cgroup rw\n', '8:pids:/y\n', undefined],
  ['that is not mounted', '', '0::/\n', undefined],
])('finds the control group %s', (_, mountinfo, membership, folder) => {
  expect(cgroupFolder(mountinfo, membership)).toBe(folder);
});

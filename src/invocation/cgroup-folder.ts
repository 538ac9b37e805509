import { posix } from 'node:path';

/** Beginning of the names of control groups that servers make for themselves. */
export const ownCgroupPrefix = 'toolgraph-';

/**
 * The folder of the control group (version 2) of this process in which groups for itself belong: its own group, or the parent of that where
 * another server has made it. Undefined where the host has none, or it cannot be seen from here. `mountinfo` and `membership` are
 * /proc/self/mountinfo and /proc/self/cgroup (proc_pid_mountinfo(5), cgroups(7)). Pure.
 */
export function cgroupFolder(mountinfo: string, membership: string): string | undefined {
  const group = /^0::(\/.*)$/m.exec(membership)?.[1];
  if (group === undefined || group.split('/').includes('..')) return undefined;
  const base = ownCgroupOwner(posix.basename(group)) === undefined ? group : posix.dirname(group);
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    if (!after.startsWith('cgroup2 ')) continue;
    const [, , , root = '', mountPoint = ''] = before.split(' ').map(unescaped);
    const inside = posix.relative(root, base);
    if (inside !== '..' && !inside.startsWith('../')) return posix.join(mountPoint, inside);
  }
  return undefined;
}

/** The id of the server that has made a control group with this name for itself; undefined of any other, also `toolgraph-web.service`. Pure. */
export function ownCgroupOwner(name: string): number | undefined {
  const digits = name.startsWith(ownCgroupPrefix) ? name.slice(ownCgroupPrefix.length) : '';
  return /^\d{1,10}$/.test(digits) ? Number(digits) : undefined;
}

/** Space, tab, newline and backslash are octal there. */
function unescaped(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Tells a living process from any other that has had, or will have, the same id: when it started, on Linux with the boot and the
 * namespace of the id. Undefined when there is none, or only a zombie.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? linuxIdentity(pid) : psIdentity(pid);
}

/** The same of a child of this process, also when it has ended already: it keeps its id until this process has heard of the end. */
export async function childIdentity(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? linuxIdentity(pid, true) : psIdentity(pid, true);
}

/**
 * Whether the process that had this identity has certainly gone. Not certain, so false, of one in another namespace of process ids on
 * this boot, such as a sandbox: its id means another process here.
 */
export async function isGone(pid: number, identity: string): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true;
  if (process.platform === 'linux') {
    const [boot, ...namespace] = linuxBoot().split(' ');
    const [thatBoot, ...rest] = identity.split(' ');
    if (thatBoot === boot && rest.slice(0, -1).join(' ') !== namespace.join(' ')) return false;
  }
  return (await processIdentity(pid)) !== identity;
}

// Without waiting: a service that is killed right after a start must have noted what it started.
function linuxIdentity(pid: number, isChild = false): string | undefined {
  try {
    const start = parseProcStart(readFileSync(`/proc/${pid}/stat`, 'latin1'), isChild);
    return start === undefined ? undefined : `${linuxBoot()} ${start}`;
  } catch {
    return undefined;
  }
}

let boot: string | undefined;

function linuxBoot(): string {
  boot ??= `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  return boot;
}

/** proc_pid_stat(5): field 22, in clock ticks since the boot. Undefined of a process that only waits to be reaped, unless it is a child. Pure. */
export function parseProcStart(stat: string, isChild = false): string | undefined {
  // The name, field 2, may hold spaces and parentheses.
  const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return /^[ZX]/.test(state) && !(isChild && state === 'Z') ? undefined : fields[18];
}

async function psIdentity(pid: number, isChild = false): Promise<string | undefined> {
  const { execa } = await import('execa');
  const { stdout } = await execa('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    reject: false,
    env: { LC_ALL: 'C', TZ: 'UTC' },
  });
  return parsePsStart(stdout ?? '', isChild);
}

/** A line of `ps -o stat=,lstart=`. Pure. */
export function parsePsStart(line: string, isChild = false): string | undefined {
  const [state = '', ...start] = line.trim().split(/\s+/);
  return start.length === 0 || (state.startsWith('Z') && !isChild) ? undefined : start.join(' ');
}

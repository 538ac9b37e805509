import { readdir, readFile } from 'node:fs/promises';

/** One living process. */
export interface ProcessLine {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/** The look that has not begun yet: all who ask before it does share it, and none sees what was before it asked. */
let upcoming: Promise<ProcessLine[]> | undefined;
let latest: Promise<unknown> = Promise.resolve();

/**
 * All living processes that can be seen. Zombies, which only wait to be reaped, are left out. One look at a time: hundreds of
 * calls that end together would else open the files of every process at once, until no descriptor is left.
 */
export function listProcesses(): Promise<ProcessLine[]> {
  if (upcoming === undefined) {
    upcoming = latest.then(() => {
      upcoming = undefined;
      // Slim Linux images have no ps, but always /proc.
      return process.platform === 'linux' ? linuxProcesses() : psProcesses();
    });
    latest = upcoming.catch(() => {});
  }
  return upcoming;
}

/** Files of /proc that are open at once. */
const openAtOnce = 64;

async function linuxProcesses(): Promise<ProcessLine[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const lines: ProcessLine[] = [];
  for (let start = 0; start < pids.length; start += openAtOnce) {
    const some = pids.slice(start, start + openAtOnce);
    // A process may end between the two reads: then its file is gone.
    const stats = await Promise.all(some.map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')));
    lines.push(...stats.flatMap((stat) => parseProcStat(stat) ?? []));
  }
  return lines;
}

/** proc_pid_stat(5): `pid (name) state parent group …`; the name may hold spaces and parentheses. */
export function parseProcStat(stat: string): ProcessLine | undefined {
  const match = /^(\d+) \(.*\) (\S) (\d+) (\d+) /s.exec(stat);
  if (match === null || match[2] === 'Z') return undefined;
  return { pid: Number(match[1]), parent: Number(match[3]), group: Number(match[4]) };
}

async function psProcesses(): Promise<ProcessLine[]> {
  const { execa } = await import('execa');
  const { stdout } = await execa('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], { reject: false });
  return parsePs(stdout ?? '');
}

/** Lines of `ps -A -o pid=,ppid=,pgid=,stat=` (POSIX). */
export function parsePs(table: string): ProcessLine[] {
  return table.split('\n').flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (state === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group) }];
  });
}

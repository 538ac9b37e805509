import { readdir, readFile } from 'node:fs/promises';

/** One living process. */
export interface ProcessLine {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/** All living processes that can be seen. Zombies, which only wait to be reaped, are left out. */
export async function listProcesses(): Promise<ProcessLine[]> {
  // Slim Linux images have no ps, but always /proc.
  return process.platform === 'linux' ? linuxProcesses() : psProcesses();
}

async function linuxProcesses(): Promise<ProcessLine[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  // A process may end between the two reads: then its file is gone.
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')));
  return stats.flatMap((stat) => parseProcStat(stat) ?? []);
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

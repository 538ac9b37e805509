/** One living process, as proc_pid_stat(5) tells of it. */
export interface FoundProcess {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  readonly group: number;
  /** In clock ticks since the boot. */
  readonly start: number;
}

/** Undefined of a process that only waits to be reaped, or of what is no such text. Pure. */
export function foundProcess(stat: string): FoundProcess | undefined {
  const match = /^(\d+) \((.*)\) ([A-Za-z]) (.*)/s.exec(stat);
  if (match === null || match[3] === 'Z' || match[3] === 'X') return undefined;
  const fields = (match[4] ?? '').split(' ');
  const [parent, group, start] = [fields[0], fields[1], fields[18]].map(Number);
  if (parent === undefined || group === undefined || start === undefined || Number.isNaN(start)) return undefined;
  return { pid: Number(match[1]), name: match[2] ?? '', parent, group, start };
}

/** What container engines leave running to watch over a container, to clean up behind it and for its network: none of it is of a tool. */
const engineNames: ReadonlySet<string> = new Set([
  ...['conmon', 'podman', 'docker', 'crun', 'runc', 'catatonit', 'rootlessport', 'slirp4netns', 'pasta', 'pasta.avx2'],
  ...['aardvark-dns', 'netavark', 'fuse-overlayfs'],
]);

/**
 * Those of the processes that stem from this one, `self`, and have neither a living parent among them nor the group of a process that runs
 * for a call (`leaders`): they were left behind. Pure.
 */
export function orphansOf(
  processes: readonly FoundProcess[],
  { self, leaders }: { readonly self: number; readonly leaders: ReadonlySet<number> },
): FoundProcess[] {
  const byId = new Map(processes.map((found) => [found.pid, found]));
  const isOrphan = (found: FoundProcess): boolean => {
    const met = new Set<number>();
    for (let next: FoundProcess | undefined = found; next !== undefined; next = byId.get(next.parent)) {
      if (leaders.has(next.group) || next.parent === self || engineNames.has(next.name)) return false;
      if (met.has(next.pid)) return false;
      met.add(next.pid);
    }
    return true;
  };
  return processes.filter(isOrphan);
}

import { readdirSync, readlinkSync } from 'node:fs';

/** What the standard output and error of a process are, as /proc names them; nothing where that cannot be seen. */
export function outputsOf(pid: number): readonly string[] {
  if (process.platform !== 'linux') return [];
  return [1, 2].flatMap((descriptor) => linkOf(`/proc/${pid}/fd/${descriptor}`) ?? []);
}

/** Ids of the processes of this user, but not this one, that have one of these open, sorted. Looks at every process. */
export function holdersOf(outputs: readonly string[]): number[] {
  const sockets = new Set(outputs.filter((output) => /^(?:socket|pipe):/.test(output)));
  if (sockets.size === 0) return [];
  const pids = entriesOf('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const holders = pids.filter((pid) =>
    entriesOf(`/proc/${pid}/fd`).some((descriptor) => sockets.has(linkOf(`/proc/${pid}/fd/${descriptor}`) ?? '')),
  );
  return holders.map(Number).sort((a, b) => a - b);
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

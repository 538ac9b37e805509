import { readdirSync, readFileSync } from 'node:fs';

/** One living process of a soak. */
export interface MarkedProcess {
  readonly pid: number;
  readonly argv: readonly string[];
}

/**
 * All living processes in whose environment `name` has this value, from `/proc` (proc(5)). A program hands its environment on to what it
 * starts, so whatever stems from a server that was started with it is found, also what has left its process group and lost its parent.
 */
export function markedProcesses(name: string, value: string): MarkedProcess[] {
  const mark = `${name}=${value}`;
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      if (!wordsIn(`/proc/${entry}/environ`).includes(mark)) return [];
      return [{ pid: Number(entry), argv: wordsIn(`/proc/${entry}/cmdline`) }];
    } catch {
      // It has ended meanwhile, or is of another user.
      return [];
    }
  });
}

function wordsIn(file: string): string[] {
  return readFileSync(file, 'utf8').split('\0').slice(0, -1);
}

import { readdirSync, readFileSync } from 'node:fs';

/** What a process holds at one moment. */
export interface ProcessFigures {
  /** All resident memory, with the mapped pages of the stores, in MiB. */
  readonly rssMiB: number;
  /** The part that is no mapped file: where a leak would be, in MiB. */
  readonly anonymousMiB: number;
  readonly descriptors: number;
}

/** Reads `/proc` (proc(5)), which only Linux has. */
export function processFigures(pid: number): ProcessFigures {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = (key: string): number => Number(new RegExp(`^${key}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
  return {
    rssMiB: kibibytes('VmRSS') / 1024,
    anonymousMiB: kibibytes('RssAnon') / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

import type { MadeCall } from './call-ledger.js';
import { callOfSleeper } from './called-tools.js';
import type { MarkedProcess } from './marked-processes.js';

/** What still runs when no call does. */
export interface LeftProcesses {
  /** Nobody was told of them. */
  readonly orphans: readonly MarkedProcess[];
  /** An answer, or a server on its stderr, named them: they have left the group of their call, which nothing reaches. */
  readonly reported: readonly MarkedProcess[];
  /** Daemons of a call without an answer in which they could be named, where no control group holds them. */
  readonly untold: readonly MarkedProcess[];
}

/** Tells apart what is left of calls that are over. `named` are process ids that stand on the stderr of a server. Pure. */
export function judgeLeft(
  left: readonly MarkedProcess[],
  calls: readonly MadeCall[],
  named: ReadonlySet<number>,
): LeftProcesses {
  const told = new Set([...named, ...calls.flatMap(survivorsOf)]);
  const byNumber = new Map(calls.map((call) => [call.n, call]));
  const judged = { orphans: [], reported: [], untold: [] } as Record<keyof LeftProcesses, MarkedProcess[]>;
  for (const process of left) {
    const call = byNumber.get(callOfSleeper(process.argv) ?? Number.NaN);
    if (told.has(process.pid)) judged.reported.push(process);
    else if (call?.fault.name === 'daemon' && call.fate.kind !== 'answered') judged.untold.push(process);
    else judged.orphans.push(process);
  }
  return judged;
}

/** Ids in the details of an error. */
function survivorsOf({ fate }: MadeCall): number[] {
  if (fate.kind !== 'answered' || fate.end !== 'timeout') return [];
  const { details } = JSON.parse(fate.text) as { readonly details?: { readonly survivors?: readonly number[] } };
  return [...(details?.survivors ?? [])];
}

/** Whole numbers in what a server says. Pure. */
export function numbersIn(text: string): number[] {
  return (text.match(/\b\d+\b/g) ?? []).map(Number);
}

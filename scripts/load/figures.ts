import { median, percentile } from '../bench/statistics.js';
import { eras } from '../protocol-era.js';
import type { ServerFigures } from '../soak/server-meter.js';
import { acts } from './load-client.js';
import type { LoadOutcome, TimedAct } from './run.js';

/**
 * What a server may hold more after the load than after the warm-up. What is in use of the heap tells of each object that is kept. In the other
 * is also what SQLite keeps of the records that calls write, 16 MiB, and what the allocator keeps for the next crowd of requests.
 */
const allowedHeapMiB = 4;
const allowedAnonymousMiB = 32;
/** Descriptors may differ by one that is just being opened. */
const allowedDescriptors = 2;

export interface ActFigures {
  readonly era: string;
  readonly act: string;
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** As a multiple of those of the pings of the same era, in the same run. */
  readonly p50OfPing: number;
  readonly p99OfPing: number;
}

export interface LoadFigures extends Omit<LoadOutcome, 'acts' | 'toldMs'> {
  readonly seed: number;
  readonly acts: readonly ActFigures[];
  readonly toldMs: { readonly median: number; readonly highest: number };
  readonly isRight: boolean;
}

/** What is to be printed of a load, and whether all of it is right: how long things took is told, and not judged. Pure. */
export function loadFigures(seed: number, outcome: LoadOutcome): LoadFigures {
  const { lost, doubled, tornLists, errors, rounds, lists, before, after, toldMs } = outcome;
  const isSilent = rounds === 0 || lists === 0;
  return {
    ...outcome,
    seed,
    acts: actFigures(outcome.acts),
    toldMs: { median: toldMs.length === 0 ? 0 : median(toldMs), highest: Math.max(0, ...toldMs) },
    isRight: !isSilent && lost + doubled + tornLists + errors === 0 && hasReturned(before, after),
  };
}

function hasReturned(before: ServerFigures, after: ServerFigures): boolean {
  return (
    after.heapMiB - before.heapMiB <= allowedHeapMiB &&
    after.anonymousMiB - before.anonymousMiB <= allowedAnonymousMiB &&
    after.descriptors - before.descriptors <= allowedDescriptors
  );
}

function actFigures(timed: readonly TimedAct[]): ActFigures[] {
  const of = (era: string, act: string) => timed.find((one) => one.era === era && one.act === act)?.ms ?? [];
  return eras.flatMap((era) => {
    const ping = of(era, 'ping');
    return acts.flatMap((act) => {
      const ms = of(era, act);
      if (ms.length === 0 || ping.length === 0) return [];
      const [p50Ms, p99Ms] = [percentile(ms, 0.5), percentile(ms, 0.99)];
      const [p50OfPing, p99OfPing] = [p50Ms / percentile(ping, 0.5), p99Ms / percentile(ping, 0.99)];
      return [{ era, act, count: ms.length, p50Ms, p99Ms, p50OfPing, p99OfPing }];
    });
  });
}

export function renderLoad(figures: LoadFigures): string {
  const { seed, clients, seconds, rounds, silentRounds, reopened, notifications, toldMs, fresh, before, after } =
    figures;
  return [
    `seed ${seed}: ${clients} clients, half of each era, for ${seconds.toFixed(0)} s; ${reopened} left and came again`,
    `${rounds} changes of the list and ${silentRounds} of the graph only: ${notifications} notifications, lost ${figures.lost}, doubled or false ${figures.doubled}`,
    `from a change until the last client is told: median ${toldMs.median.toFixed(0)} ms, most ${toldMs.highest.toFixed(0)} ms`,
    `${figures.lists} lists, of which not whole ${figures.tornLists}; errors ${figures.errors}`,
    'in ms, and as a multiple of the pings of the same era (in 2026-07-28, which has no ping: server/discover):',
    ...figures.acts.map(actLine),
    `without clients, garbage collected: ${heldWords('just begun', fresh)}; ${heldWords('after the warm-up', before)}; ${heldWords('after the load', after)}`,
    `memory and descriptors are back: at most ${allowedHeapMiB} MiB of the heap, ${allowedAnonymousMiB} MiB of anonymous memory and ${allowedDescriptors} descriptors more than after the warm-up`,
    figures.isRight ? 'all right' : 'NOT right',
  ].join('\n');
}

function actLine({ era, act, count, p50Ms, p99Ms, p50OfPing, p99OfPing }: ActFigures): string {
  const times = `p50 ${p50Ms.toFixed(1)} (${p50OfPing.toFixed(1)} x), p99 ${p99Ms.toFixed(1)} (${p99OfPing.toFixed(1)} x)`;
  return `  ${era} ${act.padEnd(14)} ${times}, of ${count}`;
}

function heldWords(when: string, { heapMiB, anonymousMiB, rssMiB, descriptors }: ServerFigures): string {
  return `${when} heap ${heapMiB.toFixed(1)}, anonymous ${anonymousMiB.toFixed(1)}, resident ${rssMiB.toFixed(1)} MiB, ${descriptors} descriptors`;
}

import { median } from '../bench/statistics.js';
import { line, type Trend, trend } from '../soak/flatness.js';
import type { CallClientFigures, CallSoakOutcome } from './run.js';

/**
 * What the middle of the last third of the samples may be above the most of the first third, in MiB. The heap in use after a collection
 * tells a leak: it comes to 28 MiB in the first 1,000 calls, and a MiB and a half is added by 5,000. No line is laid through the memory of the
 * process: the engine holds 34 to 65 MiB for a heap of 30, gives tens of them back at once after a minute or two, and takes them again, so
 * that alone moves it by 20. It still tells what leaks outside of the heap.
 */
const allowedHeapMiB = 4;
const allowedMiB = 20;
/** Descriptors may differ by one that is just being opened; each lasting rise is a leak. */
const allowedDescriptors = 2;
/** Of fewer samples the line says nothing, so growth is not judged. */
const leastSamples = 10;

export interface CallSoakFigures extends Omit<CallSoakOutcome, 'faults' | 'clients' | 'ends'> {
  readonly seed: number;
  readonly ends: { readonly [end: string]: number };
  readonly lost: number;
  readonly doubled: number;
  readonly unended: number;
  readonly wrong: number;
  readonly unexpected: number;
  readonly clients: readonly (CallClientFigures & Partial<Trends>)[];
  readonly isGrowthJudged: boolean;
  readonly isRight: boolean;
}

/** Memory over the samples, in MiB. */
interface Plateau {
  readonly first: number;
  readonly last: number;
  /** Of the first third. */
  readonly highestEarly: number;
  /** Of the last third. */
  readonly medianLate: number;
  readonly isFlat: boolean;
}

interface Trends {
  readonly heapMiB: Plateau;
  readonly anonymousMiB: Plateau;
  readonly descriptors: Trend;
}

/** What is to be printed of a soak of calls, and whether all of it is right. Pure. */
export function callSoakFigures(seed: number, outcome: CallSoakOutcome): CallSoakFigures {
  const { faults, clients, ends, ...others } = outcome;
  const counts = {
    lost: faults.lost.length,
    doubled: faults.doubled.length,
    unended: faults.unended.length,
    wrong: faults.wrong.length,
    unexpected: faults.unexpected.length,
  };
  const { orphans, stuckServers, leftFiles } = outcome;
  const bad = Object.values(counts).reduce((sum, count) => sum + count, orphans + stuckServers + leftFiles);
  const judged = clients.map(trends);
  const isGrowthJudged = clients.some(({ samples }) => samples.length >= leastSamples);
  const isFlat = judged.every(
    ({ heapMiB, anonymousMiB, descriptors }) =>
      heapMiB?.isFlat !== false && anonymousMiB?.isFlat !== false && descriptors?.isFlat !== false,
  );
  return {
    ...{ seed, ...others, ...counts, clients: judged },
    ends: Object.fromEntries([...ends].sort(([, a], [, b]) => b - a)),
    isGrowthJudged,
    isRight: outcome.calls > 0 && bad === 0 && (isFlat || !isGrowthJudged),
  };
}

export function renderCallFigures(figures: CallSoakFigures): string {
  const { seed, calls, seconds, clients, ends, records, lost, doubled, unended, wrong, unexpected } = figures;
  const { interrupted, orphans, reportedSurvivors, untoldSurvivors, stuckServers, leftFiles, isGrowthJudged, isRight } =
    figures;
  const ended = Object.entries(ends).map(([end, count]) => `${end} ${count}`);
  return [
    `seed ${seed}: ${calls} calls in ${seconds.toFixed(0)} s, ${clients.length} clients with a server each, all on one instance`,
    `ended: ${ended.join(', ')}`,
    `records ${records}: lost ${lost}, doubled ${doubled}, without an end ${unended}, other than the answer ${wrong}; interrupted with their server ${interrupted}`,
    `answers that the call cannot have ${unexpected}`,
    `processes left: orphans ${orphans}; beyond reach and reported ${reportedSurvivors}, of a call without an answer ${untoldSurvivors}`,
    `servers that outlived their client ${stuckServers}, files left in the temporary folder ${leftFiles}`,
    ...clients.flatMap(({ client, deaths, heapMiB, anonymousMiB, descriptors }) =>
      heapMiB === undefined || anonymousMiB === undefined || descriptors === undefined
        ? [`${client}: it or its server was killed ${deaths} times`]
        : [
            `${client}`,
            `  heap in use ${plateauLine(heapMiB)}`,
            `  memory (anonymous) ${plateauLine(anonymousMiB)}`,
            `  descriptors ${line(descriptors, '')}`,
          ],
    ),
    `flat: of the samples, each at rest and after a collection of garbage, the median of the last third is above the most of the first by at most ${allowedHeapMiB} MiB of heap and ${allowedMiB} MiB of memory; the least-squares line after the first third rises by at most ${allowedDescriptors} descriptors`,
    ...(isGrowthJudged ? [] : [`growth is not judged: fewer than ${leastSamples} samples, one for each 200 calls`]),
    isRight ? 'all right' : 'NOT right',
  ].join('\n');
}

function trends({ client, deaths, samples }: CallClientFigures) {
  if (samples.length === 0) return { client, deaths, samples };
  const descriptors = samples.map((sample) => sample.descriptors);
  return {
    client,
    deaths,
    samples,
    heapMiB: plateau(
      samples.map(({ heapMiB }) => heapMiB),
      allowedHeapMiB,
    ),
    anonymousMiB: plateau(
      samples.map(({ anonymousMiB }) => anonymousMiB),
      allowedMiB,
    ),
    descriptors: trend(descriptors, allowedDescriptors),
  };
}

function plateau(samples: readonly number[], allowed: number): Plateau {
  const third = Math.ceil(samples.length / 3);
  const highestEarly = Math.max(...samples.slice(0, third));
  const medianLate = median(samples.slice(-third));
  const [first = Number.NaN, last = Number.NaN] = [samples[0], samples.at(-1)];
  return { first, last, highestEarly, medianLate, isFlat: medianLate <= highestEarly + allowed };
}

function plateauLine({ first, last, highestEarly, medianLate, isFlat }: Plateau): string {
  const [from, to, early, late] = [first, last, highestEarly, medianLate].map((value) => value.toFixed(1));
  return `first ${from}, last ${to}, most of the first third ${early}, median of the last ${late} MiB: ${isFlat ? 'flat' : 'NOT flat'}`;
}

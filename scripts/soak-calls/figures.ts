import { line, type Trend, trend } from '../soak/flatness.js';
import type { CallClientFigures, CallSoakOutcome } from './run.js';

/** What a server may grow by after its warm-up. */
const allowedMiB = 8;
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

interface Trends {
  readonly anonymousMiB: Trend;
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
    ({ anonymousMiB, descriptors }) => anonymousMiB?.isFlat !== false && descriptors?.isFlat !== false,
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
    ...clients.flatMap(({ client, deaths, anonymousMiB, descriptors }) =>
      anonymousMiB === undefined || descriptors === undefined
        ? [`${client}: it or its server was killed ${deaths} times`]
        : [`${client}`, `  memory (anonymous) ${line(anonymousMiB, 'MiB')}`, `  descriptors ${line(descriptors, '')}`],
    ),
    `flat: the least-squares line through the samples after the first third, each at rest and after a collection of garbage, rises by at most ${allowedMiB} MiB, and ${allowedDescriptors} descriptors`,
    ...(isGrowthJudged ? [] : [`growth is not judged: fewer than ${leastSamples} samples, one for each 200 calls`]),
    isRight ? 'all right' : 'NOT right',
  ].join('\n');
}

function trends({ client, deaths, samples }: CallClientFigures) {
  if (samples.length === 0) return { client, deaths, samples };
  const of = (key: 'anonymousMiB' | 'descriptors', allowed: number): Trend =>
    trend(
      samples.map((sample) => sample[key]),
      allowed,
    );
  return {
    client,
    deaths,
    samples,
    anonymousMiB: of('anonymousMiB', allowedMiB),
    descriptors: of('descriptors', allowedDescriptors),
  };
}

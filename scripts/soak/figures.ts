import { median } from '../bench/statistics.js';
import { line, type Trend, trend } from './flatness.js';
import type { ClientFigures, Latency, SoakOutcome } from './run.js';

/** What a server may grow by after its warm-up: the number of nodes goes up and down by hundreds, at tens of KiB each. */
const allowedMiB = 8;
/** Descriptors may differ by one that is just being opened; each lasting rise is a leak. */
const allowedDescriptors = 2;

export interface SoakFigures {
  readonly seed: number;
  readonly bursts: number;
  readonly edits: number;
  readonly differences: number;
  readonly digestSplits: number;
  readonly lost: number;
  readonly doubled: number;
  readonly latencyMs: { readonly median: number; readonly highest: number; readonly highestAfter: string };
  readonly clients: readonly ClientTrends[];
  readonly isRight: boolean;
}

interface ClientTrends extends ClientFigures {
  readonly rssMiB: Trend;
  readonly anonymousMiB: Trend;
  readonly descriptors: Trend;
}

/** What is to be printed of a soak, and whether all of it is right. Pure. */
export function soakFigures(seed: number, outcome: SoakOutcome): SoakFigures {
  const { bursts, edits, differences, digestSplits, latencies } = outcome;
  const clients = outcome.clients.map(trends);
  const lost = sum(clients.map((client) => client.lost));
  const doubled = sum(clients.map((client) => client.doubled));
  const isFlat = clients.every(({ anonymousMiB, descriptors }) => anonymousMiB.isFlat && descriptors.isFlat);
  return {
    ...{ seed, bursts, edits, differences, digestSplits, lost, doubled, clients },
    latencyMs: summary(latencies),
    isRight: bursts > 0 && differences + digestSplits + lost + doubled === 0 && isFlat,
  };
}

export function renderFigures(figures: SoakFigures): string {
  const { seed, bursts, edits, differences, digestSplits, lost, doubled, latencyMs, clients, isRight } = figures;
  return [
    `seed ${seed}: ${bursts} bursts, ${edits} edits, ${clients.length} servers with a client each`,
    `differences ${differences}, split digests ${digestSplits}, notifications lost ${lost}, doubled or false ${doubled}`,
    `from the end of a burst until every client sees it: median ${latencyMs.median.toFixed(0)} ms, most ${latencyMs.highest.toFixed(0)} ms (${latencyMs.highestAfter})`,
    ...clients.flatMap((client) => [
      `${client.client}: ${client.notifications} notifications`,
      `  memory (anonymous) ${line(client.anonymousMiB, 'MiB')}; with mapped files ${client.rssMiB.last.toFixed(1)} MiB`,
      `  descriptors ${line(client.descriptors, '')}`,
    ]),
    `flat: the least-squares line through the samples after the first third, each after a collection of garbage, rises by at most ${allowedMiB} MiB, and ${allowedDescriptors} descriptors`,
    isRight ? 'all right' : 'NOT right',
  ].join('\n');
}

function summary(latencies: readonly Latency[]): SoakFigures['latencyMs'] {
  const ordered = [...latencies].sort((a, b) => b.ms - a.ms);
  const [highest = { burst: 'no burst changed the list', ms: 0 }] = ordered;
  const middle = ordered.length === 0 ? 0 : median(ordered.map(({ ms }) => ms));
  return { median: middle, highest: highest.ms, highestAfter: highest.burst };
}

function trends(client: ClientFigures): ClientTrends {
  const { samples } = client;
  return {
    ...client,
    rssMiB: trend(
      samples.map(({ rssMiB }) => rssMiB),
      allowedMiB,
    ),
    anonymousMiB: trend(
      samples.map(({ anonymousMiB }) => anonymousMiB),
      allowedMiB,
    ),
    descriptors: trend(
      samples.map(({ descriptors }) => descriptors),
      allowedDescriptors,
    ),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

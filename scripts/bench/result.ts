import { z } from 'zod';
import { median } from './statistics.js';

const SeriesSchema = z.strictObject({
  what: z.string(),
  /** Median of `runs`. */
  median: z.number(),
  /** One value a run, in the order of the runs. */
  runs: z.array(z.number()).min(1),
});

/** One thing that was measured, and what it is compared with, measured in the same rounds. */
const RowSchema = SeriesSchema.extend({
  id: z.string(),
  section: z.enum(['ingest', 'notification', 'list', 'call', 'lookup', 'query', 'prover', 'memory', 'http']),
  /** Size of the instance in nodes. */
  nodes: z.int().optional(),
  unit: z.enum(['ms', 'MiB', 'KiB']),
  peer: SeriesSchema.optional(),
  /** `median` divided by the peer's. */
  ratio: z.number().optional(),
});

/** What `npm run bench` writes: docs/performance.json is one, and docs/performance.md is made from it. */
export const BenchResultSchema = z.strictObject({
  /** ISO 8601. */
  date: z.string(),
  /** Of the checkout; `-dirty` is added when files differ from it. */
  commit: z.string(),
  /** A trial of the scripts with few runs: no measurement. */
  quick: z.boolean(),
  durationSeconds: z.number(),
  settings: z.strictObject({
    rounds: z.int(),
    editsPerRun: z.int(),
    sizes: z.array(z.int()),
    /** Of the graph of the lookups. */
    quads: z.int().optional(),
    seed: z.int(),
  }),
  machine: z.strictObject({
    node: z.string(),
    os: z.string(),
    cpu: z.string(),
    cores: z.int(),
    memoryGiB: z.number(),
    /** One-minute load averages before and after. */
    load: z.tuple([z.number(), z.number()]),
  }),
  /** Of the dependencies that are installed. */
  versions: z.record(z.string(), z.string()),
  rows: z.array(RowSchema),
});

export type BenchResult = z.output<typeof BenchResultSchema>;
export type BenchRow = z.output<typeof RowSchema>;
export type Settings = BenchResult['settings'];

/** A row whose medians and ratio are computed from the runs. */
export function benchRow(
  head: Pick<BenchRow, 'id' | 'section' | 'what' | 'nodes' | 'unit'>,
  runs: readonly number[],
  peer?: { readonly what: string; readonly runs: readonly number[] },
): BenchRow {
  const row = { ...head, median: rounded(median(runs)), runs: runs.map(rounded) };
  if (peer === undefined) return row;
  const of = median(peer.runs);
  return {
    ...row,
    peer: { what: peer.what, median: rounded(of), runs: peer.runs.map(rounded) },
    ratio: rounded(median(runs) / of),
  };
}

/** To four significant digits: more say nothing. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

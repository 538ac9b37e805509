import { z } from 'zod';
import { callLimits } from './tool.js';

/** Each process takes some four descriptors of the service, and one that gets none cannot be started. */
const ConcurrentCalls = z.int().min(1).max(128).optional();

/** `limits` of the config: what a call may take where its node does not say it, and what all of an instance may. */
export const LimitsSchema = z.strictObject({
  timeoutMs: callLimits.timeoutMs.meta({
    description: 'Time for a call, in ms, where the node states none',
    default: 60_000,
    examples: [300_000],
  }),
  outputBytes: callLimits.outputBytes.meta({
    description: 'Bytes of output that a call gives back, where the node states none; the rest is cut',
    default: 1_048_576,
    examples: [65_536],
  }),
  documentBytes: z
    .int()
    .min(1024)
    .max(268_435_456)
    .optional()
    .meta({
      description: 'Bytes of the largest document that is read',
      default: 4_194_304,
      examples: [67_108_864],
    }),
  documents: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .meta({ description: 'Documents that are read in all', default: 100_000, examples: [1000] }),
  records: z
    .int()
    .min(1)
    .max(100_000_000)
    .optional()
    .meta({
      description: 'Records of calls that are kept; the oldest are dropped first (docs/records.md)',
      default: 100_000,
      examples: [10_000],
    }),
  recordDays: z
    .int()
    .min(1)
    .max(36_500)
    .optional()
    .meta({ description: 'Days for which a record of a call is kept', default: 365, examples: [90] }),
  historyRevisions: z
    .int()
    .min(0)
    .max(100_000_000)
    .optional()
    .meta({
      description:
        'Past revisions of nodes, and as many past versions of documents and parts of generations, that are kept; the oldest are dropped first (docs/provenance.md)',
      default: 100_000,
      examples: [10_000],
    }),
  historyDays: z
    .int()
    .min(1)
    .max(36_500)
    .optional()
    .meta({ description: 'Days for which they are kept', default: 365, examples: [90] }),
  concurrentCalls: ConcurrentCalls.meta({
    description: 'Calls that run at once, of all tools; others wait. Their time begins when they run',
    default: 32,
    examples: [8],
  }),
  concurrentCallsPerTool: ConcurrentCalls.meta({
    description: 'Calls of one tool that run at once',
    default: 16,
    examples: [1],
  }),
  waitingCalls: z
    .int()
    .min(0)
    .max(100_000)
    .optional()
    .meta({
      description: 'Calls that wait, at most half of them for one tool. What comes then is refused as busy',
      default: 512,
      examples: [64],
    }),
  keptOutputs: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .meta({
      description:
        'Outputs beyond outputBytes that are kept, to be read as resources; the oldest go first (docs/calls.md)',
      default: 16,
      examples: [0],
    }),
  keptOutputBytes: z
    .int()
    .min(4096)
    .max(1_073_741_824)
    .optional()
    .meta({
      description: 'Bytes of all kept outputs together; one has at most a quarter',
      default: 268_435_456,
      examples: [33_554_432],
    }),
  keptOutputMinutes: z
    .int()
    .min(1)
    .max(10_080)
    .optional()
    .meta({ description: 'Minutes for which an output is kept', default: 60, examples: [10] }),
  queryMs: z
    .int()
    .min(1)
    .max(3_600_000)
    .optional()
    .meta({
      description: 'Time for a query of the graph, in ms, without what it waits (docs/query.md)',
      default: 10_000,
      examples: [60_000],
    }),
  queryRows: z
    .int()
    .min(1)
    .max(10_000_000)
    .optional()
    .meta({
      description: 'Rows of the results of a query, or triples. One that has more is refused',
      default: 100_000,
      examples: [1000],
    }),
  queryMegabytes: z
    .int()
    .min(64)
    .max(4096)
    .optional()
    .meta({
      description: 'Memory for the graph and what a query computes, in MiB: a million quads take some 700',
      default: 1024,
      examples: [2048],
    }),
  waitingQueries: z
    .int()
    .min(0)
    .max(10_000)
    .optional()
    .meta({
      description: 'Queries that wait while another runs. What comes then is refused as busy',
      default: 64,
      examples: [8],
    }),
});

export type Limits = Readonly<z.output<typeof LimitsSchema>>;

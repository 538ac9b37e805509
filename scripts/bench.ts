import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { jsonFile } from '../src/json-text.js';
import { benchCall } from './bench/call.js';
import { corpus } from './bench/corpus.js';
import { commit, dependencyVersions, load, machine } from './bench/environment.js';
import { benchHttpCall } from './bench/http-call.js';
import { benchHttpList } from './bench/http-list.js';
import { benchInProcess } from './bench/in-process.js';
import { benchIngest } from './bench/ingest.js';
import { InstanceFolder } from './bench/instance-folder.js';
import { benchList } from './bench/list.js';
import { benchLiveEdit } from './bench/live-edit.js';
import { benchLookups } from './bench/lookups.js';
import { benchProver } from './bench/prover.js';
import { benchQueries } from './bench/queries.js';
import { renderReport } from './bench/report.js';
import type { BenchResult, BenchRow } from './bench/result.js';
import { packageRoot } from './package-root.js';

const seed = 20_261_130;
const whole = { rounds: 5, editsPerRun: 60, sizes: [100, 1000, 10_000], quads: 1_000_000, seed };
const quick = { rounds: 2, editsPerRun: 5, sizes: [100, 1000], quads: 20_000, seed };

/** What can be measured for itself. */
const parts = [
  'ingest',
  'notification',
  'list',
  'call',
  'call-in-process',
  'http-list',
  'http-call',
  'lookup',
  'query',
  'prover',
] as const;
type Part = (typeof parts)[number];

interface BenchOptions {
  readonly settings: typeof whole;
  readonly parts: readonly Part[];
}

/** Measures the parts, one after the other, and says on stderr what it is at. */
async function bench(root: string, { settings, parts }: BenchOptions): Promise<BenchRow[]> {
  const cli = join(root, 'dist', 'src', 'cli', 'main.js');
  const { rounds, quads, sizes } = settings;
  const instances: InstanceFolder[] = [];
  try {
    for (const size of sizes) instances.push(new InstanceFolder(corpus(size, seed)));
    const [smallest, largest] = [instances.at(0), instances.at(-1)];
    const thousand = instances.find(({ files }) => files.length === 1000);
    if (smallest === undefined || largest === undefined || thousand === undefined) return [];
    const measurements: Record<Part, () => Promise<BenchRow[]>> = {
      ingest: () => benchIngest(instances, rounds),
      notification: () => benchLiveEdit(cli, instances, settings),
      list: () => benchList(cli, instances, rounds),
      call: () => benchCall(cli, smallest, rounds),
      'call-in-process': () => benchInProcess(cli, smallest, rounds),
      'http-list': () => benchHttpList(cli, thousand, rounds),
      'http-call': () => benchHttpCall(cli, corpus(10, seed), largest.files, rounds),
      lookup: () => benchLookups(quads, seed, rounds),
      query: () => benchQueries(largest, rounds),
      prover: () => benchProver(rounds),
    };
    const rows: BenchRow[] = [];
    for (const part of parts) {
      console.error(`measuring ${part}`);
      rows.push(...(await measurements[part]()));
    }
    return rows;
  } finally {
    for (const instance of instances) instance.remove();
  }
}

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, only: { type: 'string', multiple: true }, out: { type: 'string' } },
});
const only = new Set<string>(values.only ?? parts);
const unknown = [...only].filter((name) => !parts.some((part) => part === name));
if (unknown.length > 0) {
  console.error(`--only ${unknown.join(', ')}: no part of the bench; expected one of ${parts.join(', ')}`);
  process.exit(2);
}
const root = packageRoot(import.meta.url);
const settings = values.quick === true ? quick : whole;
const started = performance.now();
const [before, measuredCommit] = [load(), commit(root)];
const rows = await bench(root, { settings, parts: parts.filter((part) => only.has(part)) });
const result: BenchResult = {
  date: new Date().toISOString(),
  commit: measuredCommit,
  quick: values.quick === true,
  durationSeconds: Math.round((performance.now() - started) / 1000),
  settings,
  machine: { ...machine(), load: [before, load()] },
  versions: dependencyVersions(root),
  rows,
};
const out = resolve(values.out ?? join(root, 'node_modules', '.cache', 'toolgraph', 'bench-result.json'));
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, jsonFile(result));
console.log(renderReport(result));
console.error(`wrote ${out}`);

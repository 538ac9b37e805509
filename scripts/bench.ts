import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { jsonFile } from '../src/json-text.js';
import { benchCall } from './bench/call.js';
import { corpus } from './bench/corpus.js';
import { commit, dependencyVersions, load, machine } from './bench/environment.js';
import { benchInProcess } from './bench/in-process.js';
import { benchIngest } from './bench/ingest.js';
import { InstanceFolder } from './bench/instance-folder.js';
import { benchList } from './bench/list.js';
import { benchLiveEdit } from './bench/live-edit.js';
import { benchProver } from './bench/prover.js';
import { renderReport } from './bench/report.js';
import type { BenchResult, BenchRow, Settings } from './bench/result.js';
import { packageRoot } from './package-root.js';

const seed = 20_261_130;
const whole: Settings = { rounds: 5, editsPerRun: 60, sizes: [100, 1000, 10_000], seed };
const quick: Settings = { rounds: 2, editsPerRun: 5, sizes: [100, 1000], seed };

/** Measures everything, one part after the other, and says on stderr what it is at. */
async function bench(root: string, settings: Settings): Promise<BenchRow[]> {
  const cli = join(root, 'dist', 'src', 'cli', 'main.js');
  const instances: InstanceFolder[] = [];
  try {
    for (const size of settings.sizes) instances.push(new InstanceFolder(corpus(size, seed)));
    const [smallest] = instances;
    if (smallest === undefined) return [];
    const parts: [string, () => Promise<BenchRow[]>][] = [
      ['first ingest, restart and memory', () => benchIngest(instances, settings.rounds)],
      ['write → list_changed', () => benchLiveEdit(cli, instances, settings)],
      ['tools/list', () => benchList(cli, instances, settings.rounds)],
      ['tools/call', () => benchCall(cli, smallest, settings.rounds)],
      ['tools/call of a function', () => benchInProcess(cli, smallest, settings.rounds)],
      ['the argv prover', () => benchProver(settings.rounds)],
    ];
    const rows: BenchRow[] = [];
    for (const [what, measure] of parts) {
      console.error(`measuring ${what}`);
      rows.push(...(await measure()));
    }
    return rows;
  } finally {
    for (const instance of instances) instance.remove();
  }
}

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, out: { type: 'string' } } });
const root = packageRoot(import.meta.url);
const settings = values.quick === true ? quick : whole;
const started = performance.now();
const [before, measuredCommit] = [load(), commit(root)];
const rows = await bench(root, settings);
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

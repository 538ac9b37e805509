import { join } from 'node:path';
import type { InstanceFolder } from './instance-folder.js';
import { measureInProcess } from './measuring-process.js';
import { type BenchRow, benchRow } from './result.js';
import { rotated } from './statistics.js';

/** What one process that reads an instance prints. */
export interface IngestMeasurement {
  readonly importMs: number;
  /** After the imports. */
  readonly readyMs: number;
  readonly rssBytes: number;
  /** Tools, or triples. */
  readonly count: number;
}

const cases = ['jsonld', 'first', 'restart'] as const;
type Case = (typeof cases)[number];
type Runs = Record<Case, IngestMeasurement[]>;

/**
 * First ingest, restart with nothing changed, and plain jsonld over the same files, each in a process of its own. The file cache is
 * warm: everything was read once before the first round.
 */
export async function benchIngest(instances: readonly InstanceFolder[], rounds: number): Promise<BenchRow[]> {
  const measured = instances.map((instance) => ({ instance, runs: { jsonld: [], first: [], restart: [] } as Runs }));
  for (const { instance } of measured) await run('first', instance);
  for (let round = 0; round < rounds; round++) {
    for (const { instance, runs } of rotated(measured, round)) {
      for (const name of rotated(cases, round)) runs[name].push(await run(name, instance));
    }
  }
  return [
    ...measured.flatMap(({ instance, runs }) => ingestRows(instance.files.length, runs)),
    ...importRows(measured.map(({ runs }) => runs)),
    ...memoryRows(measured.map(({ instance, runs }) => ({ nodes: instance.files.length, runs }))),
  ];
}

async function run(name: Case, instance: InstanceFolder): Promise<IngestMeasurement> {
  if (name === 'jsonld') return measureInProcess('plain-jsonld', [join(instance.root, 'graph')]);
  if (name === 'first') instance.dropState();
  const measured = await measureInProcess<IngestMeasurement>('ingest', [instance.root]);
  const { length } = instance.files;
  if (measured.count !== length) throw new Error(`${measured.count} of ${length} nodes were projected`);
  return measured;
}

function ingestRows(nodes: number, { jsonld, first, restart }: Runs): BenchRow[] {
  const plain = { what: 'plain jsonld.toRDF of the same files', runs: jsonld.map(ready) };
  const again = { what: 'first ingest', runs: first.map(ready) };
  const head = { section: 'ingest', nodes, unit: 'ms' } as const;
  return [
    benchRow({ ...head, id: `ingest.first.${nodes}`, what: 'first ingest' }, first.map(ready), plain),
    benchRow({ ...head, id: `ingest.restart.${nodes}`, what: 'restart, nothing changed' }, restart.map(ready), again),
  ];
}

/** Imports do not depend on the size, so the runs of all sizes count. */
function importRows(all: readonly Runs[]): BenchRow[] {
  const head = {
    id: 'ingest.import',
    section: 'ingest',
    what: 'imports: the service with jsonld',
    unit: 'ms',
  } as const;
  const ours = all.flatMap(({ first, restart }) => [...first, ...restart]);
  const plain = all.flatMap(({ jsonld }) => jsonld);
  return [benchRow(head, ours.map(imports), { what: 'import of jsonld alone', runs: plain.map(imports) })];
}

function memoryRows(all: readonly { readonly nodes: number; readonly runs: Runs }[]): BenchRow[] {
  const head = { section: 'memory', unit: 'MiB' } as const;
  const rows = all.flatMap(({ nodes, runs: { jsonld, first, restart } }) => {
    const plain = { what: 'plain jsonld.toRDF of the same files', runs: jsonld.map(mebibytes) };
    const [afterFirst, afterRestart] = [first.map(mebibytes), restart.map(mebibytes)];
    return [
      benchRow({ ...head, nodes, id: `memory.first.${nodes}`, what: 'RSS after first ingest' }, afterFirst, plain),
      benchRow({ ...head, nodes, id: `memory.restart.${nodes}`, what: 'RSS after restart' }, afterRestart, plain),
    ];
  });
  const [smallest, largest] = [all.at(0), all.at(-1)];
  if (smallest === undefined || largest === undefined || smallest === largest) return rows;
  const perNode = largest.runs.restart.map(({ rssBytes }, i) => {
    const base = smallest.runs.restart[i]?.rssBytes ?? Number.NaN;
    return (rssBytes - base) / 1024 / (largest.nodes - smallest.nodes);
  });
  const what = `RSS a node after restart, from ${smallest.nodes} to ${largest.nodes}`;
  return [...rows, benchRow({ id: 'memory.node', section: 'memory', what, unit: 'KiB' }, perNode)];
}

const ready = ({ readyMs }: IngestMeasurement): number => readyMs;
const imports = ({ importMs }: IngestMeasurement): number => importMs;
const mebibytes = ({ rssBytes }: IngestMeasurement): number => rssBytes / 2 ** 20;

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { builtinTypes } from '../../../schemas/types.js';
import { benchCall } from '../../../scripts/bench/call.js';
import { corpus } from '../../../scripts/bench/corpus.js';
import { benchHttpCall } from '../../../scripts/bench/http-call.js';
import { benchHttpList } from '../../../scripts/bench/http-list.js';
import { benchInProcess } from '../../../scripts/bench/in-process.js';
import { benchIngest } from '../../../scripts/bench/ingest.js';
import { InstanceFolder } from '../../../scripts/bench/instance-folder.js';
import { benchList } from '../../../scripts/bench/list.js';
import { benchLiveEdit } from '../../../scripts/bench/live-edit.js';
import { benchLookups } from '../../../scripts/bench/lookups.js';
import { benchProver } from '../../../scripts/bench/prover.js';
import { benchQueries } from '../../../scripts/bench/queries.js';
import type { BenchRow } from '../../../scripts/bench/result.js';
import { eras } from '../../../scripts/protocol-era.js';

// Each measurement starts some processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 240_000 });

const cli = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));

function instances(...sizes: number[]): InstanceFolder[] {
  return sizes.map((size) => {
    const instance = new InstanceFolder(corpus(size, 3));
    onTestFinished(() => instance.remove());
    return instance;
  });
}

/** Ids of the rows; each has to have `runs` runs, a time or size above 0, and so has what it is compared with. */
function idsOf(rows: readonly BenchRow[], runs: number): string[] {
  for (const row of rows) {
    // Each process that opens an instance imports: two at each of two sizes.
    expect(row.runs).toHaveLength(row.id === 'ingest.import' ? 4 * runs : runs);
    if (row.id !== 'memory.node') expect(row.median).toBeGreaterThan(0);
    if (row.peer !== undefined) expect(row.ratio).toBeGreaterThan(0);
  }
  return rows.map(({ id }) => id);
}

describe('The bench, with real processes', () => {
  it('measures first ingest, restart, imports and memory at each size', async () => {
    const rows = await benchIngest(instances(4, 8), 1);
    expect(idsOf(rows, 1)).toEqual([
      ...['ingest.first.4', 'ingest.restart.4', 'ingest.first.8', 'ingest.restart.8', 'ingest.import'],
      ...['memory.first.4', 'memory.restart.4', 'memory.first.8', 'memory.restart.8', 'memory.node'],
    ]);
  });

  it('measures a live edit and its floor at each size', async () => {
    const rows = await benchLiveEdit(cli, instances(4, 8), { rounds: 1, editsPerRun: 2, sizes: [4, 8], seed: 3 });
    expect(idsOf(rows, 1)).toEqual(['notification.4', 'notification.8']);
  });

  it('measures a list against the same bytes', async () => {
    expect(idsOf(await benchList(cli, instances(4), 1), 1)).toEqual(['list.4']);
  });

  it('measures a call against a spawn', async () => {
    const [instance] = instances(4);
    if (instance === undefined) throw new Error('no instance');
    expect(idsOf(await benchCall(cli, instance, 1), 1)).toEqual(['call.command', 'call.spawn']);
  });

  it('measures a call of a function against a ping', async () => {
    const [instance] = instances(4);
    if (instance === undefined) throw new Error('no instance');
    expect(idsOf(await benchInProcess(cli, instance, 1), 1)).toEqual(['call.in-process']);
  });

  it('measures lookups of each kind against each of the other stores, which find the same', async () => {
    const rows = await benchLookups(500, 3, 1);
    const kinds = ['satisfies', 'value', 'node', 'property', 'statement', 'object', 'predicate', 'document'];
    const expected = kinds.flatMap((kind) => ['n3', 'n3-merged', 'oxigraph'].map((party) => `lookup.${kind}.${party}`));
    expect(idsOf(rows, 1)).toEqual(expected.filter((id) => id !== 'lookup.document.n3-merged'));
  });

  it('measures queries against oxigraph alone, the first one and its memory too', async () => {
    const [instance] = instances(4);
    if (instance === undefined) throw new Error('no instance');
    const names = ['query.first', 'query.view', 'query.aggregate', 'query.path', 'query.lookup', 'memory.query'];
    expect(idsOf(await benchQueries(instance, 1), 1)).toEqual(names.map((name) => `${name}.4`));
  });

  it('measures a list over HTTP against a bare server, and a call among many tools against one among few', async () => {
    const [instance] = instances(4);
    if (instance === undefined) throw new Error('no instance');
    expect(idsOf(await benchHttpList(cli, instance, 1), 1)).toEqual(eras.map((era) => `http.list.${era}`));
    const calls = await benchHttpCall(cli, corpus(2, 3), instance.files, 1);
    expect(idsOf(calls, 1)).toEqual(eras.map((era) => `http.call.${era}`));
  });

  it('measures the proof of each built-in pattern', async () => {
    const types = Object.entries(builtinTypes.$defs).filter(([, schema]) => 'pattern' in schema);
    const ids = idsOf(await benchProver(2), 2);
    expect(ids.sort()).toEqual(types.map(([name]) => `prover.${name}`).sort());
  });
});

describe('The script', () => {
  it('refuses a part that there is not, and names those that there are', () => {
    const script = fileURLToPath(new URL('../../../dist/scripts/bench.js', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script, '--only', 'lookups'], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toContain('--only lookups: no part of the bench; expected one of ingest, notification,');
  });
});

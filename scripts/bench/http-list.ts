import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpClient } from '../http-client.js';
import { type Era, eras } from '../protocol-era.js';
import { ServedPort } from '../served-port.js';
import type { InstanceFolder } from './instance-folder.js';
import { processFile } from './measuring-process.js';
import { type BenchRow, benchRow } from './result.js';
import { median, rotated } from './statistics.js';

const warmUp = 10;
const requestsPerRun = 40;

type Party = Era | 'floor';

/** `tools/list` over HTTP in both eras, against a bare server that stringifies the same object for each request and sends it. */
export async function benchHttpList(cli: string, instance: InstanceFolder, rounds: number): Promise<BenchRow[]> {
  const runs: Record<Party, number[]> = { '2025-11-25': [], '2026-07-28': [], floor: [] };
  for (let round = 0; round < rounds; round++) {
    const times = await oneRun(cli, instance.root, round);
    for (const party of [...eras, 'floor'] as const) runs[party].push(median(times[party]));
  }
  const nodes = instance.files.length;
  const peer = { what: 'node:http, JSON.stringify of the same object', runs: runs.floor };
  return eras.map((era) => {
    const head = { id: `http.list.${era}`, section: 'http', what: `tools/list, ${era}`, nodes, unit: 'ms' } as const;
    return benchRow(head, runs[era], peer);
  });
}

async function oneRun(cli: string, root: string, round: number): Promise<Record<Party, number[]>> {
  const server = await ServedPort.toolgraph(cli, root);
  const [first, second] = await Promise.all(eras.map((era) => HttpClient.connect(server.url, era)));
  if (first === undefined || second === undefined) throw new Error('there are two eras');
  const valueFile = join(root, 'tools-list.json');
  writeFileSync(valueFile, JSON.stringify(await second.message('tools/list')));
  const bare = await ServedPort.start(processFile('floor-http'), [valueFile]);
  const floor = await HttpClient.connect(bare.url, '2026-07-28');
  const clients: Record<Party, HttpClient> = { '2025-11-25': first, '2026-07-28': second, floor };
  try {
    const times: Record<Party, number[]> = { '2025-11-25': [], '2026-07-28': [], floor: [] };
    for (let i = 0; i < warmUp + requestsPerRun; i++) {
      for (const party of rotated([...eras, 'floor'] as const, round + i)) {
        const before = performance.now();
        const { status } = await clients[party].ask('tools/list');
        if (status !== 200) throw new Error(`tools/list was answered with ${status}`);
        if (i >= warmUp) times[party].push(performance.now() - before);
      }
    }
    return times;
  } finally {
    for (const client of Object.values(clients)) client.close();
    await Promise.all([server.stop(), bare.stop()]);
  }
}

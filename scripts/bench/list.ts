import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnsweringProcess } from './answers.js';
import type { InstanceFolder } from './instance-folder.js';
import { processFile } from './measuring-process.js';
import { type BenchRow, benchRow } from './result.js';
import { median, rotated } from './statistics.js';

const requestsPerRun = 15;
const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

/** `tools/list` against a process that only stringifies the same result and writes it to the same kind of pipe. */
export async function benchList(
  cli: string,
  instances: readonly InstanceFolder[],
  rounds: number,
): Promise<BenchRow[]> {
  const medians = instances.map((instance) => ({ instance, server: [] as number[], floor: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { instance, server, floor } of rotated(medians, round)) {
      const times = await oneRun(cli, instance, round);
      server.push(median(times.server));
      floor.push(median(times.floor));
    }
  }
  return medians.map(({ instance, server, floor }) => {
    const nodes = instance.files.length;
    const head = { id: `list.${nodes}`, section: 'list', what: 'tools/list', nodes, unit: 'ms' } as const;
    return benchRow(head, server, { what: 'JSON.stringify and write of the same bytes', runs: floor });
  });
}

async function oneRun(cli: string, { root }: InstanceFolder, round: number) {
  const server = await AnsweringProcess.server(cli, root);
  // Also the first request, which waits until the instance is read.
  const answer = await server.ask(request);
  const answerFile = join(root, 'tools-list.json');
  writeFileSync(answerFile, answer);
  const floor = new AnsweringProcess(processFile('floor-list'), [answerFile]);
  try {
    await floor.next();
    if ((await floor.ask('warm')).length !== answer.length)
      throw new Error('the floor gives other bytes than the server');
    const times = { server: [] as number[], floor: [] as number[] };
    for (let i = 0; i < requestsPerRun; i++) {
      for (const party of rotated(['server', 'floor'] as const, round + i)) {
        const before = performance.now();
        await (party === 'server' ? server.ask(request) : floor.ask('list'));
        times[party].push(performance.now() - before);
      }
    }
    return times;
  } finally {
    await Promise.all([server.stop(), floor.stop()]);
  }
}

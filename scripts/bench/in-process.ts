import { StdioClient } from '../stdio-client.js';
import { InstanceFolder } from './instance-folder.js';
import { type BenchRow, benchRow } from './result.js';
import { median, rotated } from './statistics.js';

const callsPerRun = 500;
const warmUp = 50;

const noOpNode = {
  '@type': 'Tool',
  id: 'no-op',
  title: 'No op',
  description: 'Does nothing, successfully',
  invoke: { inProcess: { module: 'no-op.mjs' } },
  io: {},
  satisfies: ['measuring'],
};

/** `tools/call` of a function that does nothing, at a client, against a `ping`, which the SDK of the same server answers on the same pipes. */
export async function benchInProcess(cli: string, instance: InstanceFolder, rounds: number): Promise<BenchRow[]> {
  const own = new InstanceFolder([
    ...instance.files,
    { path: 'graph/tools/no-op.json', text: JSON.stringify(noOpNode) },
    { path: 'no-op.mjs', text: 'export default () => {};\n' },
  ]);
  const medians = { call: [] as number[], ping: [] as number[] };
  try {
    for (let round = 0; round < rounds; round++) {
      const times = await oneRun(cli, own.root, round);
      medians.call.push(median(times.call));
      medians.ping.push(median(times.ping));
    }
  } finally {
    own.remove();
  }
  const head = { id: 'call.in-process', section: 'call', what: 'tools/call of an empty function', unit: 'ms' } as const;
  return [benchRow(head, medians.call, { what: 'ping of the same server', runs: medians.ping })];
}

async function oneRun(cli: string, root: string, round: number) {
  const client = await StdioClient.start(cli, root, '2025-11-25');
  const acts = { call: () => call(client), ping: () => client.request('ping', {}) };
  const times = { call: [] as number[], ping: [] as number[] };
  try {
    for (let i = 0; i < warmUp + callsPerRun; i++) {
      for (const name of rotated(['call', 'ping'] as const, round + i)) {
        const before = performance.now();
        await acts[name]();
        if (i >= warmUp) times[name].push(performance.now() - before);
      }
    }
    return times;
  } finally {
    await client.stop();
  }
}

async function call(client: StdioClient): Promise<void> {
  const { isError, content } = await client.request('tools/call', { name: 'no_op', arguments: {} });
  if (isError === true) throw new Error(`the call of an empty function failed: ${JSON.stringify(content)}`);
}

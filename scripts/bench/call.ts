import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { StdioClient } from '../stdio-client.js';
import { InstanceFolder } from './instance-folder.js';
import { type BenchRow, benchRow } from './result.js';
import { median, rotated } from './statistics.js';

const callsPerRun = 100;
const warmUp = 10;

const trueNode = {
  '@type': 'Tool',
  id: 'run-true',
  title: 'Run true',
  description: 'Does nothing, successfully',
  invoke: { shell: 'true' },
  io: {},
  satisfies: ['measuring'],
};

/** `tools/call` of a Tool whose command is `true`, at a client, against a bare spawn of `true` by the process of that client. */
export async function benchCall(cli: string, instance: InstanceFolder, rounds: number): Promise<BenchRow[]> {
  const extra = { path: 'graph/tools/run-true.json', text: JSON.stringify(trueNode) };
  const own = new InstanceFolder([...instance.files, extra]);
  const medians = { call: [] as number[], spawn: [] as number[] };
  try {
    for (let round = 0; round < rounds; round++) {
      const times = await oneRun(cli, own.root, round);
      medians.call.push(median(times.call));
      medians.spawn.push(median(times.spawn));
    }
  } finally {
    own.remove();
  }
  const head = { id: 'call.true', section: 'call', what: 'tools/call of `true`', unit: 'ms' } as const;
  return [benchRow(head, medians.call, { what: 'bare spawn of `true`', runs: medians.spawn })];
}

async function oneRun(cli: string, root: string, round: number) {
  const client = await StdioClient.start(cli, root, '2025-11-25');
  const acts = { call: () => call(client), spawn: spawnTrue };
  const times = { call: [] as number[], spawn: [] as number[] };
  try {
    for (let i = 0; i < warmUp + callsPerRun; i++) {
      for (const name of rotated(['call', 'spawn'] as const, round + i)) {
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
  const { isError, content } = await client.request('tools/call', { name: 'run_true', arguments: {} });
  if (isError === true) throw new Error(`the call of true failed: ${JSON.stringify(content)}`);
}

/** With the three pipes that a call has, until they are drained. */
async function spawnTrue(): Promise<void> {
  const child = spawn('true', [], { stdio: 'pipe' });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`true ended with ${code}`);
}

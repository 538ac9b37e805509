import { bareSpawn } from './bare-spawn.js';
import type { InstanceFolder } from './instance-folder.js';
import { type BenchRow, benchRow } from './result.js';
import { callTool, measureServedActs, timed } from './served-acts.js';
import { ServedSpawn } from './served-spawn.js';

const trueNode = {
  '@type': 'Tool',
  id: 'run-true',
  title: 'Run true',
  description: 'Does nothing, successfully',
  invoke: { shell: 'true' },
  io: {},
  satisfies: ['measuring'],
};

/**
 * `tools/call` of a Tool whose command is `true`, at a client, against a bare spawn of `true` by the serving process; and that spawn against
 * one by the process of the client, because what a process has in memory is most of what its children cost.
 */
export async function benchCall(cli: string, instance: InstanceFolder, rounds: number): Promise<BenchRow[]> {
  const served = new ServedSpawn();
  try {
    const runs = await measureServedActs(cli, instance, rounds, {
      files: [{ path: 'graph/tools/run-true.json', text: JSON.stringify(trueNode) }],
      nodeOptions: served.nodeOptions,
      acts: async (client) => {
        await served.connect();
        const call = timed(() => callTool(client, 'run_true'));
        return { call, served: () => served.spawn(), client: bareSpawn };
      },
      warmUp: 100,
      timesPerRun: 200,
      // A process that has started another one takes a page fault for each page that it writes to next.
      inARow: 10,
    });
    const [call, spawn] = ['tools/call of `true`', 'bare spawn of `true` by the serving process'];
    return [
      benchRow(row('call.command', call), runs.call, { what: spawn, runs: runs.served }),
      benchRow(row('call.spawn', spawn), runs.served, { what: 'the same by a small process', runs: runs.client }),
    ];
  } finally {
    served.remove();
  }
}

function row(id: string, what: string) {
  return { id, section: 'call', what, unit: 'ms' } as const;
}

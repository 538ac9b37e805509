import type { CorpusFile } from './corpus.js';
import type { InstanceFolder } from './instance-folder.js';
import { type BenchRow, benchRow } from './result.js';
import { callTool, measureServedActs, timed } from './served-acts.js';

const noOpNode = {
  '@type': 'Tool',
  id: 'no-op',
  title: 'No op',
  description: 'Does nothing, successfully',
  invoke: { inProcess: { module: 'no-op.mjs' } },
  io: {},
  satisfies: ['measuring'],
};

/** A Tool `no_op` whose function does nothing. */
export const noOpFiles: readonly CorpusFile[] = [
  { path: 'graph/tools/no-op.json', text: JSON.stringify(noOpNode) },
  { path: 'no-op.mjs', text: 'export default () => {};\n' },
];

/** `tools/call` of a function that does nothing, at a client, against a `ping`, which the SDK of the same server answers on the same pipes. */
export async function benchInProcess(cli: string, instance: InstanceFolder, rounds: number): Promise<BenchRow[]> {
  const runs = await measureServedActs(cli, instance, rounds, {
    files: noOpFiles,
    acts: async (client) => ({
      call: timed(() => callTool(client, 'no_op')),
      ping: timed(async () => void (await client.request('ping'))),
    }),
    warmUp: 50,
    timesPerRun: 500,
  });
  const head = { id: 'call.in-process', section: 'call', what: 'tools/call of an empty function', unit: 'ms' } as const;
  return [benchRow(head, runs.call, { what: 'ping of the same server', runs: runs.ping })];
}

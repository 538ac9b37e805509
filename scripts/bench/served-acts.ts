import { StdioClient } from '../stdio-client.js';
import type { CorpusFile } from './corpus.js';
import { InstanceFolder } from './instance-folder.js';
import { median, rotated } from './statistics.js';

/** Does something once, and gives the time that it took in ms. */
export type Act = () => Promise<number>;

/** What is done by turns against one server, which a run starts and ends. */
export interface ServedActs<N extends string> {
  /** Of the instance, beside those of the one that is given. */
  readonly files: readonly CorpusFile[];
  /** Options of Node itself for the server. */
  readonly nodeOptions?: readonly string[];
  /** The acts by name, once the server answers. */
  readonly acts: (client: StdioClient) => Promise<Readonly<Record<N, Act>>>;
  readonly warmUp: number;
  readonly timesPerRun: number;
  /** So many times each act is done in its turn. Where an act leaves costs to whatever comes next, most of them then fall on its own kind. @default 1 */
  readonly inARow?: number;
}

/** The median time of each act in ms, one value a run. In a run the acts take turns, each round begun with another one. */
export async function measureServedActs<N extends string>(
  cli: string,
  instance: InstanceFolder,
  rounds: number,
  served: ServedActs<N>,
): Promise<Readonly<Record<N, number[]>>> {
  const own = new InstanceFolder([...instance.files, ...served.files]);
  const runs: (readonly [N, number])[] = [];
  try {
    for (let round = 0; round < rounds; round++) runs.push(...(await oneRun(cli, own.root, round, served)));
  } finally {
    own.remove();
  }
  return grouped(runs);
}

async function oneRun<N extends string>(cli: string, root: string, round: number, served: ServedActs<N>) {
  const client = await StdioClient.start(cli, root, '2025-11-25', { nodeOptions: served.nodeOptions ?? [] });
  try {
    const acts = Object.entries<Act>(await served.acts(client)) as [N, Act][];
    const times: (readonly [N, number])[] = [];
    const { inARow = 1 } = served;
    const turns = Math.ceil((served.warmUp + served.timesPerRun) / inARow);
    for (let turn = 0; turn < turns; turn++) {
      for (const [name, act] of rotated(acts, round + turn)) {
        for (let i = turn * inARow; i < (turn + 1) * inARow; i++) {
          const ms = await act();
          if (i >= served.warmUp) times.push([name, ms]);
        }
      }
    }
    return Object.entries<number[]>(grouped(times)).map(([name, all]) => [name as N, median(all)] as const);
  } finally {
    await client.stop();
  }
}

function grouped<N extends string>(times: readonly (readonly [N, number])[]): Record<N, number[]> {
  const all = new Map<N, number[]>();
  for (const [name, ms] of times) all.set(name, [...(all.get(name) ?? []), ms]);
  return Object.fromEntries(all) as Record<N, number[]>;
}

/** An act that is timed from here. */
export function timed(act: () => Promise<void>): Act {
  return async () => {
    const before = performance.now();
    await act();
    return performance.now() - before;
  };
}

/** A call that must not fail. */
export async function callTool(client: StdioClient, name: string): Promise<void> {
  const { isError, content } = await client.request('tools/call', { name, arguments: {} });
  if (isError === true) throw new Error(`the call of ${name} failed: ${JSON.stringify(content)}`);
}

import { HttpClient } from '../http-client.js';
import { type Era, eras } from '../protocol-era.js';
import { ServedPort } from '../served-port.js';
import type { CorpusFile } from './corpus.js';
import { noOpFiles } from './in-process.js';
import { InstanceFolder } from './instance-folder.js';
import { type BenchRow, benchRow } from './result.js';
import { median, rotated } from './statistics.js';

const warmUp = 50;
const callsPerRun = 300;

interface Caller {
  readonly era: Era;
  readonly isLarge: boolean;
  readonly client: HttpClient;
  readonly times: number[];
}

/** `tools/call` of an empty function over HTTP in both eras, among many tools against among few: a call finds its tool by its name. */
export async function benchHttpCall(
  cli: string,
  few: readonly CorpusFile[],
  many: readonly CorpusFile[],
  rounds: number,
): Promise<BenchRow[]> {
  const instances = [few, many].map((files) => new InstanceFolder([...files, ...noOpFiles]));
  const runs = new Map<string, number[]>();
  try {
    for (let round = 0; round < rounds; round++) {
      for (const { era, isLarge, times } of await oneRun(cli, instances, round)) {
        const key = `${era} ${isLarge}`;
        runs.set(key, [...(runs.get(key) ?? []), median(times)]);
      }
    }
  } finally {
    for (const instance of instances) instance.remove();
  }
  const nodes = many.length;
  return eras.map((era) => {
    const head = {
      id: `http.call.${era}`,
      section: 'http',
      what: `tools/call by name, ${era}`,
      nodes,
      unit: 'ms',
    } as const;
    const peer = { what: `the same among ${few.length}`, runs: runs.get(`${era} false`) ?? [] };
    return benchRow(head, runs.get(`${era} true`) ?? [], peer);
  });
}

async function oneRun(cli: string, instances: readonly InstanceFolder[], round: number): Promise<readonly Caller[]> {
  const servers = await Promise.all(instances.map(({ root }) => ServedPort.toolgraph(cli, root)));
  const callers: Caller[] = [];
  try {
    for (const [i, { url }] of servers.entries()) {
      for (const era of eras) {
        callers.push({ era, isLarge: i === 1, client: await HttpClient.connect(url, era), times: [] });
      }
    }
    for (let i = 0; i < warmUp + callsPerRun; i++) {
      for (const { client, times } of rotated(callers, round + i)) {
        const before = performance.now();
        const { status, body } = await client.ask('tools/call', { name: 'no_op', arguments: {} });
        const ms = performance.now() - before;
        if (status !== 200 || body.includes('"isError":true')) throw new Error(`the call failed: ${body}`);
        if (i >= warmUp) times.push(ms);
      }
    }
    return callers;
  } finally {
    for (const { client } of callers) client.close();
    await Promise.all(servers.map((server) => server.stop()));
  }
}

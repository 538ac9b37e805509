import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readRevisions } from '../../src/store/provenance/revision-reader.js';
import { LineProcess } from '../line-process.js';
import { StdioClient } from '../stdio-client.js';
import { withDescription } from './corpus.js';
import { InstanceFolder } from './instance-folder.js';
import { processFile } from './measuring-process.js';
import { type BenchRow, benchRow, type Settings } from './result.js';
import { median, rotated } from './statistics.js';

/** Between two edits of different folders, in ms: the one that was edited before has gone back to sleep. */
const apartMs = 20;
/** After a round of edits, in ms: the full scan 250 ms after an event is over, at 10,000 nodes too. */
const quietMs = 450;
/** An edit that nobody is told of within this ends the bench, in ms. */
const lostAfterMs = 30_000;
/** Setting the watches of 10,000 files takes seconds; this is for a machine that is busy. In ms. */
const watchesAtMostMs = 180_000;
/** An answer as quick as this says that the watches are all set, in ms. */
const watchingMs = 250;

interface Sized {
  readonly nodes: number;
  readonly server: InstanceFolder;
  readonly floor: InstanceFolder;
}

/**
 * Write → `notifications/tools/list_changed` at a client, the history of each edit written before. A server and its floor are live at each size at once, each with a folder of its
 * own; one edit of each, in a rotated order, then quiet. A run is new processes and the median of its edits.
 */
export async function benchLiveEdit(cli: string, instances: readonly InstanceFolder[], settings: Settings) {
  const sized = instances.map((server) => {
    return { nodes: server.files.length, server, floor: new InstanceFolder(server.files) };
  });
  const medians = sized.map(({ nodes }) => ({ nodes, server: [] as number[], floor: [] as number[] }));
  try {
    for (let round = 0; round < settings.rounds; round++) {
      const measured = await oneRun(cli, sized, settings.editsPerRun);
      for (const [i, { server, floor }] of medians.entries()) {
        server.push(median(measured[2 * i] ?? []));
        floor.push(median(measured[2 * i + 1] ?? []));
      }
    }
  } finally {
    for (const { floor } of sized) floor.remove();
  }
  return medians.map(row);
}

function row({ nodes, server, floor }: { nodes: number; server: number[]; floor: number[] }): BenchRow {
  const head = { section: 'notification', nodes, unit: 'ms' } as const;
  const peer = { what: 'chokidar event, read, JSON.parse, the same line', runs: floor };
  return benchRow({ ...head, id: `notification.${nodes}`, what: 'write → list_changed at a client' }, server, peer);
}

/** The times in ms of the server and of the floor of each size, in this order. */
async function oneRun(cli: string, sized: readonly Sized[], edits: number): Promise<number[][]> {
  const parties: Party[] = [];
  try {
    for (const { server, floor } of sized) {
      parties.push(await startServer(cli, server), await startFloor(floor));
    }
    await untilWatching(parties);
    const times = parties.map((): number[] => []);
    for (let edit = 0; edit < edits; edit++) {
      for (const i of rotated([...parties.keys()], edit)) {
        times[i]?.push((await parties[i]?.edit()) ?? Number.NaN);
        await delay(apartMs);
      }
      await delay(quietMs);
    }
    return times;
  } finally {
    await Promise.all(parties.map((party) => party.stop()));
  }
}

/** Nothing tells when a watcher has set its last watch, so edits are tried until each is answered at once, twice. */
async function untilWatching(parties: readonly Party[]): Promise<void> {
  const deadline = performance.now() + watchesAtMostMs;
  for (let quick = 0; quick < 2; ) {
    if (performance.now() > deadline)
      throw new Error(`edits were not answered within ${watchingMs} ms; is the machine busy?`);
    const times: number[] = [];
    for (const party of parties) times.push(await party.edit());
    quick = Math.max(...times) < watchingMs ? quick + 1 : 0;
    await delay(quietMs);
  }
}

/** Whoever is told of an edit in a folder. */
class Party {
  readonly #folder: InstanceFolder;
  readonly #stop: () => Promise<void>;
  #edits = 0;
  #waiting: (() => void) | undefined;
  /** The edit that was made last. */
  last: { readonly id: string; readonly description: string } | undefined;

  constructor(folder: InstanceFolder, stop: () => Promise<void>) {
    this.#folder = folder;
    this.#stop = stop;
  }

  told(): void {
    this.#waiting?.();
  }

  /** Edits one file and returns after how many ms it was told of that. */
  async edit(): Promise<number> {
    const { files } = this.#folder;
    // A stride that meets each file of a folder with a round number of them, in other directories each time.
    const file = files[(++this.#edits * 37) % files.length];
    if (file === undefined) throw new Error('the instance has no files');
    const description = `Edit ${this.#edits} at ${Date.now()}`;
    const text = withDescription(file.text, description);
    this.last = { id: (JSON.parse(text) as { id: string }).id, description };
    let timer: NodeJS.Timeout | undefined;
    const told = new Promise<number>((resolve, reject) => {
      this.#waiting = () => resolve(performance.now());
      timer = setTimeout(() => reject(new Error(`nobody was told of an edit of ${file.path}`)), lostAfterMs);
    });
    try {
      const before = this.#folder.save(file.path, text);
      return (await told) - before;
    } finally {
      clearTimeout(timer);
      this.#waiting = undefined;
    }
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}

async function startServer(cli: string, folder: InstanceFolder): Promise<Party> {
  const client = await StdioClient.start(cli, folder.root, '2025-11-25');
  const party: Party = new Party(folder, async () => {
    await client.stop();
    if (party.last !== undefined) expectRemembered(folder, party.last);
  });
  await client.list();
  client.onListChanged = () => party.told();
  return party;
}

/** Throws unless the history of the instance has the edit: without it a server would have less to do. */
function expectRemembered({ root }: InstanceFolder, { id, description }: NonNullable<Party['last']>): void {
  const newest = readRevisions(join(root, '.toolgraph'), id, 1)?.revisions[0]?.node;
  if ((newest as { description?: string } | undefined)?.description === description) return;
  throw new Error(`the history does not have the last edit of ${id}, so this measures no service with its history on`);
}

async function startFloor(folder: InstanceFolder): Promise<Party> {
  let ready: (line: string) => void = () => {};
  const isReady = new Promise<string>((resolve) => {
    ready = resolve;
  });
  const child: LineProcess = new LineProcess(processFile('floor-watch'), [`${folder.root}/graph`], {
    onLine: (line) => (line === 'ready' ? ready(line) : party.told()),
  });
  const party = new Party(folder, () => child.stop());
  await isReady;
  return party;
}

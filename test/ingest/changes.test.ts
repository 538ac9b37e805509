import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BatchInfo, type FollowedChanges, type FollowOptions, followChanges } from '../../src/ingest/changes.js';
import type { ScanOptions, ScanResult } from '../../src/ingest/scan.js';
import { readSettledFile } from '../../src/instance/signature.js';

const graphOnly: ScanOptions = { folders: [{ path: 'graph' }], ignore: [], documentBytes: 100_000, documents: 10_000 };

let root: string;
let followed: FollowedChanges | undefined;
/** What somebody who believes every batch holds: text by path. */
let held: Map<string, string>;
let batches: { scan: ScanResult; info: BatchInfo }[];
/** The smallest number of documents held after any batch, from the first on. */
let fewest: number;
let errors: unknown[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolgraph-changes-'));
  mkdirSync(join(root, 'graph'));
  held = new Map();
  batches = [];
  errors = [];
  fewest = Number.POSITIVE_INFINITY;
});
afterEach(async () => {
  await followed?.close();
  followed = undefined;
  rmSync(root, { recursive: true, force: true });
});

async function take(scan: ScanResult, info: BatchInfo): Promise<void> {
  for (const { path, bytes } of scan.changed) held.set(path, new TextDecoder().decode(bytes));
  for (const path of scan.removed) held.delete(path);
  fewest = Math.min(fewest, held.size);
  batches.push({ scan, info });
}

function follow(options: Partial<FollowOptions> = {}): FollowedChanges {
  followed = followChanges({
    root,
    scan: graphOnly,
    onBatch: take,
    onError: (error) => errors.push(error),
    ...options,
  });
  return followed;
}

function write(path: string, text = '{}') {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function replace(path: string, text: string) {
  writeFileSync(join(root, `${path}.tmp`), text);
  renameSync(join(root, `${path}.tmp`), join(root, path));
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until `check` passes; asks often, because what is waited for is made by other processes and by the kernel. */
function eventually(check: () => void, timeout = 20_000): Promise<void> {
  return expect
    .poll(
      () => {
        try {
          check();
          return undefined;
        } catch (error) {
          return error instanceof Error ? error.message : error;
        }
      },
      { timeout, interval: 10 },
    )
    .toBeUndefined();
}

/** Waits until events arrive: the watch opens after the first batch. Longer than any test, so scans cannot stand in for it. */
async function watching(): Promise<void> {
  await followed?.first;
  const probe = 'graph/watching.json';
  await eventually(() => {
    replace(probe, JSON.stringify(performance.now()));
    expect(held.has(probe)).toBe(true);
  });
  rmSync(join(root, probe));
  await eventually(() => expect(held.has(probe)).toBe(false));
  await sleep(400);
  batches = [];
  fewest = Number.POSITIVE_INFINITY;
}

/** What is on disk, in the form of `held`. */
function onDisk(): Map<string, string> {
  const names = readdirSync(join(root, 'graph'), { recursive: true }).map(String);
  const paths = names.filter((name) => name.endsWith('.json')).map((name) => `graph/${name}`);
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

const heldSorted = () => new Map([...held].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Runs a script of file operations in another process, as an editor or git would. Resolves with how long it took, in ms. */
function elsewhere(script: string, ...args: string[]): Promise<number> {
  const program = `const fs = require('node:fs'); const [dir, ...args] = process.argv.slice(1);
    const began = performance.now(); process.on('exit', () => console.log(performance.now() - began)); ${script}`;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['-e', program, root, ...args], (error, stdout) => {
      if (error === null) resolve(Number(stdout));
      else reject(error);
    });
  });
}

describe('the first batch', () => {
  it('comes with everything, or with nothing when the folder is empty', async () => {
    write('graph/a.json');
    await follow().first;
    expect(batches).toMatchObject([
      { info: { first: true, configChanged: false }, scan: { changed: [{ path: 'graph/a.json' }] } },
    ]);
    await followed?.close();
    rmSync(join(root, 'graph/a.json'));
    batches = [];
    await follow().first;
    expect(batches).toMatchObject([{ info: { first: true }, scan: { changed: [], missingFolders: [] } }]);
  });

  it('W2: waits for a file that is half-written, and for a seeded one that may only be being saved', async () => {
    write('graph/a.json', '{"half":');
    setTimeout(() => write('graph/a.json', '{"whole":1}'), 60);
    await follow({ seeds: [['graph/gone.json', '1:1:1:1']] }).first;
    expect(batches).toHaveLength(1);
    expect(held).toEqual(new Map([['graph/a.json', '{"whole":1}']]));
    expect(batches[0]?.scan.removed).toEqual(['graph/gone.json']);
  });

  it('says that the folder is missing, and the next one comes when it is there', async () => {
    rmSync(join(root, 'graph'), { recursive: true });
    await follow().first;
    expect(batches[0]?.scan.missingFolders).toEqual(['graph']);
    write('graph/a.json');
    await eventually(() => expect([...held.keys()]).toEqual(['graph/a.json']));
    expect(batches.at(-1)?.scan.missingFolders).toEqual([]);
  });
});

describe('a change on disk', () => {
  it('arrives from one edit in one batch, long before any scan', async () => {
    write('graph/a.json', '{"v":1}');
    follow({ times: { fullAfterMs: 60_000, intervalMs: 60_000 } });
    await watching();
    replace('graph/a.json', '{"v":2}');
    await eventually(() => expect(held.get('graph/a.json')).toBe('{"v":2}'));
    expect(batches).toHaveLength(1);
  });

  it('W1: 200 atomic saves never remove the file, and end on the last content', async () => {
    write('graph/a.json', '{"v":0}');
    write('graph/b.json');
    follow();
    await watching();
    await elsewhere(`
      let v = 0;
      const step = () => {
        fs.writeFileSync(dir + '/graph/a.json.tmp', JSON.stringify({ v: ++v }));
        fs.renameSync(dir + '/graph/a.json.tmp', dir + '/graph/a.json');
        if (v < 200) setTimeout(step, 5);
      };
      step();`);
    await eventually(() => expect(held.get('graph/a.json')).toBe('{"v":200}'));
    expect(fewest).toBe(2);
    expect(batches.flatMap(({ scan }) => scan.removed)).toEqual([]);
  });

  it('W1: 100 saves by unlink and add never remove the file, however short it is there', async () => {
    write('graph/a.json', '{"v":0}');
    follow();
    await watching();
    await elsewhere(`
      let v = 0;
      const step = () => {
        fs.rmSync(dir + '/graph/a.json');
        const gone = performance.now();
        setTimeout(() => {
          fs.writeFileSync(dir + '/graph/a.json', JSON.stringify({ v: ++v }));
          if (performance.now() - gone > 90) fs.appendFileSync(dir + '/stalled', '.');
          if (v < 100) setTimeout(step, 2);
        }, 8);
      };
      step();`);
    await eventually(() => expect(held.get('graph/a.json')).toBe('{"v":100}'));
    // On a busy host the other process is now and then not run for so long that the file was really gone.
    const stalled = existsSync(join(root, 'stalled')) ? readFileSync(join(root, 'stalled')).length : 0;
    expect(batches.flatMap(({ scan }) => scan.removed).length).toBeLessThanOrEqual(stalled);
  });

  it('W1: a save with the same bytes changes no digest', async () => {
    write('graph/a.json', '{"v":0}');
    follow();
    await watching();
    const { first } = { first: held.get('graph/a.json') };
    replace('graph/a.json', '{"v":0}');
    await eventually(() => expect(batches.length).toBeGreaterThan(0));
    const digests = new Set(batches.flatMap(({ scan }) => scan.changed).map(({ sha256 }) => sha256));
    expect(digests.size).toBe(1);
    expect(held.get('graph/a.json')).toBe(first);
  });

  it('W2: a slow save in pieces ends on the whole, and no young half is given', async () => {
    write('graph/a.json', '{"v":1}');
    follow();
    await watching();
    write('graph/a.json', '');
    await sleep(100);
    write('graph/a.json', '{"v":');
    await sleep(100);
    write('graph/a.json', '{"v":2}');
    await eventually(() => expect(held.get('graph/a.json')).toBe('{"v":2}'));
    expect(batches.flatMap(({ scan }) => scan.changed)).toHaveLength(1);
  });

  it.each([1, 2, 5, 10, 20, 50])(
    'the second of two saves %i ms apart is not lost, of the same size',
    async (apartMs) => {
      write('graph/a.json', '{"v":"-----"}');
      follow();
      await watching();
      for (let i = 10; i < 16; i++) {
        const [one, two] = [`{"v":"${i}-one"}`, `{"v":"${i}-two"}`];
        write('graph/a.json', one);
        await sleep(apartMs);
        write('graph/a.json', two);
        await eventually(() => expect(held.get('graph/a.json')).toBe(two));
        await sleep(110);
        expect(held.get('graph/a.json')).toBe(two);
      }
    },
  );

  it.each(['present', 'absent'])('W3: 50 times copied and removed ends %s', async (ending) => {
    write('graph/other.json');
    follow();
    await watching();
    await elsewhere(
      `for (let i = 0; i < 50; i++) {
        fs.writeFileSync(dir + '/graph/a.json', JSON.stringify({ i }));
        if (i < 49 || args[0] === 'absent') fs.rmSync(dir + '/graph/a.json');
      }`,
      ending,
    );
    await eventually(() => expect(heldSorted()).toEqual(onDisk()));
    await followed?.lookNow();
    expect(held.has('graph/a.json')).toBe(ending === 'present');
  });

  it('W5: a removed file is retracted in one batch', async () => {
    write('graph/a.json');
    write('graph/b.json');
    follow();
    await watching();
    rmSync(join(root, 'graph/a.json'));
    await eventually(() => expect([...held.keys()]).toEqual(['graph/b.json']));
    await followed?.lookNow();
    expect(batches).toHaveLength(1);
  });

  it('W12: a batch that takes long never overtakes a newer one', async () => {
    write('graph/a.json', '{"v":0}');
    let running = 0;
    let most = 0;
    follow({
      onBatch: async (scan, info) => {
        most = Math.max(most, ++running);
        const big = scan.changed.some(({ bytes }) => bytes.length > 1_000);
        await sleep(big ? 300 : 1);
        await take(scan, info);
        running--;
      },
    });
    await watching();
    write('graph/a.json', JSON.stringify({ v: 'x'.repeat(50_000) }));
    await sleep(20);
    write('graph/a.json', '{"v":"small"}');
    await eventually(() => expect(held.get('graph/a.json')).toBe('{"v":"small"}'));
    await followed?.lookNow();
    expect(held.get('graph/a.json')).toBe('{"v":"small"}');
    expect(most).toBe(1);
  });

  it('W16: editors that leave swap, backup and lock files cause no batch', async () => {
    write('graph/a.json');
    follow();
    await watching();
    for (const name of ['.a.json.swp', 'a.json~', '4913', 'a.tmp', '#a.json#', '.#a.json', 'node_modules/x.json']) {
      write(`graph/${name}`);
      rmSync(join(root, 'graph', name));
    }
    await followed?.lookNow();
    expect(batches).toEqual([]);
  });

  it('W18: 300 files replaced at once by another process come in at most two batches for each 100 ms that takes', async () => {
    for (let i = 0; i < 300; i++) {
      write(`graph/${i}.json`, '{"v":1}');
      write(`graph/${i}.json.tmp`, '{"v":2}');
    }
    follow();
    await watching();
    const begun = performance.now();
    await elsewhere(`
      for (let i = 0; i < 300; i++) fs.renameSync(dir + '/graph/' + i + '.json.tmp', dir + '/graph/' + i + '.json');`);
    await eventually(() => expect(heldSorted()).toEqual(onDisk()));
    // The events of a burst lag behind it, so its end is when the last has been taken.
    const tookMs = performance.now() - begun;
    await sleep(400);
    await followed?.lookNow();
    expect(batches.length).toBeLessThanOrEqual(2 + Math.floor(tookMs / 100));
    expect(fewest).toBe(300);
  });

  it('W18: a touch of every file gives the same digests, once', async () => {
    for (let i = 0; i < 300; i++) write(`graph/${i}.json`, `{"v":${i}}`);
    follow();
    await followed?.first;
    const digests = new Map(batches[0]?.scan.changed.map(({ path, sha256 }) => [path, sha256]));
    await watching();
    await elsewhere(`for (let i = 0; i < 300; i++) fs.utimesSync(dir + '/graph/' + i + '.json', 1, 1);`);
    await eventually(() => expect(batches.flatMap(({ scan }) => scan.changed).length).toBe(300));
    for (const { path, sha256 } of batches.flatMap(({ scan }) => scan.changed)) expect(sha256).toBe(digests.get(path));
  });

  it('storms of 1,000 files by another process converge: written, replaced, deleted, and made again', async () => {
    follow();
    await watching();
    const storms = [
      `for (let i = 0; i < 1000; i++) { const d = dir + '/graph/' + (i % 20); fs.mkdirSync(d, { recursive: true }); fs.writeFileSync(d + '/' + i + '.json', JSON.stringify({ i })); }`,
      `for (let i = 0; i < 1000; i++) { const f = dir + '/graph/' + (i % 20) + '/' + i + '.json'; fs.writeFileSync(f + '.tmp', JSON.stringify({ j: i })); fs.renameSync(f + '.tmp', f); }`,
      `for (let i = 0; i < 1000; i += 2) fs.rmSync(dir + '/graph/' + (i % 20) + '/' + i + '.json');`,
      `for (let i = 0; i < 20; i++) fs.rmSync(dir + '/graph/' + i, { recursive: true });
       for (let i = 0; i < 20; i++) { fs.mkdirSync(dir + '/graph/' + i); fs.writeFileSync(dir + '/graph/' + i + '/again.json', JSON.stringify({ again: i })); }`,
    ];
    for (const storm of storms) {
      await elsewhere(storm);
      await eventually(() => expect(heldSorted()).toEqual(onDisk()), 30_000);
    }
    expect(held.size).toBe(20);
  }, 120_000);
});

describe('a folder deleted and made again (W4)', () => {
  async function editArrives(path: string) {
    // Longer than the confirming scan and far from the interval: only an event can bring the edit in time.
    await sleep(600);
    const text = JSON.stringify({ edited: performance.now() });
    replace(path, text);
    await eventually(() => expect(held.get(path)).toBe(text), 3_000);
  }

  it('keeps everything meanwhile, recovers, and is watched again', async () => {
    write('graph/a.json', '{"v":1}');
    write('graph/b.json', '{"v":1}');
    follow({ times: { intervalMs: 60_000 } });
    await watching();
    renameSync(join(root, 'graph'), join(root, 'away'));
    await eventually(() => expect(batches.at(-1)?.scan.missingFolders).toEqual(['graph']));
    write('graph/a.json', '{"v":2}');
    write('graph/b.json', '{"v":1}');
    await eventually(() => expect(held.get('graph/a.json')).toBe('{"v":2}'));
    expect(fewest).toBe(2);
    await editArrives('graph/b.json');
  });

  it('is watched again when that took no time at all, for the folder and for one in it', async () => {
    write('graph/sub/a.json', '{"v":1}');
    follow({ times: { intervalMs: 60_000 } });
    await watching();
    rmSync(join(root, 'graph/sub'), { recursive: true });
    write('graph/sub/a.json', '{"v":2}');
    await eventually(() => expect(held.get('graph/sub/a.json')).toBe('{"v":2}'));
    await editArrives('graph/sub/a.json');
    rmSync(join(root, 'graph'), { recursive: true });
    write('graph/sub/a.json', '{"v":3}');
    await eventually(() => expect(held.get('graph/sub/a.json')).toBe('{"v":3}'));
    await editArrives('graph/sub/a.json');
    expect(fewest).toBe(1);
  });

  it('does the same for the root', async () => {
    write('graph/a.json', '{"v":1}');
    follow({ times: { intervalMs: 60_000 } });
    await watching();
    rmSync(root, { recursive: true });
    await eventually(() => expect(batches.at(-1)?.scan.missingFolders).toEqual(['graph']));
    mkdirSync(root);
    write('graph/a.json', '{"v":2}');
    await eventually(() => expect(held.get('graph/a.json')).toBe('{"v":2}'));
    expect(fewest).toBe(1);
    await editArrives('graph/a.json');
  });
});

describe('a link (W7)', () => {
  it('that loops or leads out is followed nowhere, and the edit of a target elsewhere in the instance arrives', async () => {
    write('lib/x.json', '{"v":1}');
    write('graph/a.json');
    symlinkSync('.', join(root, 'graph/loop'));
    symlinkSync('/etc/passwd', join(root, 'graph/passwd.json'));
    symlinkSync('../lib/x.json', join(root, 'graph/x.json'));
    follow({ times: { intervalMs: 60_000 } });
    await watching();
    expect([...held.keys()].sort()).toEqual(['graph/a.json', 'graph/x.json']);
    replace('lib/x.json', '{"v":2}');
    await eventually(() => expect(held.get('graph/x.json')).toBe('{"v":2}'), 5_000);
    await followed?.lookNow();
    expect([...(batches.at(-1)?.scan.unreadable.keys() ?? [])]).toEqual(['graph/passwd.json']);
  });
});

describe('the config file', () => {
  const config = 'toolgraph.config.json';

  it('is followed: made, changed, saved in pieces, removed, each told once', async () => {
    follow({ times: { intervalMs: 60_000 } });
    await watching();
    const toldAfter = async (act: () => void) => {
      batches = [];
      act();
      await eventually(() => expect(batches.some(({ info }) => info.configChanged)).toBe(true), 5_000);
      await followed?.lookNow();
      expect(batches.filter(({ info }) => info.configChanged)).toHaveLength(1);
    };
    await toldAfter(() => write(config, '{"name": "a"}'));
    await toldAfter(() => replace(config, '{"name": "b"}'));
    await toldAfter(() => {
      write(config, '{"name": ');
      setTimeout(() => write(config, '{"name": "c"}'), 50);
    });
    await toldAfter(() => rmSync(join(root, config)));
  });

  it('that changed between its reading and the first look is told of', async () => {
    write(config, '{"name": "a"}');
    const read = readSettledFile(join(root, config), 1_000);
    const configSignature = read.state === 'read' ? read.signature : undefined;
    await follow({ configSignature }).first;
    expect(batches[0]?.info).toEqual({ first: true, configChanged: false });
    await followed?.close();
    batches = [];
    write(config, '{"name": "b"}');
    await follow({ configSignature }).first;
    expect(batches[0]?.info).toEqual({ first: true, configChanged: true });
  });

  it('can name other folders: their documents come, the others go, and they are watched', async () => {
    write('graph/a.json');
    write('more/b.json', '{"v":1}');
    const following = follow({ times: { intervalMs: 60_000 } });
    await watching();
    following.reconfigure({ ...graphOnly, folders: [{ path: 'more' }] });
    await following.lookNow();
    expect([...held.keys()]).toEqual(['more/b.json']);
    await sleep(600);
    replace('more/b.json', '{"v":2}');
    await eventually(() => expect(held.get('more/b.json')).toBe('{"v":2}'), 3_000);
  });
});

describe('whoever takes the batches', () => {
  it('gets a failed batch again, with what came later, and is told of one cause once', async () => {
    write('graph/a.json', '{"v":1}');
    let failures = 2;
    const recoveries: string[] = [];
    const following = follow({
      onRecovery: (words) => recoveries.push(words),
      onBatch: async (scan, info) => {
        if (failures-- > 0) throw new Error('the store is busy');
        await take(scan, info);
      },
    });
    await following.first;
    write('graph/b.json');
    await following.lookNow();
    expect(errors.map(String)).toEqual(['Error: the store is busy']);
    expect(following.isSound).toBe(false);
    await eventually(() => expect([...held.keys()]).toEqual(['graph/a.json', 'graph/b.json']));
    expect(batches[0]?.info.first).toBe(true);
    await eventually(() => expect(recoveries).toEqual(['what had changed could be taken in']));
    expect(following.isSound).toBe(true);
  });

  it('may use what followChanges returns in the first batch, and close it there', async () => {
    write('graph/a.json');
    const following: FollowedChanges = follow({
      onBatch: async (scan, info) => {
        await take(scan, info);
        void following.close();
      },
    });
    await following.first;
    await following.close();
    expect(batches).toHaveLength(1);
  });

  it('can ask for documents again', async () => {
    write('graph/a.json');
    const following = follow();
    await following.first;
    batches = [];
    following.reread(['graph/a.json']);
    await eventually(() => expect(batches).toHaveLength(1));
    expect(batches[0]?.scan.changed).toMatchObject([{ path: 'graph/a.json' }]);
  });

  it('is not called again once close has settled, and close waits for the batch that is being taken', async () => {
    write('graph/a.json');
    let ended = false;
    const following = follow({
      onBatch: async () => {
        await sleep(200);
        ended = true;
      },
    });
    await sleep(50);
    await following.close();
    expect(ended).toBe(true);
    ended = false;
    write('graph/b.json');
    await following.lookNow();
    await sleep(300);
    expect(ended).toBe(false);
  });
});

import fs, { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ignoreRules } from '../../src/ingest/ignore.js';
import { WatchKeeper } from '../../src/ingest/watch-keeper.js';

/** A watch has two parts, and each hints at everything once it is ready. */
const hintsOfOneWatch = 2;
const ignore = ignoreRules([]);

let root: string;
let keeper: WatchKeeper;
let hintsAtEverything = 0;
/** What the keeper told of: the code of each failure, and each recovery. */
let told: string[];
let now: number;
const { watch } = fs;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-keeper-')));
  mkdirSync(join(root, 'graph/sub'), { recursive: true });
  hintsAtEverything = 0;
  told = [];
  now = 0;
  const listener = {
    onHint: (path?: string) => {
      if (path === undefined) hintsAtEverything++;
    },
    onFailure: ({ message }: Error) => told.push(/\(([A-Z]+)\)/.exec(message)?.[1] ?? message),
    onRecovery: () => told.push('recovered'),
  };
  keeper = new WatchKeeper(root, listener, () => now);
});
afterEach(async () => {
  failWatches(undefined);
  await keeper.close();
  rmSync(root, { recursive: true, force: true });
});

function keepWith(identityOfSub: string): void {
  const directories = new Map([
    ['graph', '1'],
    ['graph/sub', identityOfSub],
  ]);
  keeper.keep({ folders: ['graph'], ignore, linkTargets: new Set(), directories });
}

async function watchesBegun(count: number): Promise<void> {
  await vi.waitFor(() => expect(hintsAtEverything).toBe(count * hintsOfOneWatch), { timeout: 10_000 });
}

it('W4: begins a new watch when a folder inside of a node folder was made anew, and only then', async () => {
  keepWith('2');
  await watchesBegun(1);
  keepWith('2');
  keepWith('3');
  await watchesBegun(2);
  keepWith('3');
  expect(hintsAtEverything).toBe(2 * hintsOfOneWatch);
  expect(told).toEqual([]);
});

/** From now on the operating system refuses every watch with this code, as Node tells it; undefined: with none. */
function failWatches(code: string | undefined): void {
  fs.watch =
    code === undefined
      ? watch
      : () => {
          throw Object.assign(new Error(`${code}: refused`), { code });
        };
  syncBuiltinESMExports();
}

describe('a watch that fails', () => {
  it('is told of once for each cause, and tried again later and later, until all is watched', async () => {
    failWatches('ENOSPC');
    keepWith('2');
    await watchesBegun(1);
    expect(told).toEqual(['ENOSPC']);
    expect(keeper.isFailing).toBe(true);
    now = 1_999;
    keepWith('2');
    now = 2_000;
    failWatches('EMFILE');
    keepWith('2');
    await watchesBegun(2);
    expect(told).toEqual(['ENOSPC', 'EMFILE']);
    failWatches(undefined);
    now = 5_999;
    keepWith('2');
    now = 6_000;
    keepWith('2');
    await watchesBegun(3);
    expect(told).toEqual(['ENOSPC', 'EMFILE', 'recovered']);
    expect(keeper.isFailing).toBe(false);
    now = 1_000_000;
    keepWith('2');
    expect(hintsAtEverything).toBe(3 * hintsOfOneWatch);
  });
});

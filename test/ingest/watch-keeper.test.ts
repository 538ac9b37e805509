import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ignoreRules } from '../../src/ingest/ignore.js';
import { WatchKeeper } from '../../src/ingest/watch-keeper.js';

/** A watch has two parts, and each hints at everything once it is ready. */
const hintsOfOneWatch = 2;
const ignore = ignoreRules([]);

let root: string;
let keeper: WatchKeeper;
let hintsAtEverything = 0;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-keeper-')));
  mkdirSync(join(root, 'graph/sub'), { recursive: true });
  hintsAtEverything = 0;
  keeper = new WatchKeeper(root, {
    onHint: (path) => {
      if (path === undefined) hintsAtEverything++;
    },
    onError: (error) => expect.unreachable(String(error)),
  });
});
afterEach(async () => {
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
});

import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followChanges } from '../../src/ingest/changes.js';
import { ignoreRules } from '../../src/ingest/ignore.js';
import { type FolderWatch, watchedIdentity, watchFolders } from '../../src/ingest/watch.js';

/** Set by the tests of a host without watches left: chokidar then hears nothing and says ENOSPC, as it does there. */
const host = vi.hoisted(() => ({ hasNoWatches: false, watchers: [] as FSWatcher[], onOpened: () => {} }));
vi.mock('chokidar', async (importActual) => {
  const actual = await importActual<typeof import('chokidar')>();
  return {
    ...actual,
    watch: (...[paths, options]: Parameters<typeof actual.watch>) => {
      if (!host.hasNoWatches) {
        const watcher = actual.watch(paths, options);
        host.watchers.push(watcher);
        const { _nodeFsHandler: handler } = watcher;
        const open = handler._watchWithNodeFs.bind(handler);
        handler._watchWithNodeFs = (...given) => {
          queueMicrotask(() => host.onOpened());
          return open(...given);
        };
        return watcher;
      }
      const deaf = actual.watch([], options);
      const fail = () => deaf.emit('error', Object.assign(new Error('System limit reached'), { code: 'ENOSPC' }));
      setTimeout(() => [fail(), fail()], 20);
      return deaf;
    },
  };
});

let root: string;
let watched: FolderWatch | undefined;
let hints: (string | undefined)[];

beforeEach(() => {
  host.hasNoWatches = false;
  host.watchers = [];
  host.onOpened = () => {};
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-watch-')));
  mkdirSync(join(root, 'graph/sub'), { recursive: true });
  hints = [];
});
afterEach(async () => {
  await watched?.close();
  watched = undefined;
  rmSync(root, { recursive: true, force: true });
});

async function watch(folders = ['graph'], linkTargets: string[] = []) {
  const errors: unknown[] = [];
  watched = await watchFolders({
    root,
    folders,
    ignore: ignoreRules([]),
    linkTargets,
    onHint: (path) => hints.push(path),
    onError: (error) => errors.push(error),
    onReady: () => {},
  });
  await expect.poll(() => hints.length, { interval: 5 }).toBeGreaterThanOrEqual(2);
  hints = [];
  return errors;
}

const openWatches = () => process.getActiveResourcesInfo().filter((type) => type === 'FSEventWrap').length;

const hinted = (path: string | undefined) => expect.poll(() => hints, { interval: 5, timeout: 5_000 }).toContain(path);

describe('watchFolders', () => {
  it('stays closed when chokidar adds the parent of a folder that went, which would keep the process alive', async () => {
    await watch();
    await watched?.close();
    expect(host.watchers).toHaveLength(2);
    // What chokidar does itself when it hears of the removal only now.
    for (const watcher of host.watchers) watcher.add(root);
    expect(host.watchers.map(({ closed }) => closed)).toEqual([true, true]);
  });

  it('hints at the path of a document that is made, changed or removed', async () => {
    await watch();
    for (const act of [
      () => writeFileSync(join(root, 'graph/sub/a.json'), '1'),
      () => writeFileSync(join(root, 'graph/sub/a.json'), '22'),
      () => rmSync(join(root, 'graph/sub/a.json')),
    ]) {
      hints = [];
      act();
      await hinted('graph/sub/a.json');
    }
  });

  it('hints at everything when a folder comes or goes, and at the config file by its name', async () => {
    await watch();
    mkdirSync(join(root, 'graph/new'));
    await hinted(undefined);
    writeFileSync(join(root, 'toolgraph.config.json'), '{}');
    await hinted('toolgraph.config.json');
    hints = [];
    renameSync(join(root, 'graph'), join(root, 'away'));
    await hinted(undefined);
  });

  it('W16: hints at nothing for names that are ignored or no documents, and for the rest of the root', async () => {
    await watch();
    for (const name of ['graph/.a.json.swp', 'graph/a.json~', 'graph/a.txt', 'graph/4913', 'package.json']) {
      writeFileSync(join(root, name), '');
    }
    writeFileSync(join(root, 'graph/last.json'), '{}');
    await hinted('graph/last.json');
    expect(new Set(hints)).toEqual(new Set(['graph/last.json']));
  });

  it('hears of a folder that is the whole instance, and of a folder that is a link, under the path the config has', async () => {
    rmSync(join(root, 'graph'), { recursive: true });
    mkdirSync(join(root, 'real'));
    await watch(['.']);
    writeFileSync(join(root, 'real/a.json'), '{}');
    await hinted('real/a.json');
    await watched?.close();
    symlinkSync('real', join(root, 'linked'));
    hints = [];
    await watch(['linked']);
    writeFileSync(join(root, 'real/b.json'), '{}');
    await hinted('linked/b.json');
  });

  it('W7: watches nothing behind a node folder that is a link out of the instance', async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-outside-')));
    try {
      symlinkSync(outside, join(root, 'tools'));
      await watch(['graph', 'tools']);
      writeFileSync(join(outside, 'a.json'), '1');
      writeFileSync(join(root, 'graph/a.json'), '1');
      await hinted('graph/a.json');
      expect(hints).not.toContain('tools/a.json');
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('leaves no watch open when it is closed in the moment in which one is opened', async () => {
    let closing: Promise<void> | undefined;
    host.onOpened = () => {
      closing ??= watched?.close();
    };
    const unheard = { onHint() {}, onError() {}, onReady() {} };
    watched = await watchFolders({ root, folders: ['graph'], ignore: ignoreRules([]), linkTargets: [], ...unheard });
    await expect.poll(() => closing !== undefined, { interval: 5 }).toBe(true);
    await closing;
    await expect.poll(openWatches, { interval: 5 }).toBe(0);
  });

  it('is silent after close', async () => {
    await watch();
    await watched?.close();
    writeFileSync(join(root, 'graph/a.json'), '{}');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(hints).toEqual([]);
  });

  it('tells once that there are no watches left, and changes then arrive by looking', async () => {
    host.hasNoWatches = true;
    writeFileSync(join(root, 'graph/a.json'), '{}');
    const errors: unknown[] = [];
    const changed: string[] = [];
    const followed = followChanges({
      root,
      scan: { folders: [{ path: 'graph' }], ignore: [], documentBytes: 1_000, documents: 10 },
      onBatch: async (scan) => void changed.push(...scan.changed.map(({ path }) => path)),
      onError: (error) => errors.push(error),
      times: { intervalMs: 60_000 },
    });
    await followed.first;
    await expect.poll(() => errors.length, { interval: 5 }).toBeGreaterThan(0);
    writeFileSync(join(root, 'graph/b.json'), '{}');
    await expect.poll(() => changed, { timeout: 10_000 }).toEqual(['graph/a.json', 'graph/b.json']);
    await followed.close();
    expect(errors.map(String)).toEqual([
      expect.stringMatching(
        /^Error: the node folders cannot be watched \(ENOSPC\): .* raise fs\.inotify\.max_user_watches/,
      ),
    ]);
  });
});

describe('watchedIdentity (W4)', () => {
  it('stays the same while files come and go, and differs for a folder made anew at once, and for a missing one', () => {
    const before = watchedIdentity(root, ['graph']);
    writeFileSync(join(root, 'graph/a.json'), '{}');
    expect(watchedIdentity(root, ['graph'])).toBe(before);
    rmSync(join(root, 'graph'), { recursive: true });
    const missing = watchedIdentity(root, ['graph']);
    mkdirSync(join(root, 'graph'));
    const anew = watchedIdentity(root, ['graph']);
    expect(new Set([before, missing, anew]).size).toBe(3);
  });
});

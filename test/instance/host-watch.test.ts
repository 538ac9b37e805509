import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { InstanceConfig } from '../../src/instance/config.js';
import { readConfig } from '../../src/instance/config.js';
import { HostWatch } from '../../src/instance/host-watch.js';
import type { HostFacts } from '../../src/projection/host.js';
import { inotifyWatches } from './inotify-watches.js';

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return { ...fs, watch: vi.fn(fs.watch) };
});

let root: string;
let config: InstanceConfig;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-watch-')));
  ({ config } = readConfig(root));
});
afterEach(() => {
  vi.mocked(watch).mockClear();
  rmSync(root, { recursive: true, force: true });
});

function factsAbout(asked: { readonly commands?: string; readonly path?: string }): HostFacts {
  const answers = (name: string | undefined) => new Map(name === undefined ? [] : [[name, false]]);
  const none = { engines: new Map(), runtimes: new Map(), modules: new Map(), env: new Map() };
  return { os: 'linux', network: true, ...none, commands: answers(asked.commands), paths: answers(asked.path) };
}

function begin() {
  const onHint = vi.fn();
  const hostWatch = new HostWatch(root, { PATH: join(root, 'bin') }, onHint);
  onTestFinished(() => hostWatch.close());
  return {
    hostWatch,
    onHint,
    /** Follows new facts, and waits until this folder, and so every one, is watched. */
    follow: async (facts: HostFacts, folder: string) => {
      vi.mocked(watch).mockClear();
      hostWatch.follow(facts, config);
      await vi.waitFor(() => expect(watch).toHaveBeenCalledWith(join(root, folder), expect.anything()));
      await hinted(onHint);
      onHint.mockClear();
    },
  };
}

const hinted = (onHint: () => void) => vi.waitFor(() => expect(onHint).toHaveBeenCalled());

describe('a watch of the host', () => {
  it('hints at a path that comes or goes, and not at what is written to it or lies beside it', async () => {
    const { onHint, follow } = begin();
    await follow(factsAbout({ path: 'log.txt' }), '.');
    writeFileSync(join(root, 'log.txt'), '');
    await hinted(onHint);
    onHint.mockClear();
    for (let n = 0; n < 10; n++) appendFileSync(join(root, 'log.txt'), 'line\n');
    writeFileSync(join(root, 'beside.txt'), '');
    rmSync(join(root, 'log.txt'));
    await hinted(onHint);
    // The events of one folder come in order, so those of before have come.
    expect(onHint).toHaveBeenCalledTimes(1);
  });

  it('hints at a command that becomes another one', async () => {
    const { onHint, follow } = begin();
    mkdirSync(join(root, 'bin'));
    writeFileSync(join(root, 'bin/run'), '');
    await follow(factsAbout({ commands: 'run' }), 'bin');
    appendFileSync(join(root, 'bin/run'), 'x');
    await hinted(onHint);
  });

  it('hints at a folder that goes, and watches the one that is made in its place', async () => {
    const { onHint, follow } = begin();
    mkdirSync(join(root, 'a/b'), { recursive: true });
    await follow(factsAbout({ path: 'a/b/c' }), 'a/b');
    for (const [from, to] of [
      ['a', 'z'],
      ['z', 'a'],
    ] as const) {
      renameSync(join(root, from), join(root, to));
      await hinted(onHint);
      onHint.mockClear();
    }
    rmSync(join(root, 'a'), { recursive: true });
    await hinted(onHint);
    mkdirSync(join(root, 'a/b'), { recursive: true });
    await follow(factsAbout({ path: 'a/b/c' }), 'a/b');
    writeFileSync(join(root, 'a/b/c'), '');
    await hinted(onHint);
  });

  it.runIf(process.platform === 'linux')('has ended every watch when it is closed', async () => {
    const before = inotifyWatches();
    const { hostWatch, follow } = begin();
    mkdirSync(join(root, 'a/b'), { recursive: true });
    await follow(factsAbout({ path: 'a/b/c' }), 'a/b');
    expect(inotifyWatches()).toBe(before + 3);
    rmSync(join(root, 'a/b'), { recursive: true });
    mkdirSync(join(root, 'bin'));
    await follow(factsAbout({ path: 'a/b/c', commands: 'run' }), 'bin');
    expect(inotifyWatches()).toBe(before + 3);
    hostWatch.close();
    expect(inotifyWatches()).toBe(before);
  });

  it('says nothing of a folder that cannot be watched, and does not try it again at once', async () => {
    const { hostWatch, onHint } = begin();
    vi.mocked(watch).mockImplementationOnce(() => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    });
    hostWatch.follow(factsAbout({ path: 'x' }), config);
    await vi.waitFor(() => expect(watch).toHaveBeenCalledTimes(1));
    mkdirSync(join(root, 'bin'));
    hostWatch.follow(factsAbout({ path: 'x', commands: 'run' }), config);
    await hinted(onHint);
    expect(vi.mocked(watch).mock.calls.map(([folder]) => folder)).toEqual([root, join(root, 'bin')]);
  });
});

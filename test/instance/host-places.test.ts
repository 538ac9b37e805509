import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hostPlaces } from '../../src/instance/host-places.js';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-places-')));
});
afterEach(() => rmSync(root, { recursive: true }));

interface Asked {
  readonly commands?: readonly string[];
  readonly engines?: readonly string[];
  readonly runtimes?: readonly string[];
  readonly paths?: readonly string[];
  readonly modules?: readonly string[];
}

const asked = (names: readonly string[] = []) => new Map(names.map((name) => [name, false]));

/** By the path of a folder from the root, its names; a name ends in `*` when its mode matters. */
function placesOf(
  { commands, engines, runtimes, paths, modules }: Asked,
  path = '',
  runtime: Record<string, string | boolean> = {},
) {
  const facts = {
    commands: asked(commands),
    runtimes: asked(runtimes),
    paths: asked(paths),
    engines: asked(engines),
    modules: asked(modules),
  };
  const config = { host: { runtime: new Map(Object.entries(runtime)), os: undefined, network: undefined } };
  const places = hostPlaces(facts, config, root, { PATH: path });
  return Object.fromEntries(
    [...places].map(([folder, names]) => [
      folder === root ? '.' : folder.slice(root.length + 1),
      [...names].map(([name, matters]) => name + (matters === 'mode' ? '*' : '')).join(' '),
    ]),
  );
}

it('are the folders of PATH that are there, without links and once each, for every command', () => {
  for (const folder of ['a', 'b']) mkdirSync(join(root, folder));
  symlinkSync(join(root, 'a'), join(root, 'link'));
  const path = ['a', 'link', 'missing', 'b'].map((folder) => join(root, folder)).join(':');
  const runtime = { node: 'nodejs', bun: true };
  expect(
    placesOf({ commands: ['Git'], runtimes: ['deno', 'node', 'bun', 'python:yaml'] }, `${path}:relative:`, runtime),
  ).toEqual({ a: 'git* deno* nodejs* python3*', b: 'git* deno* nodejs* python3*' });
  expect(placesOf({ engines: ['podman', 'docker'] }, path)).toEqual({ a: 'podman* docker*', b: 'podman* docker*' });
  expect(placesOf({ paths: [] }, path)).toEqual({});
});

it('are every folder that is there on the way to a path, and in each the next step', () => {
  mkdirSync(join(root, 'a/b'), { recursive: true });
  writeFileSync(join(root, 'file'), '');
  expect(
    placesOf({ paths: ['a/b/c/d', 'a/x', 'file/y'], commands: ['./a/b/run.sh', 'a/x'], modules: ['a/m.js'] }),
  ).toEqual({
    '.': 'a file',
    a: 'b x* m.js*',
    'a/b': 'run.sh* c',
    file: 'y',
  });
});

it('follow links inside of the instance, and never lead out of it', () => {
  mkdirSync(join(root, 'instance/releases/1'), { recursive: true });
  mkdirSync(join(root, 'outside'));
  symlinkSync('releases/1', join(root, 'instance/current'));
  symlinkSync('../outside', join(root, 'instance/out'));
  const all = root;
  root = join(root, 'instance');
  try {
    expect(placesOf({ paths: ['current/x', 'out/y'], commands: ['../outside/run', 'a\0/b'] })).toEqual({
      '.': 'current out',
      'releases/1': 'x',
    });
  } finally {
    root = all;
  }
});

it('are bounded, however much is asked', () => {
  for (let n = 0; n < 300; n++) mkdirSync(join(root, `folder-${n}`));
  const paths = Array.from({ length: 1500 }, (_, n) => `folder-${n}/x`);
  const places = placesOf({ paths });
  expect(Object.keys(places)).toHaveLength(256);
  expect(places['.']?.split(' ')).toHaveLength(1000);
});

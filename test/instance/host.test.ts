import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InstanceConfig } from '../../src/instance/config.js';
import { observeHost } from '../../src/instance/host.js';
import { PythonModules } from '../../src/instance/python-modules.js';
import type { HostQuestions } from '../../src/projection/host.js';

let parent: string;
let root: string;
let bin: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'toolgraph-host-'));
  root = join(parent, 'instance');
  bin = join(parent, 'bin');
  mkdirSync(root);
  mkdirSync(bin);
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const noConfig: Pick<InstanceConfig, 'host' | 'env' | 'engine'> = { host: { runtime: new Map() }, env: [] };

const noQuestions: HostQuestions = {
  ...{ commands: new Set(), modules: new Set(), engines: new Set() },
  ...{ runtimes: new Set(), env: new Set(), paths: new Set() },
};

function observe(questions: Partial<Record<keyof HostQuestions, string[]>>, config = noConfig, env = { PATH: bin }) {
  const asked = {
    commands: new Set(questions.commands),
    engines: new Set(questions.engines),
    runtimes: new Set(questions.runtimes),
    env: new Set(questions.env),
    paths: new Set(questions.paths),
    modules: new Set(questions.modules),
  };
  return observeHost(asked, config, root, env);
}

function executable(path: string, text = '#!/bin/sh\n') {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

describe('observeHost (P12)', () => {
  it('finds a command on PATH only when it is an executable file', async () => {
    executable(join(bin, 'good'));
    writeFileSync(join(bin, 'plain'), '');
    mkdirSync(join(bin, 'folder'));
    const { commands } = await observe({ commands: ['good', 'plain', 'folder', 'none', '', 'a\0b', '..'] });
    expect([...commands].filter(([, found]) => found)).toEqual([['good', true]]);
    expect(commands.size).toBe(7);
  });

  it('does not look in relative or empty entries of PATH, which would mean the current folder', async () => {
    const name = `toolgraph-host-test-${process.pid}`;
    const here = join(process.cwd(), name);
    executable(here);
    try {
      for (const path of ['', '.', `${delimiter}${bin}`]) {
        const { commands } = await observe({ commands: [name] }, noConfig, { PATH: path });
        expect(commands.get(name)).toBe(false);
      }
    } finally {
      rmSync(here);
    }
  });

  it('finds a command with a slash in the instance, and never outside it', async () => {
    mkdirSync(join(root, 'scripts'));
    executable(join(root, 'scripts/run'));
    writeFileSync(join(root, 'scripts/plain'), '');
    executable(join(parent, 'outside'));
    symlinkSync('../../outside', join(root, 'scripts/link'));
    const asked = ['scripts/run', './scripts/run', 'scripts/plain', '../outside', 'scripts/link', '/bin/sh'];
    const { commands } = await observe({ commands: asked });
    expect([...commands].filter(([, found]) => found).map(([name]) => name)).toEqual(['./scripts/run', 'scripts/run']);
  });

  it('answers for a runtime what the config states, the command it names, or the command of that name', async () => {
    executable(join(bin, 'nodejs'));
    executable(join(bin, 'bun'));
    const runtime = new Map<string, boolean | string>([
      ['node', 'nodejs'],
      ['bun', false],
      ['gpu', true],
      ['go', 'golang'],
    ]);
    const { runtimes } = await observe(
      { runtimes: ['node', 'bun', 'gpu', 'go', 'nodejs'] },
      { host: { runtime }, env: [] },
    );
    expect(Object.fromEntries(runtimes)).toEqual({ node: true, bun: false, gpu: true, go: false, nodejs: true });
  });

  it('takes operating system and network from the config, else from the host', async () => {
    const stated = { host: { os: 'plan9', network: true, runtime: new Map() }, env: [] };
    expect(await observe({}, stated)).toMatchObject({ os: 'plan9', network: true });
    expect(await observe({}, { ...stated, host: { ...stated.host, network: false } })).toMatchObject({
      network: false,
    });
    expect((await observe({})).os).toBe(process.platform);
  });

  it('counts a variable only when it is set and the config permits it', async () => {
    const env = { PATH: bin, GH_TOKEN: 'x', SECRET: 'y' };
    const asked = ['GH_TOKEN', 'SECRET', 'UNSET', 'toString'];
    const config = { ...noConfig, env: ['GH_TOKEN', 'UNSET', 'toString'] };
    const facts = await observe({ env: asked }, config, env);
    expect(Object.fromEntries(facts.env)).toEqual({ GH_TOKEN: true, SECRET: false, UNSET: false, toString: false });
  });

  it('finds paths in the instance, and none through a link that leads out', async () => {
    writeFileSync(join(root, 'package.json'), '{}');
    writeFileSync(join(parent, 'secret'), '');
    symlinkSync('..', join(root, 'up'));
    symlinkSync('nothing', join(root, 'dangling'));
    const asked = ['package.json', 'missing', 'up/secret', 'up', 'dangling', '.', 'a\0b'];
    const { paths } = await observe({ paths: asked });
    expect([...paths].filter(([, exists]) => exists).map(([path]) => path)).toEqual(['.', 'package.json']);
  });

  it('answers no to everything of an instance that is not there', async () => {
    rmSync(root, { recursive: true });
    const facts = await observe({ commands: ['a/b'], paths: ['x'] });
    expect(facts.commands.get('a/b')).toBe(false);
    expect(facts.paths.get('x')).toBe(false);
  });
});

describe('python modules', () => {
  /** Stands in for python3 where its absence or its behaviour is what is tested. */
  function python(lines: string) {
    executable(join(bin, 'python3'), `#!/bin/sh\n${lines}\n`);
  }

  it('asks one process for all modules, passes names as arguments only, and refuses names that are none', async () => {
    python(`echo run >> '${parent}/runs'; echo '["yaml","os.path"]'`);
    const { runtimes } = await observe({
      runtimes: ['python:yaml', 'python:os.path', 'python:-c', 'python:a;b', 'python:x'],
    });
    expect(Object.fromEntries(runtimes)).toEqual({
      'python:yaml': true,
      'python:os.path': true,
      'python:-c': false,
      'python:a;b': false,
      'python:x': false,
    });
    expect(readFileSync(join(parent, 'runs'), 'utf8')).toBe('run\n');
  });

  it('remembers an answer for eight seconds, or until it is told to forget, and longer when python3 then fails', async () => {
    let now = 0;
    const modules = new PythonModules(5_000, () => now);
    const ask = () => modules.installed(new Set(['yaml']), { PATH: bin });
    expect(await ask()).toEqual(new Set());
    python(`echo '["yaml"]'`);
    now = 7_000;
    expect(await ask()).toEqual(new Set());
    now = 8_001;
    expect(await ask()).toEqual(new Set(['yaml']));
    python('exit 3');
    now = 30_000;
    expect(await ask()).toEqual(new Set(['yaml']));
  });

  it('counts modules as missing when python3 fails or talks nonsense', async () => {
    const ask = () => new PythonModules().installed(new Set(['yaml']), { PATH: bin });
    python('exit 3');
    expect(await ask()).toEqual(new Set());
    python('echo nonsense');
    expect(await ask()).toEqual(new Set());
  });

  it('finds real modules without running the code of a package', async (context) => {
    const env = { PATH: process.env.PATH, HOME: parent };
    const facts = await observeHost({ ...noQuestions, commands: new Set(['python3']) }, noConfig, root, env);
    if (facts.commands.get('python3') !== true) return context.skip('no python3 on this host');
    const names = new Set(['json', 'sys', 'importlib.metadata', 'json.nothing', 'no_such_module_x']);
    const found = await new PythonModules(50_000).installed(names, env);
    expect([...found].sort()).toEqual(['importlib.metadata', 'json', 'sys']);
  });
});

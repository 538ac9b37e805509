import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeInstance } from '../e2e/harness.js';
import { toolNode } from '../e2e/instance.js';
import { run, startCli } from './cli-process.js';

describe('toolgraph', () => {
  it('prints the version of package.json on stdout', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('lists today’s commands and exits 0 when help is asked for', async () => {
    const { code, stdout, stderr } = await run(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
    expect(commands).toEqual([
      'serve',
      'check',
      'contract',
      'tools',
      'why',
      'call',
      'query',
      'log',
      'history',
      'diff',
      'export',
      'build',
      'init',
      'token',
      'reset',
      'help',
    ]);
    expect([...stdout.matchAll(/^ {2}(\d) {2}\w/gm)].map(([, exitCode]) => exitCode)).toEqual(['0', '1', '2']);
    expect(stdout).toMatch(/^Example:\n {2}\$ toolgraph check /m);
  });

  it.each([
    [[], 'Usage: toolgraph'],
    [['sevre'], 'Did you mean serve?'],
    [['serv'], 'Did you mean serve?'],
    [['tools', '.', 'another'], 'too many arguments'],
    [['tools', '--tiers', 'internal'], 'internal are never served'],
    [['check', '--format', 'xml'], 'Allowed choices are text, json, sarif, github'],
    [['serve', '--http', 'x:y'], 'Expected PORT or HOST:PORT'],
    [['why'], "missing required argument 'ID'"],
    [['call', 'x', '--args', '{"a":'], '--args is not JSON'],
    [['call', 'x', '--args', '[1]'], '--args is not a JSON object'],
    [['call', 'x', '--args', 'null'], '--args is not a JSON object'],
  ])('exits 2 on wrong usage, with words on stderr and nothing on stdout: %j', async (words, said) => {
    const { code, stdout, stderr } = await run(words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
  });

  it.each([
    [['serve', '/no/such/folder'], 'toolgraph: DIR /no/such/folder: no such directory\n'],
    [['check', '/no/\u001b[2J'], 'toolgraph: DIR /no/\\u001b[2J: no such directory\n'],
    [['why', 'x', process.execPath], `toolgraph: DIR ${process.execPath}: not a directory\n`],
  ])('exits 2 with one line where DIR is none: %j', async (words, stderr) => {
    expect(await run(words)).toEqual({ code: 2, stdout: '', stderr });
  });

  it.each(['check', 'tools', 'serve'])('%s tells on stderr how to begin in a folder without nodes', async (command) => {
    const instance = await makeInstance();
    await instance.write('graph/readme.txt', '');
    const { code, stderr } = await run([command, instance.root]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^toolgraph: there is no tool yet: .* graph\/tools\/<id>\.json$/m);
  });

  it('starts cheaply: until a command runs, no dependency but these is loaded', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolgraph-coverage-'));
    try {
      await run(['--version'], { env: { NODE_V8_COVERAGE: folder } });
      const loaded = readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), 'utf8'))
        .flatMap((text) => [...text.matchAll(/node_modules\/((?:@[^/"]+\/)?[^/"]+)/g)].map(([, name]) => name));
      expect([...new Set(loaded)].sort()).toEqual(['commander', 'picocolors']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is quiet when the reader of stdout goes away', async () => {
    const instance = await makeInstance([toolNode('a', { description: 'x'.repeat(16_000) })]);
    const child = startCli(['tools', instance.root, '--json']);
    child.stdout.destroy();
    child.stdin.end();
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stderr).toBe('');
  });
});

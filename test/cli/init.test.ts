import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigSchema } from '../../schemas/config.js';
import { ToolSchema } from '../../schemas/tool-rules.js';
import { initFiles, initPaths } from '../../src/cli/init-files.js';
import { NewFilesError, writeNewFiles } from '../../src/cli/new-files.js';
import { makeInstance, startServer } from '../e2e/harness.js';
import type { Instance } from '../e2e/instance.js';
import { run } from './cli-process.js';

const paths = Object.values(initPaths);

async function emptyFolder(): Promise<Instance> {
  const instance = await makeInstance();
  await instance.remove('graph');
  return instance;
}

describe('toolgraph init', () => {
  it('makes an instance that passes its check, and whose tool is listed, called and served', async () => {
    const parent = await emptyFolder();
    const root = parent.path('new folder/here');
    const made = await run(['init', root]);
    expect([made.code, made.stdout]).toEqual([0, paths.map((path) => `${path}\n`).join('')]);
    expect(made.stderr).toContain(`toolgraph tools '${root}'`);

    const check = await run(['check', root]);
    expect([check.code, check.stdout]).toEqual([0, '0 errors, 0 warnings; 1 tool served\n']);
    const { tools } = JSON.parse((await run(['tools', root, '--json'])).stdout) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['disk_usage']);
    const call = await run(['call', 'disk-usage', root, '--args', '{"paths":["graph","toolgraph.config.json"]}']);
    expect([call.code, call.stderr]).toEqual([0, '']);
    expect(call.stdout).toMatch(/^\d+\s+graph\n\d+\s+toolgraph\.config\.json\n$/);
    expect((await run(['call', 'disk-usage', root])).stdout).toMatch(/^\d+\s+\.\n$/);
    const session = await startServer({ root }).open('2025-11-25');
    expect(await session.names()).toEqual(['disk_usage']);
  });

  it('tells how to register it with a client, in JSON that starts the server', async () => {
    const folder = await emptyFolder();
    const { stderr } = await run(['init', '.'], { cwd: folder.root });
    const { mcpServers } = JSON.parse(stderr.slice(stderr.indexOf('{'))) as {
      mcpServers: Record<string, { command: string; args: string[] }>;
    };
    const [[name, { command, args }] = ['', { command: '', args: [] }]] = Object.entries(mcpServers);
    expect([name, command]).toEqual([basename(folder.root).toLowerCase(), 'node']);
    expect(args.slice(1)).toEqual(['serve', folder.root]);
    const answer = execFileSync(process.execPath, args, {
      input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`,
      encoding: 'utf8',
    });
    expect(JSON.parse(answer)).toMatchObject({ id: 1 });
  });

  it('leaves other files alone, and refuses when one would be overwritten, which it names', async () => {
    const folder = await emptyFolder();
    await folder.write('graph/tools/other.json', 'mine');
    await folder.write(initPaths.tool, 'mine too');
    const { code, stdout, stderr } = await run(['init', folder.root]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `toolgraph: already there: ${initPaths.tool}; nothing was written, so remove it or take another DIR\n`,
    );
    expect(readdirSync(folder.root, { recursive: true }).sort()).toEqual([
      'graph',
      'graph/tools',
      'graph/tools/disk-usage.json',
      'graph/tools/other.json',
    ]);
    expect(readFileSync(folder.path(initPaths.tool), 'utf8')).toBe('mine too');
    await folder.remove(initPaths.tool);
    expect((await run(['init', folder.root])).code).toBe(0);
    expect(readFileSync(folder.path('graph/tools/other.json'), 'utf8')).toBe('mine');
  });

  it('exits 2 without DIR, and where DIR is a file', async () => {
    const folder = await emptyFolder();
    await folder.write('file', '');
    expect((await run(['init'])).code).toBe(2);
    const { code, stderr } = await run(['init', folder.path('file')]);
    expect([code, stderr]).toEqual([2, `toolgraph: DIR ${folder.path('file')}: not a directory\n`]);
    expect((await run(['init', folder.path('file/inside')])).code).toBe(1);
  });
});

describe('initFiles', () => {
  it('are a valid config and a valid Tool, named by the schemas of an installed toolgraph where there is one', () => {
    for (const schemas of [undefined, 'node_modules/toolgraph/schemas/generated']) {
      const files = initFiles('here', schemas);
      const config = JSON.parse(files.get(initPaths.config) ?? '');
      const tool = JSON.parse(files.get(initPaths.tool) ?? '');
      expect(ConfigSchema.parse(config).name).toBe('here');
      expect(ToolSchema.parse(tool)).toMatchObject({ id: 'disk-usage', effect: 'read' });
      const start = schemas === undefined ? undefined : `./${schemas}/config.schema.json`;
      expect(config.$schema).toBe(start);
      expect(tool.$schema).toBe(start === undefined ? undefined : `../../${schemas}/tool.schema.json`);
    }
  });
});

describe('writeNewFiles', () => {
  const files = new Map([
    ['a/b/one', '1'],
    ['a/two', '2'],
    ['three/file', '3'],
  ]);

  it('removes what it has written when a later file cannot be, with the folders that it made', async () => {
    const { root } = await emptyFolder();
    writeFileSync(join(root, 'three'), 'in the way of a folder');
    expect(() => writeNewFiles(root, files)).toThrow(
      new NewFilesError('three/file cannot be written (ENOTDIR); nothing was left behind'),
    );
    expect(readdirSync(root)).toEqual(['three']);
    expect(() => writeNewFiles(join(root, 'new/root'), new Map([...files, ['a/two/x', '']]))).toThrow('ENOTDIR');
    expect(existsSync(join(root, 'new'))).toBe(false);
  });

  it('keeps a folder that was there', async () => {
    const { root } = await emptyFolder();
    mkdirSync(join(root, 'a'));
    writeFileSync(join(root, 'three'), '');
    expect(() => writeNewFiles(root, files)).toThrow('nothing was left behind');
    expect(readdirSync(join(root, 'a'))).toEqual([]);
  });

  it('takes a link that leads nowhere for a file that is there', async () => {
    const { root } = await emptyFolder();
    mkdirSync(join(root, 'a'));
    symlinkSync(join(root, 'elsewhere'), join(root, 'a/two'));
    expect(() => writeNewFiles(root, files)).toThrow('already there: a/two; nothing was written');
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(['a', 'a/two']);
  });

  it.runIf(process.getuid?.() !== 0)('says that a folder cannot be written', async () => {
    const { root } = await emptyFolder();
    chmodSync(root, 0o555);
    expect(() => writeNewFiles(root, files)).toThrow('a/b/one cannot be written (EACCES); nothing was left behind');
    chmodSync(root, 0o755);
  });
});

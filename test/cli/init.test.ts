import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { ConfigSchema } from '../../schemas/config.js';
import { ToolSchema } from '../../schemas/tool-rules.js';
import { initFiles, initPaths, schemaFolders } from '../../src/cli/init-files.js';
import { NewFilesError, writeNewFiles } from '../../src/cli/new-files.js';
import { makeInstance, startServer } from '../e2e/harness.js';
import type { Instance } from '../e2e/instance.js';
import { run } from './cli-process.js';

const copies = ['tool', 'skill', 'config'].map((name) => `schemas/toolgraph/${name}.schema.json`);
const paths = [...Object.values(initPaths), ...copies];

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

/** What the schema that a file names says of the file; the schema is found as an editor finds it. */
function judgedByItsSchema(root: string, path: string): boolean {
  const value = JSON.parse(readFileSync(join(root, path), 'utf8')) as { $schema: string };
  const schema = JSON.parse(readFileSync(resolve(root, dirname(path), value.$schema), 'utf8'));
  return new Ajv2020({ strict: false }).compile(schema)(value);
}

describe('The schemas for editors', () => {
  it('lie in the instance, where the node and the config find them', async () => {
    const { root } = await emptyFolder();
    await run(['init', root]);
    expect(judgedByItsSchema(root, initPaths.tool)).toBe(true);
    expect(judgedByItsSchema(root, initPaths.config)).toBe(true);
    const tool = JSON.parse(readFileSync(join(root, initPaths.tool), 'utf8'));
    writeFileSync(join(root, initPaths.tool), JSON.stringify({ ...tool, invok: {} }));
    expect(judgedByItsSchema(root, initPaths.tool)).toBe(false);
  });

  it('are those of the package where it is installed in the folder', async () => {
    const { root } = await emptyFolder();
    mkdirSync(join(root, 'node_modules'));
    symlinkSync(fileURLToPath(new URL('../..', import.meta.url)), join(root, 'node_modules/toolgraph'));
    const { code, stdout } = await run(['init', root]);
    expect([code, stdout]).toEqual([0, `${Object.values(initPaths).join('\n')}\n`]);
    expect(judgedByItsSchema(root, initPaths.tool)).toBe(true);
    expect(judgedByItsSchema(root, initPaths.config)).toBe(true);
  });

  it('are brought up to date by --schemas, which leaves everything else alone', async () => {
    const folder = await emptyFolder();
    await run(['init', folder.root]);
    const [tool = ''] = copies;
    const current = readFileSync(folder.path(tool), 'utf8');
    await folder.write(tool, '{}');
    await folder.write(initPaths.config, '{"name":"mine"}');
    expect(await run(['init', folder.root, '--schemas'])).toEqual({
      code: 0,
      stdout: copies.map((path) => `${path}\n`).join(''),
      stderr: '',
    });
    expect(readFileSync(folder.path(tool), 'utf8')).toBe(current);
    expect(readFileSync(folder.path(initPaths.config), 'utf8')).toBe('{"name":"mine"}');
    await folder.remove('schemas');
    await folder.write('schemas', 'in the way');
    const refused = await run(['init', folder.root, '--schemas']);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/^toolgraph: schemas\/toolgraph\/tool\.schema\.json cannot be written: /);
  });
});

describe('initFiles', () => {
  it('are a valid config and a valid Tool', () => {
    const files = initFiles('here', schemaFolders.copied);
    expect(ConfigSchema.parse(JSON.parse(files.get(initPaths.config) ?? '')).name).toBe('here');
    expect(ToolSchema.parse(JSON.parse(files.get(initPaths.tool) ?? ''))).toMatchObject({ id: 'disk-usage' });
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

import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { type Ran, run } from '../cli/cli-process.js';
import { makeInstance } from './harness.js';
import { type Instance, nodePath, toolNode, typeIri } from './instance.js';

async function git(folder: string, ...words: readonly string[]): Promise<string> {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'init.defaultBranch=main'];
  return (await execa('git', [...identity, '-C', folder, ...words])).stdout;
}

async function commit({ root }: Pick<Instance, 'root'>, message: string): Promise<void> {
  await git(root, 'add', '-A');
  await git(root, 'commit', '-qm', message);
}

const word = { name: 'word', schema: typeIri('Word'), arg: { positional: 0 } };

/** In a repository, with `one` and `two` in its first commit. */
async function repository(): Promise<Instance> {
  const instance = await makeInstance([toolNode('one', { io: { inputs: [word], outputs: [] } }), toolNode('two')]);
  await instance.write('.gitignore', '.toolgraph/\n');
  await git(instance.root, 'init', '-q');
  await commit(instance, 'first');
  return instance;
}

function diff(instance: Instance, ...words: readonly string[]): Promise<Ran> {
  return run(['diff', ...words, instance.root]);
}

/** Name, kind of change, and codes with `!` where callers break. */
async function told(instance: Instance, ...words: readonly string[]): Promise<string[]> {
  const { stdout, stderr } = await diff(instance, ...words, '--json');
  expect(stderr).toBe('');
  const { tools } = JSON.parse(stdout) as {
    tools: { name: string; change: string; changes: { code: string; breaks: boolean }[] }[];
  };
  return tools.map(
    ({ name, change, changes }) => `${name} ${change} ${changes.map(({ code, breaks }) => code + (breaks ? '!' : ''))}`,
  );
}

const leftovers = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('toolgraph-diff-'));

describe('toolgraph diff', () => {
  it('compares the last commit with the folder as it is, and exits 1 where callers break', async () => {
    const instance = await repository();
    expect(await diff(instance)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/2 as before\nnothing breaks callers\n$/),
    });
    await instance.writeTypes({ Word: { type: 'string', pattern: '^[a-z]{1,3}$', description: 'A word' } });
    await instance.remove(nodePath('two'));
    await instance.write(nodePath('three'), toolNode('three'));
    const before = await leftovers();
    const { code, stdout, stderr } = await diff(instance);
    expect([code, stderr]).toEqual([1, '']);
    const [head = '', ...lines] = stdout.split('\n');
    expect(head).toMatch(/^from HEAD \([0-9a-f]{12}\) "first" to the folder as it is now$/);
    expect(lines).toEqual([
      '~ one changed, breaks callers',
      '    breaks input-narrowed: input "word" does not take strings that do not match ^[a-z]{1,3}$ any more',
      '      example: {"word":"aaaa"}',
      '+ three added',
      '    added: it is new',
      '- two removed, breaks callers',
      '    breaks removed: there is no such tool any more',
      '3 tools: 1 added, 1 removed, 1 changed, 0 as before',
      '2 tools break callers',
      '',
    ]);
    expect(await leftovers()).toEqual(before);
  });

  it('compares two revisions, each with the config that it has, whatever the folder is now', async () => {
    const instance = await repository();
    await instance.write(
      nodePath('one'),
      toolNode('one', { io: { inputs: [{ ...word, required: true }], outputs: [] } }),
    );
    await instance.write(nodePath('two'), toolNode('two', { tier: 'deprecated', deprecated: { reason: 'slow' } }));
    await instance.config({ tiers: ['stable', 'deprecated'] });
    await commit(instance, 'second');
    await instance.config({ prefix: 'p' });
    await commit(instance, 'third');
    await instance.remove('graph/tools');
    expect(await told(instance, 'HEAD~2', 'HEAD~1')).toEqual(['one changed input-required!', 'two changed words,node']);
    expect(await told(instance, 'HEAD~1', 'HEAD~2')).toEqual(['one changed input-optional', 'two changed words,node']);
    expect(await told(instance, 'HEAD~1', 'main')).toEqual([
      'one removed removed!',
      'p_one added added',
      'two removed removed!',
    ]);
    const { code, stdout } = await diff(instance, 'HEAD~2', 'HEAD~1', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      breaks: true,
      decided: true,
      before: {
        kind: 'revision',
        name: 'HEAD~2',
        commit: await git(instance.root, 'rev-parse', 'HEAD~2'),
        subject: 'first',
        problems: [],
      },
      after: { kind: 'revision', name: 'HEAD~1', subject: 'second' },
      counts: { added: 0, removed: 0, changed: 2, same: 0 },
      tools: [
        {
          id: 'one',
          breaks: true,
          document: 'graph/tools/one.json',
          pointer: '',
          changes: [{ message: 'input "word" has to be given now; a call without it is refused', example: {} }],
          undecided: [],
        },
        { id: 'two', breaks: false },
      ],
    });
    expect((await diff(instance, 'HEAD~1', 'HEAD~1')).code).toBe(0);
  });

  it('runs no hook, filter, monitor or module of the repository', async () => {
    const instance = await repository();
    const trap = instance.path('sprung');
    await instance.script('trap.sh', [`touch ${trap}`, 'cat']);
    await instance.write('.gitattributes', '*.json filter=trap diff=trap\n');
    await instance.write(
      'graph/tools/module.mjs',
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(trap)}, '');\nexport const f = () => 1;\n`,
    );
    const inProcess = { module: 'graph/tools/module.mjs', register: 'f' };
    await instance.write(nodePath('in-process'), toolNode('in-process', { invoke: { inProcess } }));
    await commit(instance, 'second');
    for (const key of [
      'core.fsmonitor',
      'filter.trap.smudge',
      'filter.trap.clean',
      'diff.trap.textconv',
      'core.pager',
      'gpg.program',
    ])
      await git(instance.root, 'config', key, instance.path('trap.sh'));
    await git(instance.root, 'config', 'log.showSignature', 'true');
    await instance.script('.git/hooks/post-checkout', [`touch ${trap}`]);
    expect(await told(instance, 'HEAD~1', 'HEAD')).toEqual(['in_process added added']);
    expect(existsSync(trap)).toBe(false);
  });

  it('finds an instance below the top, what it includes, and documents behind links', async () => {
    const outside = await makeInstance([toolNode('outside')]);
    await outside.config({ base: 'urn:outside:' });
    const instance = await repository();
    const inner = instance.path('apps/inner');
    await mkdir(inner, { recursive: true });
    await rename(instance.path('graph'), `${inner}/nodes`);
    await symlink('nodes', `${inner}/graph`);
    await cp(outside.root, instance.path('apps/beside'), { recursive: true });
    await instance.write('apps/beside/graph/tools/outside.json', toolNode('beside'));
    await instance.write('apps/beside/toolgraph.config.json', { base: 'urn:beside:' });
    const include = ['../beside', { path: `../../../${outside.root.split('/').at(-1)}` }];
    await instance.write('apps/inner/toolgraph.config.json', { name: 'inner', include });
    await commit(instance, 'inner');
    await instance.write('apps/inner/nodes/tools/two.json', toolNode('two', { requiresConfirmation: true }));
    await instance.write('apps/beside/graph/tools/outside.json', toolNode('beside', { title: 'Another' }));
    await outside.remove(nodePath('outside'));
    const { code, stdout, stderr } = await run(['diff', 'HEAD', `${inner}/`]);
    expect(stderr).toMatch(/^toolgraph: HEAD: "\.\.\/\.\.\/\.\.\/[^"]+" is not in it, and is taken as it is now\n$/);
    expect(stdout.split('\n').filter((line) => /^[+~-]/.test(line))).toEqual([
      '~ beside changed',
      '~ two changed, breaks callers',
    ]);
    expect(code).toBe(1);
    // At the first commit the instance lay at the top.
    const first = await run(['diff', 'HEAD~1', 'HEAD', `${inner}/`]);
    expect(first.stderr).toContain('HEAD~1: there is no toolgraph.config.json and no graph/ in it, so no tool');
    expect(first.code).toBe(0);
  });

  it('says of what is a problem now that it is one, and exits 1', async () => {
    const instance = await repository();
    await instance.write(nodePath('one'), { ...toolNode('one'), satisfies: [] });
    await instance.write(nodePath('two'), '{ "id": ');
    const { code, stdout } = await diff(instance);
    expect(code).toBe(1);
    expect(stdout).toContain('    breaks removed: it is a problem and not served: ');
    expect(stdout).toMatch(/^problem now: graph\/tools\/two\.json:1:\d+: unreadable: /m);
    await commit(instance, 'broken');
    await instance.write(nodePath('one'), toolNode('one'));
    await instance.write(nodePath('two'), toolNode('two'));
    expect((await diff(instance)).code).toBe(0);
  });

  it.each<[string, readonly string[], RegExp]>([
    ['an unknown revision', ['no-such'], /^toolgraph: no-such: there is no such revision\n$/],
    ['a range', ['main..HEAD'], /^toolgraph: write the two revisions of main\.\.HEAD as two words\n$/],
    ['an option', ['--', '--output=x'], /^toolgraph: "--output=x" is no git revision\n$/],
  ])('exits 2 on %s', async (_, words, expected) => {
    const instance = await repository();
    const { code, stdout, stderr } = await diff(instance, ...words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(expected);
  });

  it('exits 2 where there is no repository, or no such folder', async () => {
    const instance = await makeInstance([toolNode('one')]);
    const { code, stderr } = await diff(instance);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^toolgraph: HEAD: not a git repository/);
    expect((await run(['diff', 'HEAD', 'HEAD', './nowhere'])).code).toBe(2);
  });

  it('compares two generations by number, and one with that of the folder as it is now', async () => {
    const instance = await makeInstance([toolNode('one', { io: { inputs: [word], outputs: [] } }), toolNode('two')]);
    const generation = async () =>
      JSON.parse((await run(['tools', instance.root, '--json'])).stdout).generation as number;
    expect(await generation()).toBe(1);
    await instance.write(
      nodePath('one'),
      toolNode('one', { io: { inputs: [{ ...word, required: true }], outputs: [] } }),
    );
    await instance.write(nodePath('two'), toolNode('two', { title: 'Another', requires: { env: ['NOT_SET'] } }));
    await instance.write(nodePath('three'), toolNode('three'));
    expect(await generation()).toBe(2);
    const two = 'two removed removed!';
    expect(await told(instance, '1', '2')).toEqual(['one changed input-required!', 'three added added', two]);
    expect(await told(instance, '2', '1')).toEqual([
      'one changed input-optional',
      'three removed removed!',
      'two added added',
    ]);
    await instance.write(nodePath('three'), toolNode('three', { description: 'Says three', satisfies: ['other'] }));
    expect(await told(instance, '2')).toEqual(['three changed words,node']);
    const { code, stdout } = await diff(instance, '1', '3');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^from generation 1 \(20\d\d-[^)]*Z\) to generation 3 \(20/);
    expect(stdout).toContain('it is not offered any more: it needs the environment variable NOT_SET');
    expect((await diff(instance, '2', '3')).code).toBe(0);
    // What a type was then is not kept: where it matters, it is not known whether callers break.
    await instance.writeTypes({ Word: { type: 'string', pattern: '^[a-z]{1,3}$', description: 'A word' } });
    expect(await generation()).toBe(4);
    const narrowed = await diff(instance, '3', '4', '--json');
    expect(narrowed.code).toBe(1);
    expect(JSON.parse(narrowed.stdout)).toMatchObject({
      breaks: false,
      decided: false,
      counts: { changed: 1, same: 1 },
      tools: [{ name: 'one', undecided: [{ message: expect.stringContaining('a type that it uses is another now') }] }],
    });
  });

  it('exits 2 on a generation that is not kept, and on one beside a revision', async () => {
    const instance = await makeInstance([toolNode('one')]);
    for (const [words, expected] of [
      [['7'], 'toolgraph: no generation 7 is kept; there are 1 to 1\n'],
      [['1', 'HEAD'], 'toolgraph: a generation (1) and a git revision (HEAD) are not compared\n'],
      [['HEAD', '1'], 'toolgraph: a git revision (HEAD) and a generation (1) are not compared\n'],
    ] as const)
      expect(await diff(instance, ...words)).toEqual({ code: 2, stdout: '', stderr: expected });
  });

  it('looks at the repository of the folder, whatever git has told its hooks', async () => {
    const instance = await repository();
    const other = await makeInstance();
    await git(other.root, 'init', '-q');
    const env = { GIT_DIR: other.path('.git'), GIT_WORK_TREE: other.root, GIT_INDEX_FILE: other.path('index') };
    expect((await run(['diff', 'HEAD', instance.root], { env })).code).toBe(0);
  });
});

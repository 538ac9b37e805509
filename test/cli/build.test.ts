import { existsSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { filesIn, temporaryFolder } from '../build/build-samples.js';
import { makeInstance } from '../e2e/harness.js';
import { nodePath, toolNode, typeIri } from '../e2e/instance.js';
import { run } from './cli-process.js';

const greet = toolNode('greet', {
  requiresConfirmation: true,
  io: { inputs: [{ name: 'whom', schema: typeIri('Word'), required: true, arg: { positional: 0 } }], outputs: [] },
});

describe('toolgraph build', () => {
  it('writes the list as it is served, a schema for each tool, and the graph as it is exported', async () => {
    const instance = await makeInstance([toolNode('plain'), greet]);
    await instance.config({ name: 'demo' });
    const out = join(temporaryFolder(), 'out');
    const { code, stdout, stderr } = await run(['build', instance.root, '--out', out]);
    const paths = [
      'mcp-tools.json',
      'schemas/greet.input.json',
      'schemas/plain.input.json',
      'toolgraph-build.json',
      'tools.jsonld',
    ];
    expect([code, stdout, stderr]).toEqual([0, paths.map((path) => `wrote ${path}\n`).join(''), '']);

    const files = filesIn(out);
    expect(Object.keys(files)).toEqual(paths);
    const { tools } = JSON.parse((await run(['tools', instance.root, '--json'])).stdout);
    expect(files['mcp-tools.json']).toBe(`${JSON.stringify({ tools }, undefined, 2)}\n`);
    expect(files['tools.jsonld']).toBe((await run(['export', instance.root])).stdout);
    expect(Object.values(files).join('')).not.toContain(instance.root);

    const schema = JSON.parse(files['schemas/greet.input.json'] ?? '');
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:toolgraph:demo:schema/greet.input.json',
      title: 'greet input',
      description: expect.stringContaining('Requires confirmation'),
      ...tools[0].inputSchema,
    });
    const validate = new Ajv2020().addSchema(schema).getSchema(schema.$id);
    expect(validate?.({ whom: 'anna', user_confirmed: true })).toBe(true);
    expect(validate?.({ whom: 'anna' })).toBe(false);
  });

  it('gives the same bytes for the same instance elsewhere', async () => {
    const [one, other] = [await makeInstance([toolNode('a'), greet]), await makeInstance()];
    await one.config({ name: 'demo' });
    await one.remove('.toolgraph');
    await cp(one.root, other.root, { recursive: true });
    const out = temporaryFolder();
    for (const [i, { root }] of [one, other, one].entries()) await run(['build', root, '--out', join(out, String(i))]);
    const [first, ...rest] = [0, 1, 2].map((i) => filesIn(join(out, String(i))));
    expect(Object.keys(first ?? {})).toHaveLength(5);
    for (const files of rest) expect(files).toEqual(first);
  });

  it('with --check writes nothing, and names what is stale, missing or extra, and why a tool is gone', async () => {
    const instance = await makeInstance([toolNode('a'), toolNode('b'), toolNode('c')]);
    const out = join(temporaryFolder(), 'out');
    const check = ['build', instance.root, '--out', out, '--check'];
    expect(await run(check)).toMatchObject({ code: 1, stdout: expect.stringMatching(/^(?:missing \S+\n){6}$/) });
    await run(['build', instance.root, '--out', out]);
    expect(await run(check)).toEqual({ code: 0, stdout: '', stderr: '' });

    await instance.write(nodePath('a'), toolNode('a', { description: 'Other words' }));
    await instance.write(nodePath('b'), toolNode('b', { when: { exists: ['not-there'] } }));
    await instance.remove(nodePath('c'));
    await instance.write(nodePath('d'), toolNode('d'));
    const before = filesIn(out);
    const { code, stdout, stderr } = await run(check);
    expect([code, stdout.split('\n')]).toEqual([
      1,
      [
        'stale mcp-tools.json',
        'stale schemas/a.input.json',
        'extra schemas/b.input.json',
        'extra schemas/c.input.json',
        'missing schemas/d.input.json',
        'stale toolgraph-build.json',
        'stale tools.jsonld',
        '',
      ],
    ]);
    expect(stderr).toContain(
      'toolgraph: b is left out now: unmet-when: it waits for not-there, not found in the instance\n',
    );
    expect(stderr).toMatch(/^toolgraph: this is not what the graph gives now; run the same command without --check$/m);
    expect(filesIn(out)).toEqual(before);
    expect((await run(['build', instance.root, '--out', out])).stdout).toMatch(/^removed schemas\/c\.input\.json$/m);
    expect((await run(check)).code).toBe(0);
  });

  it.each([
    ['a problem', toolNode('b', { invok: {} }), 'unknown key "invok"'],
    [
      'what a change of the node would cure',
      toolNode('b', { invoke: { shell: 'a | b' } }),
      'b: its shell string has a pipe',
    ],
  ])('refuses %s, says where it is, and leaves the folder as it was', async (_, node, words) => {
    const instance = await makeInstance([toolNode('a')]);
    const out = join(temporaryFolder(), 'out');
    await run(['build', instance.root, '--out', out]);
    const before = filesIn(out);
    await instance.write(nodePath('b'), node);
    for (const more of [[], ['--check']]) {
      const { code, stdout, stderr } = await run(['build', instance.root, '--out', out, ...more]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^graph\/tools\/b\.json\n {2}\d+:\d+ +error /m);
      expect(stderr).toContain(words);
      expect(stderr).toMatch(/\ntoolgraph: nothing was written; correct the errors first\n$/);
      expect(filesIn(out)).toEqual(before);
    }
  });

  it('refuses to leave out a tool that the config requires', async () => {
    const instance = await makeInstance([toolNode('a'), toolNode('b', { tier: 'experimental' })]);
    await instance.config({ require: ['b'] });
    const out = join(temporaryFolder(), 'out');
    const { code, stderr } = await run(['build', instance.root, '--out', out]);
    expect([code, existsSync(out)]).toEqual([1, false]);
    expect(stderr).toMatch(/error .*\bb\b/);
    expect((await run(['build', instance.root, '--out', out, '--tiers', 'stable,experimental'])).code).toBe(0);
  });

  it('builds the tiers that are asked for', async () => {
    const { root } = await makeInstance([toolNode('a', { tier: 'experimental' })]);
    const out = temporaryFolder();
    const { stdout, stderr } = await run(['build', root, '--out', out]);
    expect(stdout).not.toContain('schemas/');
    expect(stderr).toContain('a omitted: tier: its tier is experimental');
    expect((await run(['build', root, '--out', out, '--tiers', 'stable,experimental'])).stdout).toContain(
      'schemas/a.input.json',
    );
  });

  it('exits 2 without --out, and where it names what is no folder for a build', async () => {
    const { root } = await makeInstance([toolNode('a')]);
    expect((await run(['build', root])).code).toBe(2);
    const { code, stderr } = await run(['build', '--out', 'graph/built'], { cwd: root });
    expect([code, stderr]).toEqual([
      2,
      `toolgraph: --out graph/built lies in the node folder graph, where it would be read as nodes; name a folder of its own, such as ${root}/build\n`,
    ]);
  });

  it('of several at once lets one write at a time, and leaves one whole build', async () => {
    const instance = await makeInstance([toolNode('a'), greet]);
    const out = join(temporaryFolder(), 'out');
    const ran = await Promise.all(Array.from({ length: 4 }, () => run(['build', instance.root, '--out', out])));
    expect(ran.some(({ code }) => code === 0)).toBe(true);
    for (const { code, stderr } of ran)
      if (code !== 0) expect(stderr).toMatch(/^toolgraph: another build \(process \d+\) is writing/);
    expect((await run(['build', instance.root, '--out', out, '--check'])).code).toBe(0);
    expect(Object.keys(filesIn(out))).toHaveLength(5);
  });

  it('writes what the scaffold lacks, and never over what is there', async () => {
    const { root } = await makeInstance([toolNode('a')]);
    const out = temporaryFolder();
    const scaffold = ['build', root, '--out', out, '--scaffold'];
    expect((await run(scaffold)).stdout).toMatch(/^wrote package\.json$.*^wrote server\.ts$.*^wrote tsconfig\.json$/ms);
    const server = join(out, 'server.ts');
    await writeFile(server, '// with handlers\n');
    const again = await run(scaffold);
    expect([again.code, again.stdout]).toEqual([0, '']);
    expect(again.stderr.split('\n')).toEqual([
      'toolgraph: kept package.json as it is; remove it to have it made anew',
      'toolgraph: kept server.ts as it is; remove it to have it made anew',
      'toolgraph: kept tsconfig.json as it is; remove it to have it made anew',
      'toolgraph: everything was up to date',
      '',
    ]);
    expect(await readFile(server, 'utf8')).toBe('// with handlers\n');
    expect((await run([...scaffold, '--check'])).code).toBe(0);
    await rm(server);
    expect(await run([...scaffold, '--check'])).toMatchObject({ code: 1, stdout: 'missing server.ts\n' });
  });
});

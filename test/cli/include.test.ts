import { symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeInstance } from '../e2e/harness.js';
import { type Instance, nodePath, toolNode, typeIri } from '../e2e/instance.js';
import { run } from './cli-process.js';

/** An instance that includes another one under the prefix `o`, and how its config names it. */
async function including(other: Instance): Promise<{ readonly root: Instance; readonly label: string }> {
  const root = await makeInstance([toolNode('t')]);
  const label = `../${basename(other.root)}`;
  await root.config({ include: [{ path: label, prefix: 'o' }] });
  return { root, label };
}

describe('the command line over an instance that includes another one', () => {
  it('tools lists both and names documents by the path of the config', async () => {
    const other = await makeInstance([toolNode('a'), toolNode('piped', { invoke: { shell: 'ls | wc' } })]);
    const { root, label } = await including(other);
    const { code, stdout } = await run(['tools', root.root, '--json']);
    const { tools, omissions, problems } = JSON.parse(stdout);
    expect([code, problems]).toEqual([0, []]);
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['o_a', 't']);
    expect(omissions).toMatchObject([{ id: 'piped', document: `${label}/${nodePath('piped')}` }]);
    expect(stdout).not.toContain(other.root);
  });

  it('needs no graph folder of its own where the config names none and includes others', async () => {
    const other = await makeInstance([toolNode('a')]);
    const root = await makeInstance();
    await root.remove('graph');
    await root.config({ include: [`../${basename(other.root)}`] });
    const { code, stdout } = await run(['check', root.root]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('0 errors, 0 warnings; 1 tool served')]);
    await root.config({ include: [`../${basename(other.root)}`], folders: [{ path: 'graph' }] });
    expect((await run(['check', root.root])).stdout).toContain('the node folder "graph" is missing');
  });

  it('why, by id and by MCP name, tells the source with its line; call runs it in its own instance', async () => {
    const other = await makeInstance();
    await other.write('graph/tools/many.json', {
      '@graph': [toolNode('a', { invoke: { shell: 'pwd' } }), toolNode('b')],
    });
    const { root, label } = await including(other);
    for (const wanted of ['a', 'o_a']) {
      const { code, stdout } = await run(['why', wanted, root.root, '--json']);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        id: 'a',
        name: 'o_a',
        state: 'projected',
        document: `${label}/graph/tools/many.json`,
        line: 3,
      });
      expect((await run(['call', wanted, root.root])).stdout).toBe(`${other.root}\n`);
    }
  });

  it('check finds what is wrong in both, each with its line, also where the config has an absolute path', async () => {
    const noType = { io: { inputs: [{ name: 'x', schema: typeIri('None') }] } };
    const other = await makeInstance([toolNode('bad', noType), toolNode('piped', { invoke: { shell: 'a | b' } })]);
    const { root, label } = await including(other);
    for (const [path, named] of [
      [label, label],
      [other.root, other.root],
    ]) {
      await root.config({ include: [path] });
      const { code, stdout } = await run(['check', root.root, '--format', 'json']);
      expect(code).toBe(1);
      expect(JSON.parse(stdout).findings).toMatchObject([
        { code: 'unresolved-schema', document: `${named}/${nodePath('bad')}`, line: 13 },
        { code: 'shell-syntax', document: `${named}/${nodePath('piped')}`, line: 7 },
      ]);
    }
  });

  it('finds the lines of an included instance too when the instance is reached through a link', async () => {
    const elsewhere = await makeInstance();
    const other = await makeInstance([toolNode('a')]);
    const { root, label } = await including(other);
    symlinkSync(root.root, elsewhere.path('link'));
    const { stdout } = await run(['why', 'a', elsewhere.path('link'), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ document: `${label}/${nodePath('a')}`, line: 1 });
    expect((await run(['call', 'o_a', elsewhere.path('link')])).stdout).toBe('a\n');
  });

  it('tells two copies of one instance apart, though every IRI in them is the same', async () => {
    const copies = await Promise.all([makeInstance(), makeInstance()]);
    for (const copy of copies) {
      await copy.config({ name: 'copied' });
      await copy.write(nodePath('where'), toolNode('where', { invoke: { shell: 'pwd' } }));
    }
    const [one, two] = copies;
    await two?.write(nodePath('where'), toolNode('where', { invoke: { shell: 'pwd' }, requires: { os: ['plan9'] } }));
    const root = await makeInstance();
    const include = copies.map((copy, n) => ({ path: `../${basename(copy.root)}`, prefix: `copy${n}` }));
    await root.config({ include });
    const why = async (wanted: string) => JSON.parse((await run(['why', wanted, root.root, '--json'])).stdout);
    expect(await why('where')).toMatchObject([{ state: 'projected' }, { state: 'omitted', code: 'unmet-os' }]);
    expect(await why('copy0_where')).toMatchObject({
      state: 'projected',
      document: `${include[0]?.path}/${nodePath('where')}`,
    });
    expect(await why('copy1_where')).toMatchObject({
      state: 'omitted',
      document: `${include[1]?.path}/${nodePath('where')}`,
    });
    expect((await run(['call', 'copy0_where', root.root])).stdout).toBe(`${one?.root}\n`);
    expect((await run(['call', 'copy1_where', root.root])).stderr).toContain('unmet-os');
  });
});

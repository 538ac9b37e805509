import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually, patienceMs, within } from './deadline.js';
import { makeInstance, type ServerProcess, type StartOptions, startServer } from './harness.js';
import { type Instance, nodePath, toolNode } from './instance.js';
import type { Session } from './session.js';

/** Longer than the quiet time, the longest gathering and the scan after the last event together (DESIGN decisions 4 and 5). */
const settleMs = 900;

/** How a config that lies in a folder beside this instance names it. */
const beside = (instance: Instance): string => `../${basename(instance.root)}`;

async function serve(
  instance: Instance,
  options: StartOptions = {},
): Promise<{ server: ServerProcess; session: Session }> {
  const server = startServer(instance, options);
  const session = await server.open('2025-11-25');
  await session.list();
  return { server, session };
}

interface Reported {
  readonly code: string;
  readonly message: string;
  readonly document: string;
  readonly line?: number;
}

async function reported(session: Session, what: 'problems' | 'omissions'): Promise<readonly Reported[]> {
  return (await session.read(`toolgraph://${what}`))[what] as Reported[];
}

async function refusal(instance: Instance): Promise<string> {
  const server = startServer(instance);
  const { code } = await within(server.exited, patienceMs, () => 'the server did not end');
  expect(code).toBe(1);
  return server.stderrText;
}

const isListed = async (session: Session, names: string) =>
  await eventually(async () => (await session.names()).join(' ') === names, `${names} are listed`);

describe('an included instance', () => {
  it('is served with the one that includes it, and runs its tools in its own root, by its own config', async () => {
    const other = await makeInstance([
      toolNode('where', { invoke: { shell: 'pwd' } }),
      toolNode('secret', { invoke: { shell: 'printenv SECRET' }, requires: { env: ['SECRET'] } }),
      toolNode('slow', { invoke: { shell: 'bin/slow.sh' } }),
    ]);
    await other.config({ env: ['SECRET'], cwd: 'work', limits: { timeoutMs: 300 } });
    await other.script('bin/slow.sh', ['sleep 30']);
    await mkdir(other.path('work'));
    const root = await makeInstance([
      toolNode('here', { invoke: { shell: 'pwd' } }),
      toolNode('mine', { requires: { env: ['SECRET'] } }),
    ]);
    await root.config({ include: [beside(other)] });
    const { session } = await serve(root, { env: { SECRET: 'of the other' } });
    expect(await session.names()).toEqual(['here', 'secret', 'slow', 'where']);
    expect((await session.call('where')).text).toBe(`${other.path('work')}\n`);
    expect((await session.call('here')).text).toBe(`${root.root}\n`);
    expect((await session.call('secret')).text).toBe('of the other\n');
    expect((await session.call('slow')).refusal).toMatchObject({ code: 'timeout', details: { timeoutMs: 300 } });
    expect(await reported(session, 'omissions')).toMatchObject([
      { id: 'mine', code: 'unmet-env', document: nodePath('mine') },
    ]);
    expect(await session.read('toolgraph://status')).toMatchObject({ documents: 7, tools: 4, state: 'ready' });
  });

  it('has the prefix that the including config gives, else its own; tiers are those of the including one', async () => {
    const [one, two] = [await makeInstance([toolNode('t')]), await makeInstance([toolNode('t')])];
    await one.config({ prefix: 'own' });
    await two.config({ prefix: 'own', tiers: ['stable', 'experimental'] });
    await two.write(nodePath('try'), toolNode('try', { tier: 'experimental' }));
    const root = await makeInstance([toolNode('t')]);
    await root.config({ include: [beside(one), { path: beside(two), prefix: 'given' }], prefix: 'root' });
    const { session } = await serve(root);
    expect(await session.names()).toEqual(['given_t', 'own_t', 'root_t']);
    const everything = await serve(root, { args: ['--tiers', 'stable,experimental'] });
    expect(await everything.session.names()).toEqual(['given_t', 'given_try', 'own_t', 'root_t']);
  });

  it('has its documents named by the path that the config has, in omissions, problems and their messages', async () => {
    const other = await makeInstance([toolNode('piped', { invoke: { shell: 'ls | wc' } })]);
    await other.write('graph/tools/twin-1.json', toolNode('twin'));
    await other.write('graph/tools/twin-2.json', toolNode('twin'));
    await other.write('graph/tools/typo.json', `{\n  "id": "typo",\n  "invok": {}\n}`);
    const root = await makeInstance([toolNode('t')]);
    await root.config({ include: [{ path: beside(other), prefix: 'o' }] });
    const { server, session } = await serve(root, { args: ['--keep-going'] });
    const path = `${beside(other)}/graph/tools`;
    expect(await reported(session, 'omissions')).toMatchObject([{ id: 'piped', document: `${path}/piped.json` }]);
    const found = await reported(session, 'problems');
    expect(found).toContainEqual(
      expect.objectContaining({ code: 'invalid-node', document: `${path}/typo.json`, line: 3 }),
    );
    const twins = found.filter(({ code }) => code === 'duplicate-id');
    expect(twins.map(({ document }) => document)).toEqual([`${path}/twin-1.json`, `${path}/twin-2.json`]);
    expect(twins[0]?.message).toContain(`of ${path}/twin-1.json is also described in ${path}/twin-2.json`);
    const text = JSON.stringify([found, await session.read('toolgraph://status'), await session.list()]);
    expect(text).not.toContain(other.root);
    expect(server.stderrText).not.toContain(other.root);
  });

  it('is followed: one edit in it is one notification, a broken node keeps its last good, a removed one is retracted', async () => {
    const other = await makeInstance(['a', 'b'].map((id) => toolNode(id)));
    const root = await makeInstance([toolNode('t')]);
    await root.config({ include: [beside(other)] });
    const { session } = await serve(root);
    await other.replace(nodePath('a'), toolNode('a', { description: 'Edited' }));
    await session.listChanged();
    expect((await session.list()).tools[0]?.description).toBe('Edited');
    await other.replace(nodePath('a'), '{');
    await eventually(async () => (await reported(session, 'problems')).length === 1, 'the problem is reported');
    expect(await session.names()).toEqual(['a', 'b', 't']);
    expect((await session.call('a')).text).toBe('a\n');
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    await other.remove(nodePath('b'));
    await session.listChanged();
    expect(await session.names()).toEqual(['a', 't']);
    expect((await session.call('b')).refusal).toMatchObject({ code: 'tool_removed' });
    await root.write(nodePath('u'), toolNode('u'));
    await session.listChanged();
    expect(await session.names()).toEqual(['a', 't', 'u']);
    expect(await session.listChangesDuring(settleMs)).toBe(0);
  });

  it('that goes away keeps everything as degraded, and is followed again when it is back', async () => {
    const other = await makeInstance([toolNode('a')]);
    const root = await makeInstance([toolNode('t')]);
    await root.config({ include: [beside(other)] });
    const { session } = await serve(root);
    await rename(other.root, `${other.root}-away`);
    await eventually(async () => (await session.read('toolgraph://status')).state === 'degraded', 'it is degraded');
    await eventually(async () => (await reported(session, 'problems')).length === 1, 'the problem is reported');
    expect(await reported(session, 'problems')).toMatchObject([
      { code: 'unreadable', document: `${beside(other)}/graph` },
    ]);
    // Longer than it takes until included folders are looked for again.
    expect(await session.listChangesDuring(1_500)).toBe(0);
    expect(await session.names()).toEqual(['a', 't']);
    await rename(`${other.root}-away`, other.root);
    await eventually(async () => (await session.read('toolgraph://status')).state === 'ready', 'it is ready again');
    await other.write(nodePath('a'), toolNode('a', { description: 'After the return' }));
    await session.listChanged();
    expect((await session.list()).tools[0]?.description).toBe('After the return');
  });

  it('with an invalid config keeps its last good one, and the problem is named', async () => {
    const other = await makeInstance([toolNode('a')]);
    await other.config({ prefix: 'o' });
    const root = await makeInstance([toolNode('t')]);
    await root.config({ include: [beside(other)] });
    const { session } = await serve(root);
    await other.config({ prefix: 'o', nmae: 'x' });
    await eventually(async () => (await reported(session, 'problems')).length === 1, 'the problem is reported');
    const document = `${beside(other)}/toolgraph.config.json`;
    expect(await reported(session, 'problems')).toMatchObject([{ code: 'invalid-config', document, line: 3 }]);
    expect(await session.names()).toEqual(['o_a', 't']);
    await other.config({ prefix: 'p' });
    await session.listChanged();
    expect(await session.names()).toEqual(['p_a', 't']);
    expect(await reported(session, 'problems')).toEqual([]);
  });
});

describe('an instance that cannot be included', () => {
  it('ends the start with the place in the config; a server that keeps going heals when the folder is made', async () => {
    const root = await makeInstance([toolNode('t')]);
    const other = await makeInstance([toolNode('a')]);
    await other.dispose();
    await root.config({ include: [beside(root), beside(other)] });
    const told = await refusal(root);
    expect(told).toContain('toolgraph.config.json:4:5: invalid-config: include: there is no "../');
    expect(told).not.toContain(other.root);

    const { session } = await serve(root, { args: ['--keep-going'] });
    expect(await session.names()).toEqual(['t']);
    expect(await session.read('toolgraph://status')).toMatchObject({ state: 'degraded', problems: 1 });
    await mkdir(other.root);
    await eventually(
      async () => (await reported(session, 'problems'))[0]?.message.includes('is no instance') === true,
      'an empty folder is no instance',
    );
    await other.writeTypes();
    await other.write(nodePath('a'), toolNode('a'));
    await isListed(session, 'a t');
    expect(await reported(session, 'problems')).toEqual([]);
    expect(await session.read('toolgraph://status')).toMatchObject({ state: 'ready' });
    await other.write(nodePath('b'), toolNode('b'));
    await isListed(session, 'a b t');
  });

  it('because a newer toolgraph wrote its records is a problem that names it, and the rest is served', async () => {
    const other = await makeInstance([toolNode('a')]);
    const root = await makeInstance([toolNode('t')]);
    await root.config({ include: [beside(other)] });
    const first = await serve(root);
    expect(await first.session.names()).toEqual(['a', 't']);
    await first.server.stop();
    const { default: Database } = await import('better-sqlite3');
    const records = new Database(other.path('.toolgraph/records.db'));
    records.pragma('user_version = 99');
    records.close();
    const { session, server } = await serve(root, { args: ['--keep-going'] });
    expect(await session.names()).toEqual(['t']);
    expect(await reported(session, 'problems')).toMatchObject([
      {
        code: 'unreadable',
        document: beside(other),
        message: expect.stringMatching(/^the included instance cannot be opened: \.toolgraph\/records\.db: a newer/),
      },
    ]);
    expect(server.stderrText).not.toContain(other.root);
    await rm(other.path('.toolgraph'), { recursive: true });
    await isListed(session, 'a t');
    expect(await reported(session, 'problems')).toEqual([]);
  });

  it('because it is a file is a problem', async () => {
    const root = await makeInstance([toolNode('t')]);
    await writeFile(root.path('file'), '');
    await root.config({ include: ['file'] });
    expect(await refusal(root)).toContain('include: "file" is no folder');
  });
});

describe('instances that include one another', () => {
  it('are each served once, however often and through whatever link they are reached, a cycle too', async () => {
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((id) => makeInstance([toolNode(id)])));
    if (a === undefined || b === undefined || c === undefined) throw new Error('three instances were made');
    await symlink(c.root, a.path('link'));
    await a.config({ include: [beside(b), 'link'] });
    await b.config({ include: [{ path: beside(c), prefix: 'ofB' }, beside(a)] });
    await c.config({ include: [beside(a), beside(c), c.root] });
    const { session } = await serve(a);
    expect(await session.names()).toEqual(['a', 'b', 'c']);
    expect(await reported(session, 'problems')).toEqual([]);
    expect((await session.call('c')).text).toBe('c\n');
  });

  it('through more than eight others are a problem that names the config', async () => {
    const chain: Instance[] = [];
    for (let n = 0; n < 11; n++) chain.push(await makeInstance([toolNode(`t${n}`)]));
    for (const [n, instance] of chain.entries()) {
      const next = chain[n + 1];
      if (next !== undefined) await instance.config({ include: [beside(next)] });
    }
    const [root, ...others] = chain;
    if (root === undefined) throw new Error('a chain was made');
    const { session } = await serve(root, { args: ['--keep-going'] });
    expect(await session.names()).toHaveLength(9);
    const last = others[7];
    expect(await reported(session, 'problems')).toMatchObject([
      {
        code: 'invalid-config',
        document: `${last === undefined ? '' : beside(last)}/toolgraph.config.json`,
        message: expect.stringContaining('through more than 8 instances'),
      },
    ]);
  });
});

describe('two instances with a tool of the same name', () => {
  it('at start: neither is served, both documents are named, and a prefix that is given while running heals it', async () => {
    const other = await makeInstance([toolNode('same'), toolNode('a')]);
    const root = await makeInstance([toolNode('same')]);
    await root.config({ include: [beside(other)] });
    expect(await refusal(root)).toMatch(/name-collision: .*prefix under "include"/);
    const { session } = await serve(root, { args: ['--keep-going'] });
    expect(await session.names()).toEqual(['a']);
    const found = await reported(session, 'problems');
    const theirs = `${beside(other)}/${nodePath('same')}`;
    expect(found.map(({ code, document }) => [code, document])).toEqual([
      ['name-collision', theirs],
      ['name-collision', nodePath('same')],
    ]);
    expect(found[0]?.message).toContain(`"same" of ${nodePath('same')}`);
    expect(found[1]?.message).toContain(`"same" of ${theirs}`);
    await root.config({ include: [{ path: beside(other), prefix: 'o' }] });
    await session.listChanged();
    expect(await session.names()).toEqual(['o_a', 'o_same', 'same']);
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    expect(await reported(session, 'problems')).toEqual([]);
  });

  it.each(['root', 'other'] as const)(
    'while running: the one that was served first, of the %s, goes on',
    async (first) => {
      const other = await makeInstance(first === 'other' ? [toolNode('same', { invoke: { shell: 'pwd' } })] : []);
      const root = await makeInstance(first === 'root' ? [toolNode('same', { invoke: { shell: 'pwd' } })] : []);
      await root.config({ include: [beside(other)] });
      const { session } = await serve(root);
      const before = await session.list();
      const [one, two] = first === 'root' ? [root, other] : [other, root];
      await two.write(nodePath('same'), toolNode('same', { invoke: { shell: 'pwd' }, description: 'The other one' }));
      await eventually(async () => (await reported(session, 'problems')).length === 1, 'the collision is reported');
      expect((await session.list()).tools).toEqual(before.tools);
      expect((await session.call('same')).text).toBe(`${one.root}\n`);
      const document = two === root ? nodePath('same') : `${beside(other)}/${nodePath('same')}`;
      expect(await reported(session, 'problems')).toMatchObject([
        { code: 'name-collision', document, message: expect.stringContaining('which was served first') },
      ]);
      await one.remove(nodePath('same'));
      await eventually(
        async () => (await session.list()).tools[0]?.description === 'The other one',
        'the other is listed',
      );
      expect((await session.call('same')).text).toBe(`${two.root}\n`);
    },
  );
});

describe('the config of the including instance, while it runs', () => {
  it('adds and removes instances, and a call of a tool that went says so', async () => {
    const other = await makeInstance([toolNode('a')]);
    const root = await makeInstance([toolNode('t')]);
    const { session } = await serve(root);
    await root.config({ include: [beside(other)] });
    await session.listChanged();
    expect(await session.names()).toEqual(['a', 't']);
    await root.config({});
    await session.listChanged();
    expect(await session.names()).toEqual(['t']);
    expect((await session.call('a')).refusal).toMatchObject({ code: 'tool_removed' });
    await other.write(nodePath('b'), toolNode('b'));
    expect(await session.listChangesDuring(settleMs)).toBe(0);
  });

  it('changes the tiers of all of them with one notification', async () => {
    const others = await Promise.all([1, 2].map((n) => makeInstance([toolNode(`try-${n}`, { tier: 'experimental' })])));
    const root = await makeInstance([toolNode('t'), toolNode('try', { tier: 'experimental' })]);
    const include = others.map(beside);
    await root.config({ include });
    const { session } = await serve(root);
    expect(await session.names()).toEqual(['t']);
    await root.config({ include, tiers: ['stable', 'experimental'] });
    await session.listChanged();
    expect(await session.names()).toEqual(['t', 'try', 'try_1', 'try_2']);
    expect(await session.listChangesDuring(settleMs)).toBe(0);
  });

  it('W7: follows an included link that is switched to another instance', async () => {
    const [one, two] = [await makeInstance([toolNode('t')]), await makeInstance([toolNode('t'), toolNode('new')])];
    const root = await makeInstance();
    await symlink(one.root, root.path('current'));
    await root.config({ include: ['current'] });
    const { session } = await serve(root);
    await symlink(two.root, root.path('next'));
    await rename(root.path('next'), root.path('current'));
    await isListed(session, 'new t');
    await one.write(nodePath('old'), toolNode('old'));
    await two.write(nodePath('newer'), toolNode('newer'));
    await isListed(session, 'new newer t');
  });
});

describe('the generation of several instances', () => {
  it('has the same number and digest in another process and after a restart, and follows the same edits', async () => {
    const other = await makeInstance([toolNode('a')]);
    const root = await makeInstance([toolNode('t')]);
    await root.config({ include: [beside(other)] });
    const [first, second] = await Promise.all([serve(root), serve(root)]);
    expect((await second.session.list()).generation).toEqual((await first.session.list()).generation);
    await other.write(nodePath('a'), toolNode('a', { description: 'Edited' }));
    await Promise.all([first.session.listChanged(), second.session.listChanged()]);
    const { generation } = await first.session.list();
    expect((await second.session.list()).generation).toEqual(generation);
    expect(generation.number).toBe(2);
    await first.server.stop();
    const third = await serve(root);
    expect((await third.session.list()).generation).toEqual(generation);
  });
});

import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from './deadline.js';
import { makeInstance, type ServerProcess, startServer } from './harness.js';
import { type Instance, nodePath, toolNode } from './instance.js';
import type { Session } from './session.js';

/** Longer than what one change can be told of later: the quiet time after it, and the look after a folder begins to be watched. */
const settleMs = 900;
const command = 'toolgraph-test-greet';
const script = '#!/bin/sh\necho hello\n';

interface Served {
  readonly instance: Instance;
  readonly server: ServerProcess;
  readonly session: Session;
}

/** Serves an instance whose `bin/` is the first folder of PATH. */
async function serve(...nodes: readonly Record<string, unknown>[]): Promise<Served> {
  const instance = await makeInstance([toolNode('other'), ...nodes]);
  await mkdir(instance.path('bin'));
  return await serveInstance(instance);
}

async function serveInstance(instance: Instance): Promise<Served> {
  const PATH = `${instance.path('bin')}:${process.env.PATH}`;
  const server = startServer(instance, { env: { PATH } });
  const session = await server.open('2026-07-28');
  await session.list();
  return { instance, server, session };
}

async function isListed(session: Session, names: readonly string[]): Promise<void> {
  await eventually(async () => (await session.names()).join() === names.join(), `${names.join()} are listed`);
}

/** Waits for the one notification of a change, after which exactly these are listed. */
async function nextList(session: Session, names: readonly string[]): Promise<void> {
  await session.listChanged();
  expect(await session.names()).toEqual(names);
  expect(await session.listChangesDuring(settleMs)).toBe(0);
}

async function omissions(session: Session): Promise<unknown> {
  return (await session.read('toolgraph://omissions')).omissions;
}

describe('P12: while the service runs', () => {
  it('a binary that is put into a folder of PATH is listed with one notification, and retracted when it goes', async () => {
    const { instance, session } = await serve(toolNode('greet', { invoke: { shell: command } }));
    expect(await omissions(session)).toMatchObject([{ id: 'greet', code: 'command-not-found' }]);
    await instance.script(`bin/${command}`, ['echo hello']);
    await nextList(session, ['greet', 'other']);
    expect((await session.call('greet')).text).toBe('hello\n');
    await instance.remove(`bin/${command}`);
    await nextList(session, ['other']);
    expect(await omissions(session)).toMatchObject([{ id: 'greet', code: 'command-not-found' }]);
    expect((await session.call('greet')).refusal).toMatchObject({
      code: 'tool_unavailable',
      message: expect.stringContaining('not found on PATH'),
    });
  });

  it('a script of the instance is listed while it has the execute bit', async () => {
    const { instance, session } = await serve(toolNode('greet', { invoke: { shell: 'tools/greet.sh' } }));
    await instance.write('tools/greet.sh', script);
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    await chmod(instance.path('tools/greet.sh'), 0o755);
    await nextList(session, ['greet', 'other']);
    await chmod(instance.path('tools/greet.sh'), 0o644);
    await nextList(session, ['other']);
  });

  it('a runtime is looked for as a command is', async () => {
    const { instance, session } = await serve(toolNode('greet', { requires: { runtime: [command] } }));
    expect(await omissions(session)).toMatchObject([{ id: 'greet', code: 'unmet-runtime' }]);
    await instance.script(`bin/${command}`, ['true']);
    await nextList(session, ['greet', 'other']);
  });

  it('a path of `when` is waited for in folders that are not there yet, made one by one or all at once', async () => {
    const { instance, session } = await serve(toolNode('report', { when: { exists: ['build/out/report.json'] } }));
    expect(await omissions(session)).toMatchObject([{ id: 'report', code: 'unmet-when' }]);
    await mkdir(instance.path('build'));
    await mkdir(instance.path('build/out'));
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    await instance.write('build/out/report.json', '{}');
    await nextList(session, ['other', 'report']);
    await instance.remove('build');
    await nextList(session, ['other']);
    await instance.write('build/out/report.json', '{}');
    await nextList(session, ['other', 'report']);
    await instance.remove('build/out/report.json');
    await nextList(session, ['other']);
    expect(await omissions(session)).toMatchObject([{ id: 'report', code: 'unmet-when' }]);
  });

  it('what an included instance waits for appears with what the root waits for, in one notification', async () => {
    const [root, other] = [await makeInstance(), await makeInstance()];
    for (const [n, instance] of [root, other].entries()) {
      await instance.write(nodePath('greet'), toolNode(`greet-${n}`, { invoke: { shell: command } }));
      await instance.write(nodePath('when'), toolNode(`when-${n}`, { when: { exists: ['made/here'] } }));
    }
    await root.config({ include: [`../${basename(other.root)}`] });
    await mkdir(root.path('bin'));
    const { session } = await serveInstance(root);
    await root.script(`bin/${command}`, ['echo hello']);
    await nextList(session, ['greet_0', 'greet_1']);
    await other.write('made/here', '');
    await nextList(session, ['greet_0', 'greet_1', 'when_1']);
  });
});

describe('SIGHUP', () => {
  it('has everything looked at, and a call does not: what a link leads to is not watched', async () => {
    const { instance, server, session } = await serve(toolNode('greet', { invoke: { shell: command } }));
    const target = instance.path('elsewhere');
    await symlink(target, instance.path(`bin/${command}`));
    // Looking at the interval can come between removing and calling; then once more.
    await eventually(async () => {
      await writeFile(target, script, { mode: 0o755 });
      server.kill('SIGHUP');
      await isListed(session, ['greet', 'other']);
      await rm(target);
      return (await session.call('greet')).refusal?.code === 'spawn_failed';
    }, 'a call ends in spawn_failed');
    server.kill('SIGHUP');
    await isListed(session, ['other']);
    expect(await omissions(session)).toMatchObject([{ id: 'greet', code: 'command-not-found' }]);
    expect(server.stderrText).toContain('SIGHUP');
  });

  it('asks for Python modules again, however soon', async () => {
    const instance = await makeInstance([toolNode('calc', { requires: { runtime: ['python:toolgraph_test'] } })]);
    await instance.write('modules', '[]');
    await instance.script('bin/python3', [`cat ${instance.path('modules')}`]);
    const { server, session } = await serveInstance(instance);
    expect(await omissions(session)).toMatchObject([{ id: 'calc', code: 'unmet-runtime' }]);
    await instance.write('modules', '["toolgraph_test"]');
    server.kill('SIGHUP');
    await nextList(session, ['calc']);
  });

  it('does not end a server that has a client, and the end of its stdin does', async () => {
    const { server, session } = await serve();
    server.kill('SIGHUP');
    await server.stderr.next((line) => line.includes('SIGHUP'));
    expect(await session.names()).toEqual(['other']);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });
});

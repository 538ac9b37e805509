import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cliPath } from '../e2e/build.js';
import { eventually } from '../e2e/deadline.js';
import { makeInstance, serveEnv, startServer } from '../e2e/harness.js';
import { toolNode, typeIri } from '../e2e/instance.js';
import { recordsOf } from '../e2e/records.js';
import { run, TerminalSession } from './cli-process.js';

const word = { name: 'word', schema: typeIri('Word'), arg: { positional: 0 } };

/** One whom permissions bind, which root is not. */
const user = process.geteuid?.() === 0 ? 65_534 : undefined;

async function makeCalled() {
  const instance = await makeInstance([
    toolNode('hello', { io: { inputs: [word] } }),
    toolNode('fails', { invoke: { shell: 'false' } }),
    toolNode('broken', { io: 7 }),
  ]);
  await instance.config({ name: 'logged', actor: { name: 'ci', role: 'builder' }, keepGoing: true });
  return instance;
}

describe('toolgraph log', () => {
  it('has words for an instance without records, and makes nothing there', async () => {
    const { root } = await makeCalled();
    const nothing = { code: 0, stdout: '', stderr: 'toolgraph: no call has been recorded yet\n' };
    expect(await run(['log', root])).toEqual(nothing);
    expect(existsSync(`${root}/.toolgraph`)).toBe(false);
    expect(JSON.parse((await run(['log', root, '--json'])).stdout)).toEqual({ records: [], dropped: null });
    await run(['tools', root]);
    expect(await run(['log', root])).toEqual(nothing);
  });

  it('shows the calls of the command line, refused ones included, newest first', async () => {
    const instance = await makeCalled();
    const { root } = instance;
    for (const words of [
      ['hello', '--args', '{"word":"a"}'],
      ['fails'],
      ['hello', '--args', '{"word":"$"}'],
      ['broken'],
      ['nothing'],
    ]) {
      const [id = '', ...rest] = words;
      await run(['call', id, root, ...rest]);
    }
    const { code, stdout, stderr } = await run(['log', root]);
    expect([code, stderr]).toEqual([0, '']);
    const rows = stdout
      .slice(0, -1)
      .split('\n')
      .map((line) => line.split('\t'));
    expect(rows.map((fields) => fields.length)).toEqual([9, 9, 9, 9, 9]);
    expect(
      rows.map(([, , tool, outcome, errorCode, exit, , actor]) => [tool, outcome, errorCode, exit, actor]),
    ).toEqual([
      ['nothing', 'unavailable', 'unknown_tool', '', 'ci/builder'],
      ['broken', 'unavailable', 'tool_unavailable', '', 'ci/builder'],
      ['hello', 'refused-input', 'invalid_params', '', 'ci/builder'],
      ['fails', 'failed', 'exit_code', '1', 'ci/builder'],
      ['hello', 'ran', '', '0', 'ci/builder'],
    ]);
    expect(rows.at(-1)?.[8]).toBe('');
    for (const row of rows.slice(0, -1)) expect(row[8]).not.toBe('');

    const json = JSON.parse((await run(['log', root, '--json', '--limit', '2'])).stdout);
    expect(json).toEqual({ records: recordsOf(instance).slice(0, 2), dropped: null });
    for (const wanted of ['hello', 'urn:toolgraph:logged:tool/hello']) {
      const found = JSON.parse((await run(['log', root, '--json', '--tool', wanted])).stdout);
      expect(found.records.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['refused-input', 'ran']);
    }
    expect((await run(['log', root, '--tool', 'helo'])).stderr).toBe('toolgraph: no call of helo is recorded\n');

    const why = JSON.parse((await run(['why', 'hello', root, '--json'])).stdout);
    expect(why.calls.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['refused-input', 'ran']);
    expect((await run(['why', 'hello', root])).stdout).toMatch(
      /last calls .*refused-input \(invalid_params\).*\n +.* ran {2}/,
    );

    const session = new TerminalSession(['log', root]);
    expect(await session.ended()).toBe(0);
    expect(session.output).toMatch(/hello {2,}.*refused-input \(invalid_params\)/);
  });

  it('shows nothing that a terminal would act on', async () => {
    const { root } = await makeCalled();
    await run(['call', 'x\u001b[31m', root]);
    const { stdout } = await run(['log', root]);
    expect(stdout).toContain('x\\u001b[31m');
    expect(stdout).not.toContain('\u001b');
  });

  it('reads while a server runs, and shows a call that runs, and one whose server is gone', async () => {
    const instance = await makeCalled();
    await instance.write('graph/tools/slow.json', toolNode('slow', { invoke: { shell: 'sleep 300' } }));
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    session.send('tools/call', { name: 'slow', arguments: {} });
    await eventually(() => recordsOf(instance).length === 1, 'the call has begun');
    expect((await run(['log', instance.root])).stdout).toContain('\tslow\trunning\t');
    server.kill('SIGKILL');
    await server.exited;
    expect((await run(['log', instance.root])).stdout).toContain('\tslow\tinterrupted\t');
    expect(recordsOf(instance)).toMatchObject([{ outcome: null }]);
    // The next call ends what is left.
    expect((await run(['call', 'hello', instance.root])).stderr).toContain('ended the process group');
    expect(recordsOf(instance).map(({ outcome }) => outcome)).toEqual(['ran', 'interrupted']);
  });

  it('finds the records of an instance that cannot be written in the state folder of the user', async () => {
    const instance = await makeCalled();
    const state = await makeInstance();
    if (user !== undefined) chownSync(state.root, user, user);
    execFileSync('chmod', ['-R', 'a+rX,a-w', instance.root]);
    onTestFinished(() => void execFileSync('chmod', ['-R', 'u+w', instance.root]));
    const asUser = (words: readonly string[]) =>
      spawnSync(process.execPath, [cliPath, ...words], {
        encoding: 'utf8',
        env: serveEnv({ XDG_STATE_HOME: state.root }),
        ...(user === undefined ? {} : { uid: user, gid: user }),
      });
    expect(asUser(['log', instance.root]).stderr).toBe('toolgraph: no call has been recorded yet\n');
    expect(asUser(['call', 'hello', instance.root]).stdout).toBe('hello\n');
    expect(asUser(['log', instance.root]).stdout).toContain('\thello\tran\t');
  });

  it('says what was dropped', async () => {
    const instance = await makeCalled();
    await run(['call', 'fails', instance.root]);
    const db = new Database(instance.path('.toolgraph/records.db'));
    db.exec("INSERT INTO dropped VALUES (1, 7, '2026-01-02T03:04:05.678Z', '2026-02-02T03:04:05.678Z')");
    db.close();
    const { stderr } = await run(['log', instance.root]);
    expect(stderr).toContain('7 older records of calls up to 2026-01-02T03:04:05.678Z were dropped');
    expect(JSON.parse((await run(['log', instance.root, '--json'])).stdout).dropped.count).toBe(7);
  });

  it.each([['0'], ['-1'], ['x'], ['1.5']])('exits 2 on --limit %s', async (limit) => {
    expect((await run(['log', '.', `--limit=${limit}`])).code).toBe(2);
  });

  it('exits 1 with words when a newer toolgraph wrote the records', async () => {
    const instance = await makeCalled();
    await run(['call', 'fails', instance.root]);
    const db = new Database(instance.path('.toolgraph/records.db'));
    db.pragma('user_version = 99');
    db.close();
    const { code, stderr } = await run(['log', instance.root]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^toolgraph: \.toolgraph\/records\.db: a newer toolgraph wrote it \(version 99/);
  });
});

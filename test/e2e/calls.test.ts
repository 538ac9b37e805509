import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { eventually } from './deadline.js';
import { makeInstance, serveCommand, serveEnv, startHttpServer, startServer } from './harness.js';
import { type Instance, nodePath, toolNode, typeIri } from './instance.js';
import { isRunning } from './processes.js';
import { type CallAnswer, callAnswer, eras, type Listed, type Session } from './session.js';

async function startWith(nodes: readonly Record<string, unknown>[]): Promise<{ instance: Instance; session: Session }> {
  const instance = await makeInstance(nodes);
  const session = await startServer(instance).open('2025-11-25');
  await session.list();
  return { instance, session };
}

/** A tool that starts a grandchild, writes both process ids to `pids`, and lives for a minute. */
async function instanceWithTree(): Promise<Instance> {
  const instance = await makeInstance([toolNode('tree', { invoke: { shell: 'bin/tree.sh' } }), toolNode('quick')]);
  await instance.script('bin/tree.sh', ['sleep 60 &', 'echo "$$ $!" > pids.part', 'mv pids.part pids', 'wait']);
  return instance;
}

async function treePids(instance: Instance): Promise<number[]> {
  await eventually(() => exists(instance, 'pids'), 'the tool has started');
  return (await readFile(instance.path('pids'), 'utf8')).trim().split(' ').map(Number);
}

async function exists(instance: Instance, path: string): Promise<boolean> {
  return await access(instance.path(path)).then(
    () => true,
    () => false,
  );
}

async function allEnded(pids: readonly number[]): Promise<boolean> {
  const running = await Promise.all(pids.map(isRunning));
  return !running.includes(true);
}

describe('W10: list and call read one generation', () => {
  it('a node that was added can be listed and called at once, 25 times', async () => {
    const { instance, session } = await startWith([]);
    for (let n = 0; n < 25; n++) {
      await instance.write(nodePath(`t${n}`), toolNode(`t${n}`));
      await session.listChanged();
      const [list, call] = await Promise.all([session.list(), session.call(`t${n}`)]);
      expect(list.tools.map(({ name }) => name)).toContain(`t${n}`);
      expect(call).toMatchObject({ text: `t${n}\n`, isError: false, generation: list.generation });
    }
  });

  it('what a generation lists is what it runs, while the node changes all the time', async () => {
    const version = (n: number) =>
      toolNode('now', { description: `Version ${n}`, invoke: { shell: `echo Version ${n}` } });
    const { instance, session } = await startWith([version(0)]);
    const pairs: [Promise<Listed>, Promise<CallAnswer>][] = [];
    for (let n = 1; n <= 75; n++) {
      await instance.replace(nodePath('now'), version(n));
      const pair: (typeof pairs)[number] = [session.list(), session.call('now')];
      pairs.push(pair);
      if (n % 3 === 0) await Promise.all(pair);
    }
    const listed = new Map<string, string>();
    const ran = new Map<string, string>();
    for (const [list, call] of pairs) {
      const { tools, generation } = await list;
      expect(tools).toHaveLength(1);
      listed.set(generation.digest, tools[0]?.description ?? '');
      const { text, generation: of } = await call;
      ran.set(of?.digest ?? '', text.trim());
    }
    expect(ran.size).toBeGreaterThan(1);
    for (const [digest, text] of ran) expect(listed.get(digest) ?? text).toBe(text);
  });
});

describe('W13: a call in flight', () => {
  it('finishes on the generation that it began with, though its node is removed meanwhile', async () => {
    const { instance, session } = await startWith([toolNode('quick')]);
    await instance.script('bin/slow.sh', ['touch started', 'sleep 2', 'echo finished']);
    await instance.write(nodePath('slow'), toolNode('slow', { invoke: { shell: 'bin/slow.sh' } }));
    await session.listChanged();
    const { generation } = await session.list();
    const call = session.send('tools/call', { name: 'slow', arguments: {} });
    await eventually(() => exists(instance, 'started'), 'the tool has started');
    await instance.remove(nodePath('slow'));
    await session.listChanged();
    expect(await session.names()).toEqual(['quick']);
    const answer = callAnswer((await call.answer()).result ?? {});
    expect(answer).toMatchObject({ text: 'finished\n', isError: false, generation });
    expect((await session.call('slow')).refusal).toMatchObject({ code: 'tool_removed' });
  });
});

/** The ways to a server: a client opens its connection of an era on one of them. */
const wires = eras.flatMap((era) => [
  [era, 'pipes', async (instance: Instance) => startServer(instance).open(era)] as const,
  [era, 'HTTP', async (instance: Instance) => (await startHttpServer(instance)).open(era)] as const,
]);

describe.each(wires)('X8: a cancelled call in the era %s, on %s', (_era, _wire, open) => {
  it('is ended with its whole process tree, gets no answer, and the server goes on', async () => {
    const instance = await instanceWithTree();
    const session = await open(instance);
    await session.list();
    const call = session.send('tools/call', { name: 'tree', arguments: {} });
    const pids = await treePids(instance);
    expect(await allEnded(pids)).toBe(false);
    session.cancel(call.id);
    await eventually(() => allEnded(pids), 'the process tree has ended');
    expect((await session.call('quick')).text).toBe('quick\n');
    await expect(call.answer(300)).rejects.toThrow('no answer');
  });
});

describe.each(wires)('progress in the era %s, on %s', (_era, _wire, open) => {
  it('of a line on stderr reaches a client that asks for it before the answer, and is no part of stderr', async () => {
    const instance = await makeInstance([toolNode('steps', { invoke: { shell: 'bin/steps.sh' } })]);
    await instance.script('bin/steps.sh', [
      'echo "::progress 1/3 begun" >&2',
      'until [ -e go ]; do sleep 0.05; done',
      'echo "::progress 2/3" >&2',
      'echo "::progress 3/3 done" >&2',
      'echo "it failed" >&2',
      'exit 1',
    ]);
    const session = await open(instance);
    await session.list();
    const call = session.send('tools/call', { name: 'steps', arguments: {} }, { progressToken: 'token-7' });
    const progress = () => session.wire.notifications.next(({ method }) => method === 'notifications/progress');
    const token = { progressToken: 'token-7', total: 3 };
    expect((await progress()).params).toMatchObject({ ...token, progress: 1, message: 'begun' });
    await instance.write('go', '');
    const answer = callAnswer((await call.answer()).result ?? {});
    expect(answer.refusal).toMatchObject({ code: 'exit_code', details: { stderr: 'it failed\n' } });
    const told = session.wire.notifications.all.filter(({ method }) => method === 'notifications/progress');
    expect(told.at(-1)?.params).toMatchObject({ ...token, progress: 3, message: 'done' });

    await session.call('steps');
    expect(session.wire.notifications.all.filter(({ method }) => method === 'notifications/progress')).toEqual(told);
  });
});

describe.each(eras)('progress in process, in the era %s', (era) => {
  it('reaches a client that asks for it, never backwards', async () => {
    const instance = await makeInstance([toolNode('steps', { invoke: { inProcess: { module: 'bin/steps.mjs' } } })]);
    const lines = ['progress(1, 3, "begun");', 'progress(0);', 'progress(NaN);', 'progress(3, 3);', 'return "done";'];
    await instance.write('bin/steps.mjs', `export default async (_, { progress }) => {\n${lines.join('\n')}\n};\n`);
    const session = await startServer(instance).open(era);
    await session.list();
    const call = session.send('tools/call', { name: 'steps', arguments: {} }, { progressToken: 7 });
    expect(callAnswer((await call.answer()).result ?? {})).toMatchObject({ text: 'done', isError: false });
    const told = session.wire.notifications.all.filter(({ method }) => method === 'notifications/progress');
    expect(told.map(({ params }) => params)).toEqual([
      expect.objectContaining({ progressToken: 7, progress: 1, total: 3, message: 'begun' }),
      expect.objectContaining({ progressToken: 7, progress: 3, total: 3 }),
    ]);
  });
});

describe.each(eras)('X11: output beyond the cap in the era %s', (era) => {
  it('of a function is linked as that of a process, as much of it as is kept', async () => {
    const inProcess = { invoke: { inProcess: { module: 'src/big.mjs' } }, limits: { outputBytes: 10 } };
    const said = { name: 'said', schema: typeIri('Word'), from: { result: true } };
    const instance = await makeInstance([
      toolNode('big', inProcess),
      toolNode('listed', { ...inProcess, io: { inputs: [], outputs: [said] } }),
      toolNode('huge', { ...inProcess, invoke: { inProcess: { module: 'src/huge.mjs' } } }),
    ]);
    // Not of one byte a character, and more than one piece of it is passed on.
    await instance.write('src/big.mjs', `export default () => 'é1'.repeat(600_000);`);
    await instance.write('src/huge.mjs', `export default () => ({ a: 'x'.repeat(3_000_000) });`);
    await instance.write('toolgraph.config.json', JSON.stringify({ limits: { keptOutputBytes: 8_000_000 } }));
    const session = await startServer(instance).open(era);
    await session.list();
    const content = async (name: string) =>
      ((await session.result('tools/call', { name, arguments: {} })) as unknown as ToolAnswer).content;
    const read = async (uri = '') => {
      const { contents } = await session.result('resources/read', { uri });
      return (contents as { text: string }[])[0]?.text;
    };
    const [cut, link] = await content('big');
    expect(cut?.text).toBe('é1é1é1\n[output cut at 10 bytes; 1800000 bytes in all]');
    expect(link).toMatchObject({ type: 'resource_link', size: 1_800_000 });
    expect(await read(link?.uri)).toBe('é1'.repeat(600_000));
    const [error, whole] = await content('listed');
    expect(JSON.parse(error?.text ?? '')).toMatchObject({ code: 'output_mismatch', details: { limitBytes: 10 } });
    expect(await read(whole?.uri)).toBe('é1'.repeat(600_000));
    const [, beginning] = await content('huge');
    expect(beginning).toMatchObject({
      size: 2_000_000,
      description: expect.stringMatching(/^The first 2000000 bytes/),
    });
    expect(await read(beginning?.uri)).toBe(`{"a":"${'x'.repeat(1_999_994)}`);
  });

  it('is linked beside the cut text, listed, readable, and gone with the service', async () => {
    const fields = { limits: { outputBytes: 10 } };
    const failing = { ...fields, invoke: { shell: 'bin/failing.sh' } };
    const instance = await makeInstance([
      toolNode('big', { ...fields, invoke: { shell: 'seq 100000' } }),
      toolNode('failing', failing),
      toolNode('small', { ...fields, invoke: { shell: 'seq 3' } }),
    ]);
    await instance.script('bin/failing.sh', ['seq 20', 'exit 3']);
    await instance.write('tmp/kept', '');
    const server = startServer(instance, { env: { TMPDIR: instance.path('tmp') } });
    const session = await server.open(era);
    await session.list();
    const call = async (name: string) =>
      (await session.result('tools/call', { name, arguments: {} })) as unknown as ToolAnswer;
    const big = await call('big');
    const uri = `toolgraph://output/${big._meta['toolgraph/call']}`;
    const bytes = Array.from({ length: 100_000 }, (_, n) => `${n + 1}\n`).join('');
    expect(big.content).toEqual([
      { type: 'text', text: `1\n2\n3\n4\n5\n\n[output cut at 10 bytes; ${bytes.length} bytes in all]` },
      expect.objectContaining({ type: 'resource_link', uri, size: bytes.length, mimeType: 'text/plain' }),
    ]);
    const read = async (resource: string) => {
      const { contents } = await session.result('resources/read', { uri: resource });
      return (contents as { text: string }[])[0]?.text;
    };
    expect(await read(uri)).toBe(bytes);
    const [error, link] = (await call('failing')).content;
    expect(JSON.parse(error?.text ?? '')).toMatchObject({ code: 'exit_code' });
    expect(await read(link?.uri ?? '')).toMatch(/^1\n(.*\n)+20\n$/);
    expect((await call('small')).content).toHaveLength(1);
    const { resources } = await session.result('resources/list');
    expect((resources as { uri: string }[]).map((one) => one.uri).slice(-2)).toEqual([uri, link?.uri]);

    const [folder = ''] = (await readdir(instance.path('tmp'))).filter((name) => name !== 'kept');
    expect((await stat(instance.path(`tmp/${folder}`))).mode & 0o077).toBe(0);
    await server.stop();
    expect(await readdir(instance.path('tmp'))).toEqual(['kept']);
  });
});

describe('X11: output beyond the cap', () => {
  it('is told of in words to a client whose revision has no resource links', async () => {
    const node = toolNode('big', { limits: { outputBytes: 10 }, invoke: { shell: 'seq 100' } });
    const { wire } = startServer(await makeInstance([node]));
    const clientInfo = { name: 'old', version: '0.0.0' };
    await wire.result('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
    wire.notify('notifications/initialized');
    const { content } = await wire.result('tools/call', { name: 'big', arguments: {} });
    expect(content).toEqual([
      expect.objectContaining({ type: 'text' }),
      { type: 'text', text: expect.stringMatching(/^output of big: toolgraph:\/\/output\/[0-9a-f-]{36}$/) },
    ]);
  });
});

describe('X11: what a killed service has kept', () => {
  it('is removed at the next start, and what a living one has is not', async () => {
    const node = toolNode('big', { limits: { outputBytes: 10 }, invoke: { shell: 'seq 100' } });
    const instance = await makeInstance([node]);
    await instance.write('tmp/kept', '');
    const start = async () => {
      const server = startServer(instance, { env: { TMPDIR: instance.path('tmp') } });
      const session = await server.open('2026-07-28');
      await session.call('big');
      return server;
    };
    const [killed, living] = [await start(), await start()];
    const pids = async () =>
      (await readdir(instance.path('tmp'))).flatMap((name) => /^toolgraph-output-(\d+)-/.exec(name)?.[1] ?? []);
    expect(new Set(await pids())).toEqual(new Set([`${killed.pid}`, `${living.pid}`]));
    killed.kill('SIGKILL');
    await killed.exited;
    const next = await start();
    await eventually(async () => !(await pids()).includes(`${killed.pid}`), 'what was left is removed');
    expect(new Set(await pids())).toEqual(new Set([`${next.pid}`, `${living.pid}`]));
  });
});

interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly uri?: string }[];
  readonly _meta: { readonly 'toolgraph/call': string };
}

describe('X12: a secret', () => {
  it('reaches only the tool that names it, and no error and no record says it', async () => {
    const requires = { env: ['DEPLOY_TOKEN'] };
    const instance = await makeInstance([
      toolNode('deploy', { requires, invoke: { shell: 'bin/deploy.sh' } }),
      toolNode('other', { invoke: { shell: 'bin/deploy.sh' } }),
    ]);
    await instance.config({ env: ['DEPLOY_TOKEN'] });
    await instance.script('bin/deploy.sh', [
      'echo "got $DEPLOY_TOKEN"',
      'echo "bad token $DEPLOY_TOKEN" >&2',
      'exit 1',
    ]);
    const secret = 'hunter2-hunter2';
    const session = await startServer(instance, { env: { DEPLOY_TOKEN: secret } }).open('2026-07-28');
    const answer = await session.call('deploy');
    expect(answer.refusal?.details).toMatchObject({
      stdout: 'got [masked: DEPLOY_TOKEN]\n',
      stderr: 'bad token [masked: DEPLOY_TOKEN]\n',
    });
    expect((await session.call('other')).refusal?.details).toMatchObject({ stdout: 'got \n', stderr: 'bad token \n' });
    const state = instance.path('.toolgraph');
    const files = await Promise.all((await readdir(state)).map((name) => readFile(join(state, name), 'latin1')));
    expect(files.filter((content) => content.includes(secret))).toEqual([]);
  });
});

describe('X15: a storm of calls', () => {
  it('500 calls of a 1 s tool run or are refused as busy, and another tool runs meanwhile', async () => {
    const instance = await makeInstance([toolNode('slow', { invoke: { shell: 'sleep 1' } }), toolNode('quick')]);
    await instance.config({ limits: { concurrentCalls: 33, concurrentCallsPerTool: 32, waitingCalls: 64 } });
    const session = await startServer(instance).open('2026-07-28');
    const calls = Array.from({ length: 500 }, () => session.send('tools/call', { name: 'slow', arguments: {} }));
    expect((await session.call('quick')).text).toBe('quick\n');
    const answers = await Promise.all(calls.map(async (call) => callAnswer((await call.answer(60_000)).result ?? {})));
    const busy = answers.filter(({ isError }) => isError);
    expect(answers.length - busy.length).toBeGreaterThanOrEqual(64);
    expect(busy.length).toBeGreaterThan(0);
    for (const { refusal } of busy) {
      const details = { ofTool: { running: 32, waiting: 32 } };
      expect(refusal).toMatchObject({ code: 'busy', message: expect.stringContaining('Try again'), details });
    }
  });

  it.each(eras)('X8: a call that is cancelled while it waits is never run, in the era %s', async (era) => {
    const instance = await makeInstance([toolNode('held', { invoke: { shell: 'bin/held.sh' } }), toolNode('quick')]);
    await instance.config({ limits: { concurrentCalls: 1, waitingCalls: 4 } });
    await instance.script('bin/held.sh', ['echo run >> runs', 'until [ -e go ]; do sleep 0.05; done']);
    const session = await startServer(instance).open(era);
    await session.list();
    const first = session.send('tools/call', { name: 'held', arguments: {} });
    await eventually(() => exists(instance, 'runs'), 'the tool has started');
    const cancelled = session.send('tools/call', { name: 'held', arguments: {} });
    const second = session.send('tools/call', { name: 'held', arguments: {} });
    // Its place is free again, or this would be refused.
    session.cancel(cancelled.id);
    const third = session.send('tools/call', { name: 'held', arguments: {} });
    await instance.write('go', '');
    for (const call of [first, second, third]) {
      expect(callAnswer((await call.answer()).result ?? {})).toMatchObject({ isError: false });
    }
    expect(await readFile(instance.path('runs'), 'utf8')).toBe('run\n'.repeat(3));
    await expect(cancelled.answer(300)).rejects.toThrow('no answer');
  });
});

describe('P16: a client that goes away during a call', () => {
  it('killed: the server and the whole process tree of the tool end', async () => {
    const instance = await instanceWithTree();
    const client = spawn(
      process.execPath,
      [fileURLToPath(new URL('fixtures/dying-client.mjs', import.meta.url)), ...serveCommand(instance)],
      { cwd: tmpdir(), env: serveEnv(), stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [firstLine] = await once(client.stdout, 'data');
    const pids = [Number(String(firstLine).trim()), ...(await treePids(instance))];
    expect(await Promise.all(pids.map(isRunning))).toEqual([true, true, true]);
    client.kill('SIGKILL');
    await eventually(() => allEnded(pids), 'the server and the process tree have ended');
  });

  it('closing stdin: the server ends in good order, and so does the process tree', async () => {
    const instance = await instanceWithTree();
    const server = startServer(instance);
    const session = await server.open('2026-07-28');
    session.send('tools/call', { name: 'tree', arguments: {} });
    const pids = await treePids(instance);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    await eventually(() => allEnded(pids), 'the process tree has ended', 1000);
  });
});

import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../scripts/seeded-random.js';
import { eventually } from './deadline.js';
import { makeInstance, type ServerProcess, startServer } from './harness.js';
import { type Instance, nodePath, toolNode, typeIri } from './instance.js';
import { isRunning } from './processes.js';
import { recordOf, recordsOf } from './records.js';
import { eras, type Session } from './session.js';

const word = { name: 'word', schema: typeIri('Word'), arg: { positional: 0 } };
const text = { name: 'text', schema: typeIri('Text'), arg: { stdin: true } };

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

async function open(instance: Instance, env: Record<string, string> = {}) {
  const server = startServer(instance, { env });
  const session = await server.open('2025-11-25');
  await session.list();
  return { server, session };
}

async function exists(instance: Instance, path: string): Promise<boolean> {
  return await access(instance.path(path)).then(
    () => true,
    () => false,
  );
}

/** Every fact of a call of `echo`, as it is recorded. */
describe.each(eras)('R1: the record of a call in the era %s', (era) => {
  it('says what was asked by whom, what ran, and how it ended', async () => {
    const instance = await makeInstance([
      toolNode('echo', { io: { inputs: [word] }, satisfies: ['testing', 'saying'], requiresConfirmation: true }),
    ]);
    await instance.config({ name: 'recorded', actor: { name: 'ci', role: 'builder' } });
    const session = await startServer(instance).open(era);
    const { tools, generation } = await session.list();
    const args = { word: 'hello', user_confirmed: true };
    const answer = await session.call('echo', args, {
      'toolgraph/actor': { name: 'agent-7', role: 'reviewer', version: '2' },
      'toolgraph/skill': 'saying',
    });
    expect(answer.text).toBe('echo hello\n');
    const [record, ...others] = recordsOf(instance);
    expect(others).toEqual([]);
    expect(record).toEqual({
      id: answer.call,
      name: 'echo',
      tool: 'echo',
      iri: 'urn:toolgraph:recorded:tool/echo',
      document: 'graph/tools/echo.json',
      revision: expect.stringMatching(/^[0-9a-f]{64}$/),
      definition: (tools[0] as unknown as { _meta: Record<string, string> })._meta['toolgraph/definition'],
      generation: { ...generation, key: expect.stringMatching(/^[0-9a-f]{64}$/) },
      skill: 'saying',
      by: { actor: 'agent-7', role: 'reviewer', version: '2', identity: 'asserted' },
      inputs: { word: 'hello' },
      confirmed: true,
      arm: 'shell',
      argv: ['echo', 'echo', 'hello'],
      outcome: 'ran',
      exitCode: 0,
      output: { bytes: 11, sha256: sha256('echo hello\n') },
      started: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      finished: expect.stringMatching(/\.\d{3}Z$/),
    });
    await session.call('echo', args, { 'toolgraph/actor': 7, 'toolgraph/skill': 'cooking' });
    expect(recordsOf(instance)[0]).toMatchObject({
      by: { actor: 'ci', role: 'builder', identity: 'none' },
      claimedSkill: 'cooking',
    });
    expect(recordsOf(instance)[0]).not.toHaveProperty('skill');
  });
});

it('R1: a changed second word is another definition and another revision, and each is kept whole', async () => {
  const instance = await makeInstance([toolNode('now', { invoke: { shell: 'echo one' } })]);
  const { session } = await open(instance);
  await session.call('now');
  await instance.replace(nodePath('now'), toolNode('now', { invoke: { shell: 'echo two' } }));
  await session.listChanged();
  await session.call('now');
  await instance.replace(nodePath('now'), toolNode('now', { invoke: { shell: 'echo two' }, satisfies: ['other'] }));
  await eventually(async () => {
    await session.call('now', {}, { 'toolgraph/skill': 'other' });
    return recordsOf(instance)[0]?.skill === 'other';
  }, 'the edit is served, of which no client is told');
  const [third, second, first] = [recordsOf(instance)[0], ...recordsOf(instance).slice(-2)];
  expect(first?.definition).not.toBe(second?.definition);
  expect(third?.definition).toBe(second?.definition);
  expect(new Set([first?.revision, second?.revision, third?.revision]).size).toBe(3);
  const db = new Database(instance.path('.toolgraph/records.db'), { readonly: true });
  const node = db.prepare<[string], string>('SELECT node FROM revision WHERE digest = ?').pluck();
  expect(JSON.parse(node.get(String(first?.revision)) ?? '')).toMatchObject({
    id: 'now',
    invoke: { shell: 'echo one' },
  });
  expect(JSON.parse(node.get(String(third?.revision)) ?? '')).toMatchObject({ satisfies: ['other'] });
  db.close();
});

describe('the outcome of a call', () => {
  async function instanceOfOutcomes(): Promise<Instance> {
    const instance = await makeInstance([
      toolNode('ask', { requiresConfirmation: true }),
      toolNode('say', { io: { inputs: [{ ...word, required: true }] } }),
      toolNode('flag', { io: { inputs: [{ name: 'n', schema: typeIri('Number'), arg: { positional: 0 } }] } }),
      toolNode('fails', { invoke: { shell: 'bin/fails.sh' } }),
      toolNode('dies', { invoke: { shell: 'bin/dies.sh' } }),
      toolNode('slow', { invoke: { shell: 'bin/slow.sh' }, limits: { timeoutMs: 300 } }),
      toolNode('gone', { invoke: { shell: 'bin/gone.sh' } }),
      toolNode('json', { io: { outputs: [{ name: 'n', schema: typeIri('Number'), from: { stdout: 'json' } }] } }),
      toolNode('late', { tier: 'experimental' }),
      toolNode('hidden', { tier: 'internal' }),
      toolNode('big', { invoke: { shell: 'yes' }, limits: { timeoutMs: 500, outputBytes: 1024 } }),
    ]);
    await instance.writeTypes({ Number: { type: 'integer' } });
    await instance.script('bin/fails.sh', ['echo said', 'exit 3']);
    await instance.script('bin/dies.sh', ['kill -SEGV $$']);
    await instance.script('bin/slow.sh', ['exec sleep 60']);
    await instance.script('bin/gone.sh', ['exit 0']);
    return instance;
  }

  it('has a reason unless it ran, the code that the caller got, and what is known of the process', async () => {
    const instance = await instanceOfOutcomes();
    const { session } = await open(instance);
    const started = Date.now();
    const outcomes: [string, Record<string, unknown>, Record<string, unknown>][] = [
      ['ask', {}, { outcome: 'refused-permission', code: 'confirmation_required' }],
      ['ask', { user_confirmed: false }, { outcome: 'refused-permission', confirmed: false, inputs: {} }],
      ['say', { word: '$(id)' }, { outcome: 'refused-input', code: 'invalid_params', inputs: { word: '$(id)' } }],
      ['say', { word: 'a', other: [1] }, { outcome: 'refused-input', inputs: { other: [1], word: 'a' } }],
      ['flag', { n: -3 }, { outcome: 'refused-input', code: 'option_like_value', inputs: { n: -3 } }],
      [
        'fails',
        {},
        { outcome: 'failed', code: 'exit_code', exitCode: 3, output: { bytes: 5, sha256: sha256('said\n') } },
      ],
      ['dies', {}, { outcome: 'failed', code: 'killed', signal: 'SIGSEGV' }],
      ['slow', {}, { outcome: 'timeout', code: 'timeout', signal: 'SIGTERM' }],
      ['json', {}, { outcome: 'failed', code: 'output_not_json', exitCode: 0 }],
      [
        'late',
        {},
        { outcome: 'unavailable', code: 'tool_unavailable', tool: 'late', document: 'graph/tools/late.json' },
      ],
    ];
    for (const [name, args, expected] of outcomes) {
      const { call, refusal } = await session.call(name, args);
      const record = recordOf(instance, call);
      expect(record).toMatchObject({ name, code: refusal?.code, ...expected });
      expect(record?.reason, name).toBe(refusal?.message);
      const [from, to] = [Date.parse(record?.started ?? ''), Date.parse(record?.finished ?? '')];
      expect(from).toBeGreaterThanOrEqual(started);
      expect(to).toBeGreaterThanOrEqual(from);
    }
    await instance.remove('bin/gone.sh');
    const gone = await session.call('gone');
    if (gone.refusal?.code === 'spawn_failed') {
      expect(recordOf(instance, gone.call)).toMatchObject({ outcome: 'failed', argv: ['bin/gone.sh'] });
    }
  });

  it('is recorded for a name that is unknown or internal, which tells the Tool to nobody', async () => {
    const instance = await instanceOfOutcomes();
    const { session } = await open(instance);
    for (const name of ['nothing', 'hidden', '__proto__', 'x'.repeat(100_000)]) {
      const { error } = await session.request('tools/call', { name, arguments: { a: 1 } });
      expect(error).toMatchObject({ code: -32602 });
      const [record] = recordsOf(instance);
      expect(record).toMatchObject({ outcome: 'unavailable', code: 'unknown_tool', inputs: { a: 1 } });
      expect(record?.name.slice(0, 2000)).toBe(name.slice(0, 2000));
      expect(record?.name.length).toBeLessThan(2_100);
      expect(record).not.toHaveProperty('iri');
    }
  });

  it('names the Tool that was removed', async () => {
    const instance = await instanceOfOutcomes();
    const { session } = await open(instance);
    await instance.remove(nodePath('say'));
    await session.listChanged();
    const { call, refusal } = await session.call('say');
    expect(refusal?.code).toBe('tool_removed');
    expect(recordOf(instance, call)).toMatchObject({ outcome: 'unavailable', code: 'tool_removed', tool: 'say' });
  });

  it('X8: is recorded of a cancelled call, which gets no answer', async () => {
    const instance = await instanceOfOutcomes();
    await instance.script('bin/slow.sh', ['touch begun', 'exec sleep 60']);
    await instance.replace(nodePath('slow'), toolNode('slow', { invoke: { shell: 'bin/slow.sh' } }));
    const { session } = await open(instance);
    const call = session.send('tools/call', { name: 'slow', arguments: {} });
    await eventually(() => exists(instance, 'begun'), 'the tool runs');
    expect(recordsOf(instance)).toMatchObject([{ outcome: null, name: 'slow', argv: ['bin/slow.sh'] }]);
    session.cancel(call.id);
    await eventually(() => recordsOf(instance)[0]?.outcome === 'cancelled', 'it is recorded as cancelled');
    expect(recordsOf(instance)[0]).toMatchObject({ code: 'cancelled', reason: 'slow was cancelled and ended' });
  });

  it('X11: has size and digest of all that was printed, also beyond the cap', async () => {
    const instance = await makeInstance([
      toolNode('big', { invoke: { shell: 'bin/big.sh' }, limits: { outputBytes: 1024 } }),
    ]);
    await instance.script('bin/big.sh', ['head -c 300000 /dev/zero']);
    const { session } = await open(instance);
    const { call } = await session.call('big');
    expect(recordOf(instance, call)).toMatchObject({
      outcome: 'ran',
      output: { bytes: 300_000, sha256: sha256('\0'.repeat(300_000)) },
    });
  });
});

it('X12: a variable that the config permits is masked in inputs, argv and reason, whatever tool is called', async () => {
  const secret = 'hunter-two-99';
  const instance = await makeInstance([
    toolNode('say', {
      io: { inputs: [{ name: 'word', schema: typeIri('Token'), arg: { flag: '--w', joined: true } }, text] },
    }),
    toolNode('stated', {
      io: { inputs: [{ name: 'word', schema: typeIri('Word'), required: true, arg: { positional: 0 } }] },
    }),
  ]);
  await instance.writeTypes({ Token: { type: 'string', pattern: '^[a-z0-9-]+$' }, Text: { type: 'string' } });
  await instance.config({ name: 'masked', env: ['API_KEY'] });
  const { session } = await open(instance, { API_KEY: secret });
  await session.call('say', { word: `x${secret}y`, text: `{"key":"${secret}"}` });
  await session.call('stated', { word: 'ok', [secret]: 1 });
  await session.request('tools/call', { name: `no-${secret}`, arguments: {} });
  const records = recordsOf(instance);
  expect(records[2]).toMatchObject({
    outcome: 'ran',
    inputs: { word: 'x[masked: API_KEY]y', text: '{"key":"[masked: API_KEY]"}' },
    argv: ['echo', 'say', '--w=x[masked: API_KEY]y'],
  });
  expect(records[1]).toMatchObject({ inputs: { '[masked: API_KEY]': 1, word: 'ok' }, outcome: 'refused-input' });
  expect(records[1]?.reason).toContain('[masked: API_KEY]');
  expect(JSON.stringify(records)).not.toContain(secret);
  for (const file of ['records.db', 'records.db-wal']) {
    expect((await readFile(instance.path(`.toolgraph/${file}`), 'latin1')).includes(secret)).toBe(false);
  }
});

it('inputs and argv that are too large are kept as their beginning, size and digest', async () => {
  const many = { name: 'words', schema: typeIri('Word'), repeated: true, arg: { positional: 0 } };
  const instance = await makeInstance([toolNode('say', { invoke: { shell: 'true' }, io: { inputs: [many, text] } })]);
  await instance.writeTypes({ Text: { type: 'string' } });
  const { session } = await open(instance);
  const args = { text: 'é'.repeat(500_000), words: Array.from({ length: 4000 }, () => 'word') };
  const { call } = await session.call('say', args);
  const record = recordOf(instance, call);
  const jcs = JSON.stringify(args);
  expect(record?.inputsCut).toMatchObject({ bytes: Buffer.byteLength(jcs), sha256: sha256(jcs) });
  expect(record).not.toHaveProperty('inputs');
  expect(jcs.startsWith(record?.inputsCut?.head ?? 'nothing')).toBe(true);
  expect(record?.argvCut).toEqual({ words: 4001, sha256: sha256(JSON.stringify(['true', ...args.words])) });
  expect(record?.argv?.slice(0, 2)).toEqual(['true', 'word']);
  expect(JSON.stringify(record).length).toBeLessThan(50_000);
});

describe('R6: a record that cannot be written', () => {
  const ran = (instance: Instance) => exists(instance, 'ran');

  async function instanceOfTouch(): Promise<Instance> {
    const instance = await makeInstance([
      toolNode('touch', { invoke: { shell: 'touch ran' } }),
      toolNode('wait', { invoke: { shell: 'bin/wait.sh' } }),
    ]);
    await instance.script('bin/wait.sh', ['touch begun', 'while [ ! -e go ]; do sleep 0.05; done']);
    return instance;
  }

  function lock(instance: Instance): Database.Database {
    const db = new Database(instance.path('.toolgraph/records.db'));
    db.exec('BEGIN IMMEDIATE');
    return db;
  }

  it('is waited for while another process has the lock, and the service goes on meanwhile', async () => {
    const instance = await instanceOfTouch();
    const { session } = await open(instance);
    const db = lock(instance);
    const calls = Array.from({ length: 20 }, () => session.call('touch'));
    for (let n = 0; n < 20; n++) await session.list();
    expect(await ran(instance)).toBe(false);
    db.exec('COMMIT');
    db.close();
    for (const call of calls) expect((await call).isError).toBe(false);
    expect(recordsOf(instance).map(({ outcome }) => outcome)).toEqual(Array.from({ length: 20 }, () => 'ran'));
  });

  it('before the start: nothing is run, the caller is told why, and the next call is made when the lock is free', async () => {
    const instance = await instanceOfTouch();
    const { server, session } = await open(instance);
    const db = lock(instance);
    const { refusal, call } = await session.call('touch');
    expect(refusal).toMatchObject({
      code: 'internal_error',
      message: expect.stringMatching(/^touch was not run, because .*records\.db: another process has held its lock/),
    });
    expect(refusal?.message).not.toContain(instance.root);
    expect(call).toBeUndefined();
    expect(await ran(instance)).toBe(false);
    await server.stderr.next((line) => line.includes('a call could not be recorded'));
    db.exec('COMMIT');
    db.close();
    expect((await session.call('touch')).isError).toBe(false);
    expect(recordsOf(instance)).toHaveLength(1);
  });

  it('after the run: the caller is told that it ran; the end is written when that is possible again', async () => {
    const instance = await instanceOfTouch();
    const { session } = await open(instance);
    const call = session.call('wait');
    await eventually(() => exists(instance, 'begun'), 'the tool runs');
    const db = lock(instance);
    await instance.write('go', '');
    const { refusal, call: id } = await call;
    expect(refusal).toMatchObject({
      code: 'internal_error',
      message: expect.stringMatching(/^wait ran \(ran\), but its record/),
    });
    expect(recordOf(instance, id)).toMatchObject({ outcome: null });
    db.exec('COMMIT');
    db.close();
    await session.call('touch');
    expect(recordOf(instance, id)).toMatchObject({ outcome: 'ran', exitCode: 0 });
  });

  it('goes into a new file when the old one is removed during the call', async () => {
    const instance = await instanceOfTouch();
    const { session } = await open(instance);
    const call = session.call('wait');
    await eventually(() => exists(instance, 'begun'), 'the tool runs');
    await instance.remove('.toolgraph');
    await instance.write('go', '');
    const { isError, call: id } = await call;
    expect(isError).toBe(false);
    expect(recordsOf(instance)).toMatchObject([{ id, name: 'wait', outcome: 'ran', argv: ['bin/wait.sh'] }]);
  });
});

describe('a server that is killed with -9', () => {
  it('X5: leaves a call that the next start marks as interrupted, and a process tree that it ends', async () => {
    const instance = await makeInstance([toolNode('tree', { invoke: { shell: 'bin/tree.sh' } })]);
    await instance.script('bin/tree.sh', ['sleep 300 &', 'echo "$$ $!" > pids.part', 'mv pids.part pids', 'wait']);
    const { server, session } = await open(instance);
    session.send('tools/call', { name: 'tree', arguments: {} });
    await eventually(() => exists(instance, 'pids'), 'the tool runs');
    const pids = (await readFile(instance.path('pids'), 'utf8')).trim().split(' ').map(Number);
    server.kill('SIGKILL');
    await server.exited;
    expect(await Promise.all(pids.map(isRunning))).toEqual([true, true]);
    expect(recordsOf(instance)).toMatchObject([{ outcome: null }]);
    const next = startServer(instance);
    await next.stderr.next((line) => line.includes('ended the process group'));
    await eventually(async () => !(await Promise.all(pids.map(isRunning))).includes(true), 'the tree has ended');
    expect(recordsOf(instance)).toMatchObject([
      {
        name: 'tree',
        outcome: 'interrupted',
        reason: expect.stringContaining('toolgraph ended before'),
        finished: expect.any(String),
      },
    ]);
    expect(next.stderr.all.filter((line) => line.includes('recorded as interrupted'))).toHaveLength(1);
  });

  it('leaves the calls of another server of the instance, which lives, alone', async () => {
    const instance = await makeInstance([toolNode('wait', { invoke: { shell: 'bin/wait.sh' } })]);
    await instance.script('bin/wait.sh', ['touch begun', 'while [ ! -e go ]; do sleep 0.05; done']);
    const { session } = await open(instance);
    const call = session.call('wait');
    await eventually(() => exists(instance, 'begun'), 'the tool runs');
    const dead = await open(instance);
    dead.session.send('tools/call', { name: 'wait', arguments: {} });
    await eventually(() => recordsOf(instance).length === 2, 'both calls have begun');
    dead.server.kill('SIGKILL');
    await dead.server.exited;
    startServer(instance);
    await eventually(() => recordsOf(instance)[0]?.outcome === 'interrupted', 'the call of the dead server is marked');
    expect(recordsOf(instance)[1]?.outcome).toBeNull();
    await instance.write('go', '');
    expect((await call).isError).toBe(false);
    expect(recordsOf(instance)[1]?.outcome).toBe('ran');
  });

  it('8 times, at any moment: every answered call has its record, and every one that had begun is marked', async () => {
    const seeded = new SeededRandom(7);
    const instance = await makeInstance([toolNode('quick'), toolNode('nap', { invoke: { shell: 'sleep 0.2' } })]);
    const answered = new Map<string, string>();
    for (let round = 0; round < 8; round++) {
      const { server, session } = await open(instance);
      // At once, or on one of the first answers.
      let untilKill = Math.floor(12 * seeded.next());
      const call = async () => {
        const answer = await session.call(seeded.next() < 0.7 ? 'quick' : 'nap');
        if (answer.call !== undefined) answered.set(answer.call, answer.isError ? 'failed' : 'ran');
        untilKill -= 1;
        if (untilKill === 0) server.kill('SIGKILL');
      };
      // What is not answered before the end rejects.
      const calls = Array.from({ length: 16 }, () => call().catch(() => {}));
      if (untilKill === 0) server.kill('SIGKILL');
      expect(await server.exited).toMatchObject({ signal: 'SIGKILL' });
      await Promise.all(calls);
    }
    const last = startServer(instance);
    await (await last.open('2025-11-25')).list();
    await eventually(
      () => recordsOf(instance).every(({ outcome }) => outcome !== null),
      'all that had begun is marked',
    );
    const records = new Map(recordsOf(instance).map((record) => [record.id, record]));
    expect(answered.size).toBeGreaterThan(0);
    for (const [id, outcome] of answered) expect(records.get(id)?.outcome).toBe(outcome);
    const unanswered = [...records.values()].filter(({ id }) => !answered.has(id));
    for (const { outcome } of unanswered) expect(['ran', 'interrupted']).toContain(outcome);
    expect(unanswered.some(({ outcome }) => outcome === 'interrupted')).toBe(true);
    expect(last.stderrText).not.toMatch(/damaged|SQLITE/);
  });
});

it('6 servers of one instance: each of 600 calls has one record, and none fails for another', async () => {
  const instance = await makeInstance([toolNode('quick')]);
  const sessions: Session[] = [];
  const servers: ServerProcess[] = [];
  for (let n = 0; n < 6; n++) {
    const { session, server } = await open(instance);
    sessions.push(session);
    servers.push(server);
  }
  const answers = await Promise.all(
    sessions.map(async (session) => {
      const ids: (string | undefined)[] = [];
      for (let n = 0; n < 20; n++) {
        const calls = await Promise.all(Array.from({ length: 5 }, () => session.call('quick')));
        for (const { isError, call } of calls) {
          expect(isError).toBe(false);
          ids.push(call);
        }
      }
      return ids;
    }),
  );
  const records = recordsOf(instance);
  expect(records).toHaveLength(600);
  expect(new Set(records.map(({ id }) => id))).toEqual(new Set(answers.flat()));
  expect(records.every(({ outcome }) => outcome === 'ran')).toBe(true);
  for (const { stderrText } of servers) expect(stderrText).not.toContain('recorded');
});

it('what is more than limits.records is dropped, and the log says so', async () => {
  const instance = await makeInstance([toolNode('quick')]);
  await instance.config({ name: 'bounded', limits: { records: 10 } });
  const { session } = await open(instance);
  for (let n = 0; n < 100; n++) await session.call('quick');
  const records = recordsOf(instance);
  expect(records).toHaveLength(10);
  await session.call('quick');
  expect(recordsOf(instance).slice(1)).toEqual(records);
});

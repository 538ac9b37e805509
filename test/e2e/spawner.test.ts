import { readFile, rm } from 'node:fs/promises';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { eventually } from './deadline.js';
import { makeInstance, type ServerProcess, startServer } from './harness.js';
import { type Instance, toolNode } from './instance.js';
import { isRunning } from './processes.js';
import { recordOf } from './records.js';
import type { Session } from './session.js';

/** The process that starts those of calls, once the server has one. */
async function spawnerOf(server: ServerProcess, session: Session): Promise<number> {
  const starter = async () => Number((await session.call('parent')).text);
  await eventually(async () => (await starter()) !== server.pid, 'the spawner starts a call');
  return starter();
}

async function waitingPids(instance: Instance): Promise<number[]> {
  const pids = () => readFile(instance.path('pids'), 'utf8').catch(() => '');
  await eventually(async () => (await pids()) !== '', 'the tool has started');
  return (await pids()).trim().split(' ').map(Number);
}

async function allEnded(pids: readonly number[]): Promise<boolean> {
  return !(await Promise.all(pids.map(isRunning))).includes(true);
}

it.runIf(process.platform === 'linux')(
  'a spawner that is killed fails the calls under way and is made again; one whose server is killed ends with all it started',
  async () => {
    const instance = await makeInstance([
      toolNode('parent', { invoke: { shell: 'bin/parent.sh' } }),
      toolNode('waits', { invoke: { shell: 'bin/waits.sh' } }),
    ]);
    await instance.script('bin/parent.sh', ['echo $PPID']);
    await instance.script('bin/waits.sh', ['sleep 60 &', 'echo "$$ $!" > pids.part', 'mv pids.part pids', 'wait']);
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    const first = await spawnerOf(server, session);
    const { stdout } = await execa('ps', ['-o', 'ppid=', '-p', String(first)]);
    expect(Number(stdout)).toBe(server.pid);

    const failing = session.call('waits');
    const failed = await waitingPids(instance);
    process.kill(first, 'SIGKILL');
    const { isError, refusal, call } = await failing;
    expect({ isError, ...refusal }).toMatchObject({ isError: true, code: 'killed' });
    expect(refusal?.message).toMatch(/^waits was ended, because the process that had started it .* call it again$/);
    expect(recordOf(instance, call ?? '')).toMatchObject({ outcome: 'failed', code: 'killed' });
    await eventually(() => allEnded(failed), 'the process tree of the call has ended');

    const second = await spawnerOf(server, session);
    expect(second).not.toBe(first);
    await rm(instance.path('pids'));
    const { answer } = session.send('tools/call', { name: 'waits', arguments: {} });
    void answer().catch(() => {});
    const left = await waitingPids(instance);
    server.kill('SIGKILL');
    await eventually(() => allEnded([second, ...left]), 'the spawner and what it had started have ended');
  },
);

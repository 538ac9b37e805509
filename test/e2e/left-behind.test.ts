import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cgroupFolder } from '../../src/invocation/cgroup-folder.js';
import { eventually } from './deadline.js';
import { makeInstance, startServer } from './harness.js';
import { type Instance, toolNode } from './instance.js';
import { isRunning } from './processes.js';
import { recordOf } from './records.js';

/** Whether this host lets a server have a control group of its own. */
function isDelegated(): boolean {
  try {
    const folder = cgroupFolder(
      readFileSync('/proc/self/mountinfo', 'latin1'),
      readFileSync('/proc/self/cgroup', 'latin1'),
    );
    if (folder === undefined) return false;
    const tried = join(folder, `toolgraph-test-${process.pid}`);
    mkdirSync(tried);
    rmdirSync(tried);
    return true;
  } catch {
    return false;
  }
}

/** A tool that leaves a daemon behind, which holds nothing, and one that does the same and then waits for the file `go`. */
async function instanceWithDaemons(): Promise<Instance> {
  const instance = await makeInstance([
    toolNode('leaves', { invoke: { shell: 'bin/leaves.sh' } }),
    toolNode('waits', { invoke: { shell: 'bin/waits.sh' } }),
    toolNode('quick'),
  ]);
  const daemon = ['(setsid sleep 300 > /dev/null 2>&1 < /dev/null & echo $! > pid.part)', 'mv pid.part pid'];
  await instance.script('bin/leaves.sh', daemon);
  await instance.script('bin/waits.sh', [...daemon, 'until [ -e go ]; do sleep 0.02; done']);
  return instance;
}

async function daemonOf(instance: Instance): Promise<number> {
  const pid = () => readFile(instance.path('pid'), 'utf8').catch(() => '');
  await eventually(async () => (await pid()) !== '', 'the daemon runs');
  const daemon = Number(await pid());
  onTestFinished(() => {
    try {
      process.kill(daemon, 'SIGKILL');
    } catch {
      // It has been ended, as it should.
    }
  });
  return daemon;
}

describe.runIf(isDelegated())('X5: a daemon of a call, which left its group with setsid', () => {
  it('is ended with a call that ends well, and is told in the answer, in the record and on stderr', async () => {
    const instance = await instanceWithDaemons();
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    const { _meta, isError } = await session.result('tools/call', { name: 'leaves', arguments: {} });
    const daemon = await daemonOf(instance);
    expect(isError).not.toBe(true);
    expect(_meta).toMatchObject({ 'toolgraph/leftBehind': { alive: [], ended: [daemon] } });
    expect(await isRunning(daemon)).toBe(false);
    const call = (_meta as { 'toolgraph/call': string })['toolgraph/call'];
    expect(recordOf(instance, call)).toMatchObject({ outcome: 'ran', endedSurvivors: [daemon] });
    await server.stderr.next((line) => line.includes(`left processes behind`) && line.includes(String(daemon)));
    const { _meta: later } = await session.result('tools/call', { name: 'quick', arguments: {} });
    expect(later).not.toHaveProperty('toolgraph/leftBehind');
  });

  it('lives on where the config says so, and then no server makes a group of its own', async () => {
    const instance = await instanceWithDaemons();
    await instance.write('toolgraph.config.json', '{"daemons": "leave"}');
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    await session.call('leaves');
    const daemon = await daemonOf(instance);
    const { _meta } = await session.result('tools/call', { name: 'quick', arguments: {} });
    expect(_meta).not.toHaveProperty('toolgraph/leftBehind');
    await server.stop();
    expect(await isRunning(daemon)).toBe(true);
  });

  it('is left alone while that call runs, whatever ends beside it', async () => {
    const instance = await instanceWithDaemons();
    const session = await startServer(instance).open('2025-11-25');
    const waiting = session.call('waits');
    const daemon = await daemonOf(instance);
    for (let n = 0; n < 3; n++) await session.call('quick');
    expect(await isRunning(daemon)).toBe(true);
    await instance.write('go', '');
    const { call, isError } = await waiting;
    expect(isError).toBe(false);
    expect(recordOf(instance, call)?.endedSurvivors).toEqual([daemon]);
    expect(await isRunning(daemon)).toBe(false);
  });

  it('is ended with the call that is cancelled', async () => {
    const instance = await instanceWithDaemons();
    const session = await startServer(instance).open('2025-11-25');
    const { id } = session.send('tools/call', { name: 'waits', arguments: {} });
    const daemon = await daemonOf(instance);
    session.cancel(id);
    await eventually(async () => !(await isRunning(daemon)), 'the daemon is ended');
  });

  it.each(['stdin', 'SIGTERM'] as const)('P16: is ended with the server, by %s', async (way) => {
    const instance = await instanceWithDaemons();
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    session.send('tools/call', { name: 'waits', arguments: {} });
    const daemon = await daemonOf(instance);
    if (way === 'stdin') await server.stop();
    else {
      server.kill('SIGTERM');
      await server.exited;
    }
    await eventually(async () => !(await isRunning(daemon)), 'the daemon is ended');
  });

  it('R6: is ended by the next server when its own was killed, which says so', async () => {
    const instance = await instanceWithDaemons();
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    session.send('tools/call', { name: 'waits', arguments: {} });
    const daemon = await daemonOf(instance);
    server.kill('SIGKILL');
    await server.exited;
    expect(await isRunning(daemon)).toBe(true);
    const next = startServer(instance);
    await (await next.open('2025-11-25')).call('quick');
    await next.stderr.next((line) => line.includes('left them running') && line.includes(String(daemon)));
    await eventually(async () => !(await isRunning(daemon)), 'the daemon is ended');
  });
});

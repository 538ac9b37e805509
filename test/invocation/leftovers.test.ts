import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { endLeftover } from '../../src/invocation/leftovers.js';
import { childIdentity, parseProcStart, parsePsStart, processIdentity } from '../../src/invocation/process-identity.js';
import { isRunning } from '../e2e/processes.js';

/** A process that leads a group of its own, with a child in it. */
async function startGroup(script: string): Promise<{ child: ChildProcess; pid: number; member: number }> {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const pid = child.pid ?? Number.NaN;
  onTestFinished(() => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  const [line] = await once(child.stdout ?? child, 'data');
  return { child, pid, member: Number(String(line)) };
}

describe('endLeftover', () => {
  it('X5: ends the group of the very leader that was noted', async () => {
    const { pid, member } = await startGroup('sleep 300 & echo $!; wait');
    const identity = await processIdentity(pid);
    expect(identity).toBeTypeOf('string');
    expect(await endLeftover({ pid, identity: identity ?? '' })).toEqual({ kind: 'ended', survivors: [] });
    expect(await isRunning(member)).toBe(false);
  });

  it('X5: leaves a process alone that has got the same id since', async () => {
    const { pid, member } = await startGroup('sleep 300 & echo $!; wait');
    const identity = `${await processIdentity(pid)}0`;
    expect(await endLeftover({ pid, identity })).toEqual({ kind: 'gone' });
    expect(await isRunning(pid)).toBe(true);
    expect(await isRunning(member)).toBe(true);
  });

  it('X5: names what is left of a group without its leader, and leaves it alone: the id may have been given again', async () => {
    const { child, pid, member } = await startGroup('sleep 300 >/dev/null & echo $!');
    if (child.exitCode === null) await once(child, 'exit');
    expect(await endLeftover({ pid, identity: 'as it was' })).toEqual({ kind: 'uncertain', members: [member] });
    expect(await isRunning(member)).toBe(true);
  });

  it.each([0, 1, -5, Number.NaN, 1.5, process.pid])('sends nothing to %s', async (pid) => {
    const kill = vi.spyOn(process, 'kill');
    onTestFinished(() => kill.mockRestore());
    expect(await endLeftover({ pid, identity: (await processIdentity(process.pid)) ?? '' })).toEqual({ kind: 'gone' });
    expect(kill).not.toHaveBeenCalled();
  });
});

describe('childIdentity', () => {
  it('X5: is that of a child which has ended before it could be looked at', async () => {
    const child = spawn('/bin/sh', ['-c', ':'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const pid = child.pid ?? Number.NaN;
    const alive = await childIdentity(pid);
    // Nothing else runs here meanwhile, so this process does not hear of the end.
    if (process.platform === 'linux') while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1')));
    expect(await childIdentity(pid)).toBe(alive);
    expect(alive).toBeTypeOf('string');
    await once(child, 'exit');
  });

  it('is read of a zombie', () => {
    const fields = 'Z 1 77 77 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 123456 9 9';
    expect(parseProcStart(`77 (a) ${fields}\n`, true)).toBe('123456');
    expect(parsePsStart('Z    Mon Nov 30 21:30:50 2026\n', true)).toBe('Mon Nov 30 21:30:50 2026');
  });
});

describe('processIdentity', () => {
  it('is the same for one process, and another for another', async () => {
    const { pid } = await startGroup('sleep 300 & echo $!; wait');
    expect(await processIdentity(process.pid)).toBe(await processIdentity(process.pid));
    expect(await processIdentity(pid)).not.toBe(await processIdentity(process.pid));
    expect(await processIdentity(2 ** 30)).toBeUndefined();
  });

  it('is read behind a name with spaces and parentheses; a zombie has none', () => {
    const fields = 'S 1 77 77 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 123456 9 9';
    expect(parseProcStart(`77 (a ) b( 5) ${fields}\n`)).toBe('123456');
    expect(parseProcStart(`77 (a) ${fields.replace('S', 'Z')}\n`)).toBeUndefined();
    expect(parsePsStart('Ss   Mon Nov 30 21:30:50 2026\n')).toBe('Mon Nov 30 21:30:50 2026');
    expect(parsePsStart('Z    Mon Nov 30 21:30:50 2026\n')).toBeUndefined();
    expect(parsePsStart('')).toBeUndefined();
  });
});

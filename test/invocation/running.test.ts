import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RunningProcess } from '../../src/invocation/running.js';

const look = vi.hoisted(() => ({ before: async () => {} }));
vi.mock('../../src/invocation/process-list.js', async (original) => {
  const real = await original<typeof import('../../src/invocation/process-list.js')>();
  const listProcesses = async () => {
    await look.before();
    return real.listProcesses();
  };
  return { ...real, listProcesses };
});

/** A program that leads a group of its own, once it has said that it runs, and how it ends. */
async function started(program: string) {
  const child = spawn('sh', ['-c', program], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  const pid = child.pid ?? Number.NaN;
  return { pid, ended, running: new RunningProcess(pid, undefined) };
}

async function stateOf(pid: number): Promise<string> {
  const { stdout } = spawn('ps', ['-o', 'stat=', '-p', String(pid)]);
  const [text] = await once(stdout, 'data');
  return String(text).trim();
}

describe('X5: A process that is told to end', () => {
  it('starts nothing more from the look at what it has started until it is told', async () => {
    const { pid, ended, running } = await started('echo; exec sleep 300');
    let state = '';
    look.before = async () => {
      look.before = async () => {};
      // The first letter; T is stopped (proc_pid_stat(5)).
      const isStopped = async () => {
        state = await stateOf(pid);
        expect(state).toMatch(/^T/);
      };
      await vi.waitFor(isStopped, { timeout: 5000 }).catch(() => {});
    };
    running.stop('timeout');
    expect(await ended).toEqual([null, 'SIGTERM']);
    running.ended();
    running.finish();
    expect(state).toMatch(/^T/);
  });

  it('is let go on, and can end as it means to', async () => {
    const { ended, running } = await started('trap "exit 7" TERM; echo; while :; do sleep 0.05; done');
    running.stop('timeout');
    expect(await ended).toEqual([7, null]);
    running.ended();
    running.finish();
  });
});

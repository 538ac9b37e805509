import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { run } from '../../src/invocation/run.js';
import { killAll, RunningProcess } from '../../src/invocation/running.js';

const look = vi.hoisted(() => ({ before: async () => {}, after: async () => {} }));
vi.mock('../../src/invocation/process-list.js', async (original) => {
  const real = await original<typeof import('../../src/invocation/process-list.js')>();
  const listProcesses = async () => {
    await look.before();
    const processes = await real.listProcesses();
    await look.after();
    return processes;
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

describe('X8: A process whose call was ended while it was started', () => {
  const observed = (started: () => void) => ({ starting: async () => {}, started, ended: () => {} });
  const command = { file: 'sleep', args: ['300'], cwd: '/', env: { PATH: process.env.PATH ?? '' } };
  const limits = { timeoutMs: 10_000, outputBytes: 100 };

  it('is ended, by the signal', async () => {
    const controller = new AbortController();
    const observer = observed(() => controller.abort());
    const ended = await run({ ...command, ...limits, observer, signal: controller.signal });
    expect(ended).toMatchObject({ kind: 'ended', stopReason: 'cancelled' });
  });

  it('P16: is ended, by its owner', async () => {
    const owner = {};
    const observer = observed(() => void killAll(owner));
    expect(await run({ ...command, ...limits, observer, owner })).toMatchObject({
      ...{ kind: 'ended', stopReason: 'cancelled', signal: 'SIGKILL' },
    });
  });
});

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

  it('has its whole grace after a look that took longer', async () => {
    const { ended, running } = await started('trap "exit 7" TERM; echo; while :; do sleep 0.05; done');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    look.before = async () => {
      look.before = async () => {};
      // Whatever is to be timed from the beginning is timed by then.
      await new Promise(setImmediate);
      vi.advanceTimersByTime(5000);
    };
    running.stop('timeout');
    expect(await ended).toEqual([7, null]);
    running.ended();
    running.finish();
  });

  it.runIf(process.platform === 'linux')(
    'is told of what had left its group when it ends before the look',
    async () => {
      const owner = {};
      const abort = new AbortController();
      const isOver = new AbortController();
      let tellDaemon: (pid: number) => void = () => {};
      const daemon = new Promise<number>((resolve) => {
        tellDaemon = resolve;
      });
      look.after = async () => {
        look.after = async () => {};
        void killAll(owner);
        // Where nobody waits for the look, the call is over before it.
        await delay(1000, undefined, { signal: isOver.signal }).catch(() => {});
      };
      const leaves = 'setsid sh -c \'echo "::progress $$/9999999" >&2; exec sleep 300 >/dev/null 2>&1\'';
      const script = `${leaves} & exec sleep 300`;
      const ended = run({
        ...{ file: 'sh', args: ['-c', script], cwd: '/', env: { PATH: process.env.PATH ?? '' } },
        ...{ timeoutMs: 60_000, outputBytes: 4096, owner, signal: abort.signal },
        onProgress: ({ progress }) => tellDaemon(progress),
      });
      void ended.then(() => isOver.abort());
      const pid = await daemon;
      onTestFinished(() => void process.kill(pid, 'SIGKILL'));
      abort.abort();
      expect(await ended).toMatchObject({ kind: 'ended', signal: 'SIGKILL', survivors: [pid] });
    },
  );

  it('is let go on, and can end as it means to', async () => {
    const { ended, running } = await started('trap "exit 7" TERM; echo; while :; do sleep 0.05; done');
    running.stop('timeout');
    expect(await ended).toEqual([7, null]);
    running.ended();
    running.finish();
  });
});

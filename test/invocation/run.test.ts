import { writeFileSync } from 'node:fs';
import { open, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callEntry } from '../../src/invocation/call.js';
import { CallQueue } from '../../src/invocation/call-queue.js';
import type { ArmEnd } from '../../src/invocation/call-record.js';
import { KeptOutputs } from '../../src/invocation/kept-outputs.js';
import type { CallOutcome } from '../../src/invocation/outcome.js';
import { listProcesses } from '../../src/invocation/process-list.js';
import { killAll } from '../../src/invocation/running.js';
import { callSettings, fixture, scratchFolder, shellEntry, textOf } from './shell-entry.js';

const node = process.execPath;
const repository = join(import.meta.dirname, '../..');
const waitsForChild = shellEntry({ words: ['sh', fixture('waits-for-child.sh')] });

async function isAlive(pid: number): Promise<boolean> {
  return (await listProcesses()).some((line) => line.pid === pid);
}

/** The process id that the program printed, from a call that failed. */
function printedPid(outcome: CallOutcome): number {
  if (outcome.kind === 'ran') throw new Error('expected the call to fail');
  const pid = Number(outcome.details.stdout);
  expect(pid).toBeGreaterThan(0);
  return pid;
}

/**
 * A tool that takes no notice of TERM, starts a child and waits for it. `started` gives the ids of both once they run.
 */
async function stubbornTool() {
  const file = join(await scratchFolder(), 'pids');
  const entry = shellEntry({ words: ['sh', fixture('stubborn.sh'), file] });
  const started = () =>
    vi.waitFor(async () => (await readFile(file, 'utf8')).trim().split(' ').map(Number), { timeout: 20_000 });
  return { entry, file, started };
}

async function expectGone(pids: readonly number[]): Promise<void> {
  expect(pids).toHaveLength(2);
  for (const pid of pids) expect(await isAlive(pid)).toBe(false);
}

describe('a call that takes too long', () => {
  it('X5: is ended with all that it has started', async () => {
    const outcome = await callEntry(waitsForChild, {}, callSettings({ timeoutMs: 3000 }));
    expect(outcome).toMatchObject({
      kind: 'failed',
      code: 'timeout',
      message: 'probe-tool did not end within 3000 ms and was ended',
      details: { timeoutMs: 3000 },
    });
    expect(outcome).not.toHaveProperty('details.survivors');
    expect(await isAlive(printedPid(outcome))).toBe(false);
  });

  it('X5: is ended in the time of the node, which comes before that of the config', async () => {
    const entry = shellEntry({ words: ['sleep', '300'], tool: { limits: { timeoutMs: 50 } } });
    expect(await callEntry(entry, {}, callSettings())).toMatchObject({ code: 'timeout', details: { timeoutMs: 50 } });
  });

  it.runIf(process.platform === 'linux')('X5: reports what had left its group and so lives on', async () => {
    const entry = shellEntry({ words: ['sh', fixture('leaves-group.sh')] });
    const outcome = await callEntry(entry, {}, callSettings({ timeoutMs: 3000 }));
    const pid = printedPid(outcome);
    onTestFinished(() => void process.kill(pid, 'SIGKILL'));
    expect(outcome).toMatchObject({ code: 'timeout', details: { survivors: [pid] } });
    expect(await isAlive(pid)).toBe(true);
  });
});

describe('a call whose program has ended', () => {
  it('X5: settles although a child of it holds the output, and that child is ended', async () => {
    const entry = shellEntry({ words: ['sh', fixture('leaves-child.sh')] });
    const pid = Number(textOf(await callEntry(entry, {}, callSettings())));
    expect(pid).toBeGreaterThan(0);
    expect(await isAlive(pid)).toBe(false);
  });

  it.runIf(process.platform === 'linux')(
    'X5: settles although a daemon holds the output, and tells of it',
    async () => {
      const go = join(await scratchFolder(), 'go');
      const script = 'until [ -e "$0" ]; do sleep 0.02; done; setsid sleep 300 & echo "$!"';
      const ends: ArmEnd[] = [];
      const observer = {
        starting: async () => {},
        // What the output is can be seen only while the program runs.
        started: () => writeFileSync(go, ''),
        ended: (end: ArmEnd) => void ends.push(end),
      };
      const entry = shellEntry({ words: ['sh', '-c', script, go] });
      const pid = Number(textOf(await callEntry(entry, {}, callSettings({ observer }))));
      onTestFinished(() => void process.kill(pid, 'SIGKILL'));
      expect(pid).toBeGreaterThan(0);
      expect(ends).toMatchObject([{ exitCode: 0, survivors: [pid] }]);
    },
  );

  it('is not late for a timeout or a cancel that comes afterwards', async () => {
    const controller = new AbortController();
    const outcome = await callEntry(shellEntry({}), {}, callSettings({ signal: controller.signal }));
    controller.abort();
    expect(outcome.kind).toBe('ran');
  });
});

describe('a cancelled call', () => {
  it('X8: is ended with all that it has started, even when it takes no notice of TERM', async () => {
    const { entry, started } = await stubbornTool();
    const controller = new AbortController();
    const call = callEntry(entry, {}, callSettings({ timeoutMs: 600_000, signal: controller.signal }));
    const pids = await started();
    controller.abort();
    const outcome = await call;
    expect(outcome).toMatchObject({ kind: 'failed', code: 'cancelled' });
    expect(outcome).not.toHaveProperty('details.survivors');
    await expectGone(pids);
  });

  it('X8: starts nothing when it was cancelled before', async () => {
    const entry = shellEntry({ words: ['no-such-command-here'] });
    expect(await callEntry(entry, {}, callSettings({ signal: AbortSignal.abort() }))).toMatchObject({
      kind: 'refused',
      code: 'cancelled',
    });
  });
});

describe('the end of the service', () => {
  it('P16: killAll ends the calls of one owner, and returns when their processes are gone', async () => {
    const [mine, other] = [await stubbornTool(), await stubbornTool()];
    const owner = {};
    const myCall = callEntry(mine.entry, {}, callSettings({ timeoutMs: 600_000, owner }));
    const otherCall = callEntry(other.entry, {}, callSettings({ timeoutMs: 600_000 }));
    const [myPids, otherPids] = [await mine.started(), await other.started()];
    await killAll(owner);
    await expectGone(myPids);
    for (const pid of otherPids) expect(await isAlive(pid)).toBe(true);
    expect(await myCall).toMatchObject({ kind: 'failed', code: 'cancelled' });

    await killAll();
    await expectGone(otherPids);
    expect(await otherCall).toMatchObject({ kind: 'failed', code: 'cancelled' });
  });

  it('P16: a call that was still being checked when its owner ended starts nothing', async () => {
    const owner = {};
    const entry = shellEntry({ words: ['no-such-command-here'] });
    const call = callEntry(entry, {}, callSettings({ owner }));
    await killAll(owner);
    expect(await call).toMatchObject({ kind: 'refused', code: 'cancelled' });
  });

  it('P16: process.exit in the middle of a call takes its processes along', async () => {
    const { entry, file, started } = await stubbornTool();
    const build = await scratchFolder();
    await symlink(join(repository, 'node_modules'), join(build, 'node_modules'));
    await execa(join(repository, 'node_modules/.bin/tsc'), ['--outDir', build], { cwd: repository, reject: false });
    const callModule = join(build, 'src/invocation/call.js');
    const service = await execa(node, [fixture('exits-during-call.mjs'), callModule, JSON.stringify(entry), file], {
      reject: false,
    });
    expect(service).toMatchObject({ exitCode: 7, stderr: '' });
    const pids = await started();
    await vi.waitFor(() => expectGone(pids));
  });
});

describe('huge output', () => {
  it('X11: of a 50 MB file is cut at the limit and marked', async () => {
    const file = join(await scratchFolder(), 'big');
    const handle = await open(file, 'w');
    await handle.truncate(50_000_000);
    await handle.close();
    const outcome = await callEntry(shellEntry({ words: ['cat', file] }), {}, callSettings({ outputBytes: 1000 }));
    expect(outcome).toEqual({
      kind: 'ran',
      text: `${'\0'.repeat(1000)}\n[output cut at 1000 bytes; 50000000 bytes in all]`,
      truncated: true,
    });
  });

  it('X11: is cut where the node says, before the config', async () => {
    const entry = shellEntry({ words: ['printf', 'a€b'], tool: { limits: { outputBytes: 3 } } });
    expect(textOf(await callEntry(entry, {}, callSettings()))).toBe('a\n[output cut at 3 bytes; 5 bytes in all]');
  });

  it('X11: of `yes` leaves the memory flat until the timeout, kept or not', async () => {
    // head tells how much went through: the timeout itself shows only the end of the output.
    const megabytes = 400;
    const entry = shellEntry({ words: ['sh', '-c', `yes | head -c ${megabytes}000000`] });
    const before = process.memoryUsage().rss;
    let peak = before;
    const sampler = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    onTestFinished(() => clearInterval(sampler));
    expect(textOf(await callEntry(entry, {}, callSettings({ outputBytes: 65_536 })))).toContain(
      `${megabytes}000000 bytes in all`,
    );
    expect(peak - before).toBeLessThan((megabytes * 1_000_000) / 3);

    const kept = new KeptOutputs(
      () => ({ keptOutputs: 1, keptOutputBytes: 200_000_000, keptOutputMinutes: 1 }),
      () => {},
    );
    onTestFinished(() => kept.close());
    const overflow = kept.spool('a-call', 'probe_tool');
    await callEntry(entry, {}, callSettings({ outputBytes: 65_536, overflow }));
    expect(kept.finish('a-call')).toMatchObject({ bytes: 50_000_000, isWhole: false });
    expect(peak - before).toBeLessThan((megabytes * 1_000_000) / 3);

    const endless = await callEntry(shellEntry({ words: ['yes'] }), {}, callSettings({ timeoutMs: 1000 }));
    expect(endless).toMatchObject({ code: 'timeout', details: { stdout: expect.stringMatching(/^(y\n|\ny)+/) } });
    expect(peak - before).toBeLessThan((megabytes * 1_000_000) / 3);
  });
});

describe('a call beside many others', () => {
  it('X15: waits until one of those that run has ended, and is refused when as many wait as may', async () => {
    const queue = new CallQueue(() => ({ concurrentCalls: 4, concurrentCallsPerTool: 2, waitingCalls: 2 }));
    const [running, waiting] = [await stubbornTool(), shellEntry({ words: ['echo', 'ran'] })];
    const cancel = new AbortController();
    const settings = callSettings({ queue, timeoutMs: 600_000, signal: cancel.signal });
    const calls = [callEntry(running.entry, {}, settings), callEntry(running.entry, {}, settings)];
    await running.started();
    const last = callEntry(waiting, {}, callSettings({ queue }));
    expect(await callEntry(waiting, {}, callSettings({ queue }))).toEqual({
      kind: 'refused',
      code: 'busy',
      message:
        'probe_tool is busy: 2 calls of it run and 1 wait; of all tools, 2 run and 1 wait, and no more may. Try again when some have ended',
      details: { ofTool: { running: 2, waiting: 1 }, ofAll: { running: 2, waiting: 1 } },
    });
    cancel.abort();
    for (const outcome of await Promise.all(calls)) expect(outcome).toMatchObject({ code: 'cancelled' });
    expect(textOf(await last)).toBe('ran\n');
  });

  it('X8: that is cancelled while it waits starts nothing', async () => {
    const queue = new CallQueue(() => ({ concurrentCalls: 1, concurrentCallsPerTool: 1, waitingCalls: 2 }));
    const turn = await queue.enter('other');
    const cancel = new AbortController();
    const entry = shellEntry({ words: ['no-such-command-here'] });
    const call = callEntry(entry, {}, callSettings({ queue, signal: cancel.signal }));
    cancel.abort();
    expect(await call).toMatchObject({ kind: 'refused', code: 'cancelled' });
    expect(turn.kind).toBe('admitted');
  });
});

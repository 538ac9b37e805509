import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Admission, type CallLimits, CallQueue } from '../../src/invocation/call-queue.js';

function queue(limits: Partial<CallLimits> = {}): CallQueue {
  return new CallQueue(() => ({ concurrentCalls: 2, concurrentCallsPerTool: 2, waitingCalls: 100, ...limits }));
}

function leave(admission: Admission): void {
  if (admission.kind !== 'admitted') throw new Error(`expected a call that runs, got ${admission.kind}`);
  admission.leave();
}

/** Lets what is settled reach those who await it. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Enters calls in this order, and notes which of them run, by their place. */
async function enterAll(calls: CallQueue, tools: readonly string[]) {
  const begun: number[] = [];
  const all = tools.map((tool, n) =>
    calls.enter(tool).then((admission) => {
      if (admission.kind === 'admitted') begun.push(n);
      return admission;
    }),
  );
  await settled();
  return { all, begun };
}

describe('CallQueue', () => {
  it('X15: lets so many run at once, and the others of a tool in the order in which they came', async () => {
    const { all, begun } = await enterAll(queue(), ['a', 'a', 'a', 'a']);
    expect(begun).toEqual([0, 1]);
    leave(await (all[1] as Promise<Admission>));
    await settled();
    expect(begun).toEqual([0, 1, 2]);
    leave(await (all[0] as Promise<Admission>));
    await settled();
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it('X15: lets a call of another tool run at once while one tool is at its limit', async () => {
    const { begun } = await enterAll(queue({ concurrentCallsPerTool: 1 }), ['a', 'a', 'b', 'b']);
    expect(begun).toEqual([0, 2]);
  });

  it('X15: gives the turns to the tools by rotation', async () => {
    const { all, begun } = await enterAll(queue({ concurrentCalls: 1 }), ['a', 'a', 'a', 'a', 'b', 'b', 'c']);
    for (let next = 0; next < all.length; next++) {
      leave(await (all[begun[next] ?? 0] as Promise<Admission>));
      await settled();
    }
    expect(begun).toEqual([0, 1, 4, 6, 2, 5, 3]);
  });

  it('X15: tells how many run and wait when no more may wait, and keeps half of the places from any one tool', async () => {
    const limits = { concurrentCalls: 1, waitingCalls: 4 };
    const { all } = await enterAll(queue(limits), ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c']);
    expect(await all[3]).toEqual({
      kind: 'busy',
      ofTool: { running: 1, waiting: 2 },
      ofAll: { running: 1, waiting: 2 },
    });
    expect(await all[6]).toEqual({
      kind: 'busy',
      ofTool: { running: 0, waiting: 2 },
      ofAll: { running: 1, waiting: 4 },
    });
    expect(await all[7]).toMatchObject({ kind: 'busy', ofTool: { running: 0, waiting: 0 } });
  });

  it('X8: takes a call that is cancelled out of the queue, and starts none that was cancelled before', async () => {
    const calls = queue({ concurrentCalls: 1, waitingCalls: 2 });
    expect(await calls.enter('a', AbortSignal.abort())).toEqual({ kind: 'cancelled' });
    const first = await calls.enter('a');
    const cancel = new AbortController();
    const cancelled = calls.enter('a', cancel.signal);
    expect(await calls.enter('a')).toMatchObject({ kind: 'busy' });
    cancel.abort();
    expect(await cancelled).toEqual({ kind: 'cancelled' });
    const next = calls.enter('a');
    leave(first);
    expect(await next).toMatchObject({ kind: 'admitted' });
  });

  it('takes up a limit that has been raised', async () => {
    let concurrentCalls = 1;
    const calls = new CallQueue(() => ({ concurrentCalls, concurrentCallsPerTool: 9, waitingCalls: 9 }));
    const { begun } = await enterAll(calls, ['a', 'b', 'a']);
    expect(begun).toEqual([0]);
    concurrentCalls = 4;
    expect(await calls.enter('c')).toMatchObject({ kind: 'admitted' });
    await settled();
    expect(begun).toEqual([0, 1, 2]);
  });

  it('P16: cancels what waits, and what comes later, when it is closed', async () => {
    const calls = queue({ concurrentCalls: 1 });
    const { all } = await enterAll(calls, ['a', 'b', 'a']);
    calls.close();
    expect(await Promise.all(all.slice(1))).toEqual([{ kind: 'cancelled' }, { kind: 'cancelled' }]);
    leave(await (all[0] as Promise<Admission>));
    expect(await calls.enter('a')).toEqual({ kind: 'cancelled' });
  });

  it('never exceeds a limit, and in the end has let every call run that was neither cancelled nor refused', async () => {
    const limit = fc.integer({ min: 1, max: 4 });
    const step = fc.record({
      act: fc.constantFrom('enter', 'enter', 'leave', 'cancel'),
      tool: fc.constantFrom('a', 'b', 'c'),
      pick: fc.nat(),
    });
    const limits = fc.record({ concurrentCalls: limit, concurrentCallsPerTool: limit, waitingCalls: fc.nat(6) });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { maxLength: 60 }), async (bounds, steps) => {
        const calls = new CallQueue(() => bounds);
        const running: { tool: string; leave: () => void }[] = [];
        const open = new Set<AbortController>();
        const check = () => {
          expect(running.length).toBeLessThanOrEqual(bounds.concurrentCalls);
          for (const name of ['a', 'b', 'c']) {
            const ofTool = running.filter(({ tool }) => tool === name).length;
            expect(ofTool).toBeLessThanOrEqual(bounds.concurrentCallsPerTool);
          }
          expect(open.size).toBeLessThanOrEqual(bounds.waitingCalls);
        };
        const enter = (tool: string) => {
          const cancel = new AbortController();
          open.add(cancel);
          void calls.enter(tool, cancel.signal).then((admission) => {
            open.delete(cancel);
            if (admission.kind === 'admitted') running.push({ tool, leave: admission.leave });
          });
        };
        for (const { act, tool, pick } of steps) {
          if (act === 'enter') enter(tool);
          if (act === 'leave') running.splice(pick % (running.length || 1), 1)[0]?.leave();
          if (act === 'cancel') [...open][pick % (open.size || 1)]?.abort();
          await settled();
          check();
        }
        while (running.length > 0) {
          running.pop()?.leave();
          await settled();
          check();
        }
        expect(open.size).toBe(0);
      }),
    );
  });
});

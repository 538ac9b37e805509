import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Fate, MadeCall } from '../../../scripts/soak-calls/call-ledger.js';
import { type FaultName, faults } from '../../../scripts/soak-calls/faults.js';
import { judgeLeft, numbersIn } from '../../../scripts/soak-calls/left-processes.js';
import { markedProcesses } from '../../../scripts/soak-calls/marked-processes.js';

const sleeper = { pid: 50, argv: ['sleep', '3600.1'] };
const timeout = (survivors: readonly number[]): Fate => ({
  ...{ kind: 'answered', end: 'timeout', id: 'a' },
  text: JSON.stringify({ code: 'timeout', details: { survivors } }),
});

const killed: Fate = { kind: 'unanswered', death: 'server killed' };

function made(name: FaultName, fate: Fate): MadeCall {
  const fault = faults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(name);
  return { n: 1, fault, fate };
}

describe('A process that is left of a call', () => {
  it.each<[string, keyof ReturnType<typeof judgeLeft>, MadeCall, readonly number[]]>([
    ['is reported by the answer', 'reported', made('daemon', timeout([49, 50])), []],
    ['is reported by a server', 'reported', made('grandchild', killed), [50]],
    ['has left its group, and nobody was answered', 'untold', made('daemon', { kind: 'cancelled' }), []],
    ['is an orphan where the answer is silent', 'orphans', made('daemon', timeout([])), []],
    ['is an orphan of a group that a server could name', 'orphans', made('grandchild', killed), []],
    ['is an orphan where it could be ended', 'orphans', made('hang', { kind: 'cancelled' }), []],
  ])('%s', (_, kind, call, named) => {
    expect(judgeLeft([sleeper], [call], new Set(named))).toEqual({
      orphans: [],
      reported: [],
      untold: [],
      [kind]: [sleeper],
    });
  });

  it('is an orphan when nothing is known of it', () => {
    const stranger = { pid: 50, argv: ['yes'] };
    expect(judgeLeft([stranger], [made('hang', timeout([]))], new Set()).orphans).toEqual([stranger]);
  });

  it('is named by whole numbers', () => {
    expect(numbersIn('the processes 12, 345 may be of a call of t6')).toEqual([12, 345]);
  });
});

describe.runIf(process.platform === 'linux')('A marked process', () => {
  it('is found by what it has in its environment, and no other is', async () => {
    const [name, value] = ['SOAK_MARK', `mark-${process.pid}`];
    const start = (mark: string) => {
      const child = spawn('sleep', ['60'], { env: { [name]: mark, PATH: process.env.PATH }, stdio: 'ignore' });
      onTestFinished(() => void child.kill('SIGKILL'));
      return new Promise<number | undefined>((resolve) => child.once('spawn', () => resolve(child.pid)));
    };
    const pid = await start(value);
    await start(`${value}0`);
    expect(markedProcesses(name, value)).toEqual([{ pid, argv: ['sleep', '60'] }]);
  });
});

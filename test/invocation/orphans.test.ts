import { describe, expect, it } from 'vitest';
import { type FoundProcess, foundProcess, orphansOf } from '../../src/invocation/orphans.js';

const self = 10;
const found = (pid: number, parent: number, group: number, name = 'x'): FoundProcess => ({
  ...{ pid, parent, group, name, start: pid },
});

describe('orphansOf', () => {
  const orphans = (processes: readonly FoundProcess[], leaders: readonly number[] = []) =>
    orphansOf(processes, { self, leaders: new Set(leaders) }).map(({ pid }) => pid);

  it('X5: finds a daemon and what that has started', () => {
    expect(orphans([found(20, 1, 20), found(21, 20, 20), found(22, 21, 22)])).toEqual([20, 21, 22]);
  });

  it('leaves alone what runs for a call, by its group or by its parents', () => {
    expect(orphans([found(20, self, 20), found(21, 1, 20), found(22, 20, 22), found(23, 22, 23)], [20])).toEqual([]);
  });

  it('leaves alone what this process has started itself', () => {
    expect(orphans([found(20, self, 20), found(21, 20, 21)])).toEqual([]);
  });

  it('X7: leaves alone what watches over a container, and what is under it', () => {
    expect(orphans([found(20, 1, 20, 'conmon'), found(21, 20, 21)])).toEqual([]);
  });

  it('ends where ids have been used again in a circle', () => {
    expect(orphans([found(20, 21, 20), found(21, 20, 21)])).toEqual([]);
  });
});

describe('foundProcess', () => {
  const stat = (name: string, state: string) => `7 (${name}) ${state} 1 5 6 ${'0 '.repeat(15)}4242 9 9\n`;

  it('reads a name with spaces and parentheses', () => {
    expect(foundProcess(stat('a) S (b', 'S'))).toEqual({ pid: 7, name: 'a) S (b', parent: 1, group: 5, start: 4242 });
  });

  it.each([stat('a', 'Z'), stat('a', 'X'), '', '7 (a) S'])('takes %j for no living process', (text) => {
    expect(foundProcess(text)).toBeUndefined();
  });
});

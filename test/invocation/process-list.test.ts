import { describe, expect, it } from 'vitest';
import { descendantsOf } from '../../src/invocation/process-group.js';
import { listProcesses, parseProcStat, parsePs } from '../../src/invocation/process-list.js';

describe('the list of processes', () => {
  it('has this process, with its parent', async () => {
    expect(await listProcesses()).toContainEqual({
      pid: process.pid,
      parent: process.ppid,
      group: expect.any(Number),
    });
  });

  it.each([
    ['42 (sleep) S 7 40 40 0 -1', { pid: 42, parent: 7, group: 40 }],
    ['42 (a) R 1 (b) S 7 40 40 0 -1', { pid: 42, parent: 7, group: 40 }],
    ['42 (two\nlines) D 7 40 40 0 -1', { pid: 42, parent: 7, group: 40 }],
    ['42 (defunct) Z 7 40 40 0 -1', undefined],
    ['', undefined],
  ])('reads %j of /proc', (stat, expected) => {
    expect(parseProcStat(stat)).toEqual(expected);
  });

  it('reads the table of ps, without the zombies', () => {
    expect(parsePs('    1     0     1 Ss\n  42     1    40 S+\n  43    42    40 Z\n')).toEqual([
      { pid: 1, parent: 0, group: 1 },
      { pid: 42, parent: 1, group: 40 },
    ]);
  });
});

it('descendants are found by parent, at any depth and in any order', () => {
  const line = (pid: number, parent: number) => ({ pid, parent, group: 1 });
  const processes = [line(5, 4), line(4, 2), line(3, 2), line(2, 1), line(9, 8)];
  expect(descendantsOf(2, processes).sort()).toEqual([3, 4, 5]);
});

describe('listProcesses, asked many times', () => {
  it('looks once for all who ask together, and again for who asks later', async () => {
    const together = await Promise.all(Array.from({ length: 500 }, () => listProcesses()));
    expect(new Set(together).size).toBe(1);
    expect(together[0]?.map(({ pid }) => pid)).toContain(process.pid);
    expect(await listProcesses()).not.toBe(together[0]);
  });
});

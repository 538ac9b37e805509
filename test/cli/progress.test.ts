import { describe, expect, it } from 'vitest';
import { createProgress } from '../../src/cli/progress.js';

function recorded(terminal: boolean) {
  const written: string[] = [];
  let clock = 5000;
  const progress = createProgress({ terminal, raw: (data) => written.push(String(data)) }, () => clock);
  return {
    written,
    progress,
    at: (ms: number, done: number) => {
      clock = 5000 + ms;
      progress.update(done, 4000);
    },
  };
}

describe('createProgress', () => {
  it.each([true, false])('says nothing in the first second (terminal: %s)', (terminal) => {
    const { written, progress, at } = recorded(terminal);
    at(0, 1);
    at(999, 1999);
    progress.end();
    expect(written).toEqual([]);
  });

  it('prints at most a line each second into a pipe', () => {
    const { written, progress, at } = recorded(false);
    for (let ms = 0; ms <= 3500; ms += 10) at(ms, ms);
    progress.end();
    expect(written).toEqual([
      'toolgraph: read 1000 of 4000 documents\n',
      'toolgraph: read 2000 of 4000 documents\n',
      'toolgraph: read 3000 of 4000 documents\n',
    ]);
  });

  it('writes over its line at a terminal, and takes it away at the end', () => {
    const { written, progress, at } = recorded(true);
    at(1000, 1);
    at(1050, 2);
    at(1100, 3);
    progress.end();
    progress.end();
    expect(written).toEqual([
      '\r\u001b[Ktoolgraph: read 1 of 4000 documents',
      '\r\u001b[Ktoolgraph: read 3 of 4000 documents',
      '\r\u001b[K',
    ]);
  });

  it.each([true, false])('says nothing of the last document (terminal: %s)', (terminal) => {
    const { written, at } = recorded(terminal);
    at(5000, 4000);
    expect(written).toEqual([]);
  });

  it('is silent after the end', () => {
    const { written, progress, at } = recorded(false);
    progress.end();
    at(9000, 1);
    expect(written).toEqual([]);
  });
});

import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { KeptOutputs } from '../../src/invocation/kept-outputs.js';
import { scratchFolder } from './shell-entry.js';

afterEach(() => void vi.useRealTimers());

async function keeper(limits: { keptOutputs?: number; keptOutputBytes?: number } = {}) {
  const folder = await scratchFolder();
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  const notices: string[] = [];
  const all = { keptOutputs: 3, keptOutputBytes: 400, keptOutputMinutes: 10, ...limits };
  const outputs = new KeptOutputs(
    () => all,
    (words) => notices.push(words),
  );
  const keep = (call: string, text: string) => {
    outputs.spool(call, 'big').write(Buffer.from(text));
    return outputs.finish(call);
  };
  const calls = () => outputs.list().map(({ call }) => call);
  return { folder, notices, outputs, keep, calls };
}

describe('KeptOutputs', () => {
  it('makes nothing for a call that writes nothing', async () => {
    const { folder, outputs } = await keeper();
    outputs.spool('a', 'big');
    expect(outputs.finish('a')).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('gives an output once its call has ended, and no more when all is closed', async () => {
    const { folder, outputs, calls } = await keeper();
    const spool = outputs.spool('a', 'big');
    spool.write(Buffer.from('one '));
    expect([await outputs.read('a', 0), calls()]).toEqual([undefined, []]);
    spool.write(Buffer.from('two'));
    expect(outputs.finish('a')).toEqual({ call: 'a', tool: 'big', bytes: 7, isWhole: true });
    expect(await outputs.read('a', 0)).toEqual({ bytes: Buffer.from('one two'), isLast: true, isWhole: true });
    expect(await outputs.read('a', 4)).toMatchObject({ bytes: Buffer.from('two') });
    expect(await outputs.read('a', 99)).toMatchObject({ bytes: Buffer.alloc(0), isLast: true });
    expect(await outputs.read('../a', 0)).toBeUndefined();
    const running = outputs.spool('b', 'big');
    running.write(Buffer.from('x'));
    outputs.close();
    running.write(Buffer.from('y'));
    expect([outputs.finish('b'), await outputs.read('a', 0), calls()]).toEqual([undefined, undefined, []]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('drops the oldest beyond the limit of their number', async () => {
    const { keep, calls } = await keeper();
    for (const call of ['a', 'b', 'c', 'd']) keep(call, call);
    expect(calls()).toEqual(['b', 'c', 'd']);
  });

  it('drops the oldest beyond the limit of their bytes, and keeps a quarter of these of any one', async () => {
    const { keep, calls, outputs } = await keeper({ keptOutputs: 9 });
    expect(keep('a', 'x'.repeat(150))).toEqual({ call: 'a', tool: 'big', bytes: 100, isWhole: false });
    expect((await outputs.read('a', 0))?.isWhole).toBe(false);
    for (const call of ['b', 'c', 'd']) keep(call, 'x'.repeat(100));
    expect(calls()).toEqual(['a', 'b', 'c', 'd']);
    keep('e', 'x'.repeat(60));
    expect(calls()).toEqual(['b', 'c', 'd', 'e']);
  });

  it('keeps none that is older than it may be', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { keep, calls, folder } = await keeper();
    keep('a', 'x');
    await vi.advanceTimersByTimeAsync(9 * 60_000);
    keep('b', 'x');
    expect(calls()).toEqual(['a', 'b']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls()).toEqual(['b']);
    const [own = ''] = await readdir(folder);
    await expect(access(join(folder, own, 'a'))).rejects.toThrow('ENOENT');
  });

  it('keeps none where the config says so, and says once where there is no room', async () => {
    const none = await keeper({ keptOutputs: 0 });
    expect(none.keep('a', 'x')).toBeUndefined();
    const { outputs, notices } = await keeper();
    process.env.TMPDIR = '/no-such-folder';
    const spool = outputs.spool('a', 'big');
    for (const text of ['x', 'y']) spool.write(Buffer.from(text));
    expect(outputs.finish('a')).toBeUndefined();
    expect(notices).toEqual([
      'what was cut off the output of big could not be kept in /no-such-folder (ENOENT); make room there, or set TMPDIR',
    ]);
  });
});

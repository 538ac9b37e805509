import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { withBuildLock } from '../../src/build/build-lock.js';
import { temporaryFolder } from './build-samples.js';

const taker = fileURLToPath(new URL('fixtures/lock-taker.mjs', import.meta.url));
const built = new URL('../../dist/src/build/build-lock.js', import.meta.url).href;
const lockName = '.toolgraph-build.lock';

function endedPid(): string {
  return String(spawnSync(process.execPath, ['--version']).pid);
}

describe('withBuildLock', () => {
  it('is had by one process at a time, however many take over the locks of builds that were killed', async () => {
    const folder = temporaryFolder();
    const words = [taker, built, folder, endedPid(), '1500'];
    const ran = await Promise.all(Array.from({ length: 5 }, () => promisify(execFile)(process.execPath, words)));
    expect(ran.map(({ stderr }) => stderr)).toEqual(['', '', '', '', '']);
    expect(ran.reduce((taken, { stdout }) => taken + Number(stdout), 0)).toBeGreaterThan(5);
    withBuildLock(folder, () => {});
    expect(readdirSync(folder)).toEqual([]);
  });

  it('counts the lock of a living build that another process has taken from its place', () => {
    const folder = temporaryFolder();
    withBuildLock(folder, () => {
      renameSync(join(folder, lockName), join(folder, `${lockName}.moved`));
      expect(() => withBuildLock(folder, () => {})).toThrow(`another build (process ${process.pid}) is writing`);
      expect(readdirSync(folder)).toEqual([`${lockName}.moved`]);
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('gives back no lock but its own', () => {
    const folder = temporaryFolder();
    const lock = join(folder, lockName);
    withBuildLock(folder, () => {
      rmSync(lock);
      symlinkSync(`${process.pid}.other`, lock);
    });
    expect(readlinkSync(lock)).toBe(`${process.pid}.other`);
  });
});

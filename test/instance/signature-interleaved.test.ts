import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSettledFile } from '../../src/instance/signature.js';

/** What another process does after a file was opened and before its bytes are read, by the number of the read. */
let meanwhile: (read: number) => void = () => {};
let reads = 0;

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const readSync = (...args: Parameters<typeof fs.readSync>): number => {
    meanwhile(++reads);
    return fs.readSync(...args);
  };
  return { ...fs, readSync };
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgraph-interleaved-'));
  path = join(folder, 'a.json');
  writeFileSync(path, 'old content');
  reads = 0;
});
afterEach(() => {
  meanwhile = () => {};
  rmSync(folder, { recursive: true, force: true });
});

/** Of the same size as the old one, and with a time of its own, however coarse the clock of the file system is. */
function writeInPlace(n: number): void {
  writeFileSync(path, `new ${n}`.padEnd('old content'.length));
  utimesSync(path, n, n);
}

function contentOf(read: ReturnType<typeof readSettledFile>): string {
  return read.state === 'read' ? new TextDecoder().decode(read.bytes).trim() : read.state;
}

describe('readSettledFile, when the file changes between opening and reading', () => {
  it('W2: reads again and gives what stays, with its signature, for a write in place', () => {
    meanwhile = (read) => {
      if (read === 1) writeInPlace(1);
    };
    const read = readSettledFile(path, 100);
    expect([contentOf(read), reads]).toEqual(['new 1', 2]);
    meanwhile = () => {};
    expect(read).toEqual(readSettledFile(path, 100));
  });

  it('W2: does the same when another file is renamed over it', () => {
    meanwhile = (read) => {
      if (read > 1) return;
      writeFileSync(join(folder, 'next'), 'renamed');
      renameSync(join(folder, 'next'), path);
    };
    expect(contentOf(readSettledFile(path, 100))).toBe('renamed');
  });

  it('W2: gives nothing while it never stays', () => {
    meanwhile = writeInPlace;
    expect(readSettledFile(path, 100)).toEqual({ state: 'changing' });
  });
});

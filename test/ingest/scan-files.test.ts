import { lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FollowedFiles } from '../../src/ingest/scan-files.js';
import { fileSignature } from '../../src/instance/signature.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgraph-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A file as a walk finds it, and when it changed, in ms since the epoch. */
function writtenFile() {
  const absolute = join(folder, 'a.json');
  writeFileSync(absolute, '{"v":1}');
  const stats = lstatSync(absolute, { bigint: true });
  const found = { path: 'a.json', absolute, signature: fileSignature(stats), folder: '.' };
  return { found, changedAt: Number(stats.ctimeNs / 1_000_000n) };
}

describe('FollowedFiles', () => {
  it('reads a file again that was read within a tick of its change, because a second write may share the signature', () => {
    const { found, changedAt } = writtenFile();
    let now = changedAt + 1;
    const files = new FollowedFiles(() => now);
    files.look(found, 100);
    expect(files.take()).toMatchObject({ changed: [{ path: 'a.json' }], retryInMs: 20 });
    expect(files.unsettled()).toEqual(['a.json']);

    // A file system whose clock ticks coarsely: other bytes, and the walk sees the same signature.
    writeFileSync(found.absolute, '{"v":2}');
    now += 1_000;
    files.look(found, 100);
    const [second] = files.take().changed;
    expect(new TextDecoder().decode(second?.bytes)).toBe('{"v":2}');
    expect(files.unsettled()).toEqual([]);
  });

  it('does not give the same bytes twice for that', () => {
    const { found, changedAt } = writtenFile();
    let now = changedAt + 1;
    const files = new FollowedFiles(() => now);
    files.look(found, 100);
    files.take();
    now += 50;
    files.look(found, 100);
    expect(files.take()).toEqual({ changed: [], removed: [], retryInMs: undefined });
  });

  it('W1: starts to count again when the folder of a missing file has changed since', () => {
    let now = 0;
    const files = new FollowedFiles(() => now);
    files.seed('a.json', '1:1:1:1', '.');
    files.miss('a.json');
    now = 100;
    files.miss('a.json', 60);
    expect(files.take()).toEqual({ changed: [], removed: [], retryInMs: 100 });
    now = 199;
    files.miss('a.json', 60);
    expect(files.take().removed).toEqual([]);
    now = 200;
    files.miss('a.json', 60);
    expect(files.take().removed).toEqual(['a.json']);
  });

  it('stops waiting for deletions to end after ten seconds', () => {
    let now = 0;
    const files = new FollowedFiles(() => now);
    for (let i = 0; i < 120; i++) files.seed(`${i}.json`, '1:1:1:1', '.');
    const removed: string[] = [];
    for (let i = 0; i < 120; i++, now += 90) {
      for (let gone = 0; gone <= i; gone++) if (!removed.includes(`${gone}.json`)) files.miss(`${gone}.json`);
      removed.push(...files.take().removed);
      if (now < 10_000) expect(removed).toEqual([]);
    }
    expect(removed).toContain('0.json');
  });
});

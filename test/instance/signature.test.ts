import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileSignature, readSettledFile } from '../../src/instance/signature.js';
import { unprivileged } from './unprivileged.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgraph-signature-'));
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('readSettledFile', () => {
  it('gives the bytes with the signature that the path has', () => {
    const path = join(folder, 'a.json');
    writeFileSync(path, 'höhe');
    const read = readSettledFile(path, 100);
    expect(read).toMatchObject({ state: 'read', signature: fileSignature(lstatSync(path, { bigint: true })) });
    expect(read.state === 'read' && new TextDecoder().decode(read.bytes)).toBe('höhe');
  });

  it('reads a file at the limit and none above it', () => {
    const path = join(folder, 'a.json');
    writeFileSync(path, 'x'.repeat(100));
    expect(readSettledFile(path, 100).state).toBe('read');
    expect(readSettledFile(path, 99)).toEqual({ state: 'too-large', size: 100 });
  });

  it('tells what is not a regular file, without waiting for the writer of a pipe', () => {
    mkdirSync(join(folder, 'folder.json'));
    execFileSync('mkfifo', [join(folder, 'pipe.json')]);
    writeFileSync(join(folder, 'a.json'), '{}');
    symlinkSync('a.json', join(folder, 'link.json'));
    for (const name of ['folder.json', 'pipe.json', 'link.json']) {
      expect([name, readSettledFile(join(folder, name), 100).state]).toEqual([name, 'irregular']);
    }
  });

  it('tells a missing file from one without permission', () => {
    const path = join(folder, 'a.json');
    expect(readSettledFile(path, 100)).toEqual({ state: 'missing' });
    writeFileSync(path, '{}');
    expect(readSettledFile(join(path, 'below'), 100)).toEqual({ state: 'missing' });
    chmodSync(path, 0);
    expect(unprivileged(() => readSettledFile(path, 100))).toEqual({ state: 'failed', errno: 'EACCES' });
  });
});

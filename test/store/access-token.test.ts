import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeToken, revokeToken, TokenFile, tokenDigest } from '../../src/store/access-token.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgraph-token-'));
  path = join(folder, 'access-token.sha256');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('The token in a state folder', () => {
  it('is none until there is one, and each time the one of now', () => {
    const file = new TokenFile(folder);
    expect(file.read()).toEqual({ kind: 'none' });
    const first = makeToken(folder);
    expect(file.read()).toEqual({ kind: 'set', digest: tokenDigest(first) });
    expect(file.read()).toBe(file.read());
    const second = makeToken(folder);
    expect(file.read()).toEqual({ kind: 'set', digest: tokenDigest(second) });
    expect([revokeToken(folder), revokeToken(folder)]).toEqual([true, false]);
    expect(file.read()).toEqual({ kind: 'none' });
  });

  it.each([
    ['is empty', () => writeFileSync(path, '')],
    ['is cut', () => writeFileSync(path, readFileSync(path, 'latin1').slice(0, -2))],
    ['has more', () => writeFileSync(path, `${readFileSync(path, 'latin1')}x`)],
    ['holds a token', () => writeFileSync(path, 'tg_abc\n')],
    ['is too large', () => writeFileSync(path, 'a'.repeat(10_000))],
    ['can be read by others', () => chmodSync(path, 0o640)],
    ['can be written by others', () => chmodSync(path, 0o602)],
    [
      'is a folder',
      () => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    [
      'is a link',
      () => {
        rmSync(path);
        writeFileSync(join(folder, 'other'), `${'a'.repeat(64)}\n`, { mode: 0o600 });
        symlinkSync('other', path);
      },
    ],
    [
      'is in what is no folder',
      () => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, '');
      },
    ],
  ])('is broken, which is not none, when the file %s', (_, breakIt) => {
    makeToken(folder);
    const file = new TokenFile(folder);
    expect(file.read().kind).toBe('set');
    breakIt();
    expect(file.read()).toEqual({ kind: 'broken', why: expect.not.stringContaining(tmpdir()) });
    expect(new TokenFile(folder).read().kind).toBe('broken');
  });
});

import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeInstance } from '../e2e/harness.js';
import { toolNode } from '../e2e/instance.js';
import { run } from './cli-process.js';

const file = '.toolgraph/access-token.sha256';

describe('toolgraph token', () => {
  it('prints a new token once, and keeps its SHA-256 alone, which only its owner can read', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const first = await run(['token', instance.root]);
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^tg_[A-Za-z0-9_-]{43}\n$/);
    const token = first.stdout.trim();
    expect(first.stderr).not.toContain(token);
    expect(readFileSync(instance.path(file), 'utf8')).toBe(`${createHash('sha256').update(token).digest('hex')}\n`);
    expect(statSync(instance.path(file)).mode & 0o777).toBe(0o600);
    const kept = readdirSync(instance.path('.toolgraph')).map((name) =>
      readFileSync(instance.path(`.toolgraph/${name}`)),
    );
    expect(kept.some((bytes) => bytes.includes(token))).toBe(false);

    chmodSync(instance.path(file), 0o644);
    const second = await run(['token', instance.root]);
    expect(second.stdout).not.toBe(first.stdout);
    expect(statSync(instance.path(file)).mode & 0o777).toBe(0o600);
  });

  it('writes nothing where a link in the instance leads', async () => {
    const instance = await makeInstance([toolNode('a')]);
    await run(['tools', instance.root]);
    const outside = join(mkdtempSync(join(instance.root, 'outside-')), 'target');
    symlinkSync(outside, instance.path(file));
    expect((await run(['token', instance.root])).code).toBe(0);
    expect(existsSync(outside)).toBe(false);
    expect(statSync(instance.path(file)).isFile()).toBe(true);
  });

  it('--revoke removes it and says what that means; reset leaves it alone', async () => {
    const instance = await makeInstance([toolNode('a')]);
    expect((await run(['token', instance.root, '--revoke'])).stderr).toBe('toolgraph: there was no token.\n');
    await run(['token', instance.root]);
    await run(['reset', instance.root]);
    expect(existsSync(instance.path(file))).toBe(true);

    const { code, stdout, stderr } = await run(['token', instance.root, '--revoke']);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^toolgraph: the token is revoked\. A service that runs with it refuses every request /);
    expect(existsSync(instance.path(file))).toBe(false);
  });

  it('makes nothing where there is no instance', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolgraph-stray-'));
    const { code, stdout, stderr } = await run(['token', folder]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('is no instance');
    expect(readdirSync(folder)).toEqual([]);
  });
});

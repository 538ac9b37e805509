import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from './cli-process.js';

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-stray-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe('a folder that is no instance', () => {
  it('is told to be none, with how one is made, and nothing is made in it', async () => {
    const root = folder();
    const { code, stdout, stderr } = await run(['check', root]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /is no instance: it has no toolgraph\.config\.json and no graph\/\. "toolgraph init \S+" makes one/,
    );
    expect(existsSync(join(root, '.toolgraph'))).toBe(false);
  });

  it.each(['graph', 'graph/tools'])('names the instance above it: %s', async (inner) => {
    const root = folder();
    mkdirSync(join(root, 'graph/tools'), { recursive: true });
    const { code, stderr } = await run(['tools', join(root, inner)]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`An instance above it is ${root}: run toolgraph there`),
    ]);
    expect(existsSync(join(root, inner, '.toolgraph'))).toBe(false);
  });

  it('is an instance with a config, or with the state of earlier', async () => {
    const root = folder();
    writeFileSync(join(root, 'toolgraph.config.json'), '{}');
    expect((await run(['tools', root])).stderr).not.toContain('no instance');
    rmSync(join(root, 'toolgraph.config.json'));
    expect((await run(['tools', root])).stderr).not.toContain('no instance');
  });
});

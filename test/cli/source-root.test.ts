import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSourceRoot } from '../../src/cli/source-root.js';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-source-')));
  mkdirSync(join(folder, 'repository/.git'), { recursive: true });
  mkdirSync(join(folder, 'repository/a/instance'), { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('findSourceRoot', () => {
  it('is the repository that holds the instance, or the instance itself', () => {
    expect(findSourceRoot(join(folder, 'repository/a/instance'), {})).toBe(join(folder, 'repository'));
    expect(findSourceRoot(folder, {})).toBe(folder);
  });

  it('is the workspace of a GitHub workflow where that holds the instance', () => {
    const instance = join(folder, 'repository/a/instance');
    expect(findSourceRoot(instance, { GITHUB_WORKSPACE: join(folder, 'repository/a') })).toBe(
      join(folder, 'repository/a'),
    );
    expect(findSourceRoot(instance, { GITHUB_WORKSPACE: join(folder, 'gone') })).toBe(join(folder, 'repository'));
  });
});

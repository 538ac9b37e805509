import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStateFolder } from '../../src/store/state-folder.js';

let folder: string;
let root: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgraph-state-'));
  root = join(folder, 'My instance');
  mkdirSync(root);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('openStateFolder', () => {
  it('makes .toolgraph in the instance, which git ignores', () => {
    const { path } = openStateFolder(root, {});
    expect(path).toBe(join(root, '.toolgraph'));
    expect(readFileSync(join(path, '.gitignore'), 'utf8')).toBe('*\n');
    execFileSync('git', ['init', '-q'], { cwd: root });
    writeFileSync(join(path, 'graph.db'), '');
    expect(execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: root, encoding: 'utf8' })).toBe('');
  });

  it('keeps a .gitignore that is there', () => {
    mkdirSync(join(root, '.toolgraph'));
    writeFileSync(join(root, '.toolgraph', '.gitignore'), 'mine');
    openStateFolder(root, {});
    expect(readFileSync(join(root, '.toolgraph', '.gitignore'), 'utf8')).toBe('mine');
  });

  it('uses the state folder of the user when the instance cannot be written', () => {
    const env = { XDG_STATE_HOME: join(folder, 'state') };
    const readOnly = unwritableFolder();
    const { path } = openStateFolder(readOnly, env);
    expect(path).toMatch(/\/state\/toolgraph\/[A-Za-z0-9._-]+-[0-9a-f]{12}$/);
    expect(readFileSync(join(path, '.gitignore'), 'utf8')).toBe('*\n');
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(openStateFolder(readOnly, env).path).toBe(path);
    const home = openStateFolder(readOnly, { HOME: folder, XDG_STATE_HOME: 'relative' }).path;
    expect(home.startsWith(join(folder, '.local', 'state', 'toolgraph'))).toBe(true);
    expect(() => openStateFolder(readOnly, { XDG_STATE_HOME: readOnly })).toThrow(/set XDG_STATE_HOME/);
  });

  it('is the same there for an instance that is reached through a link', () => {
    const env = { XDG_STATE_HOME: join(folder, 'state') };
    const readOnly = realpathSync(unwritableFolder());
    symlinkSync(readOnly, join(folder, 'link'));
    expect(openStateFolder(join(folder, 'link'), env).path).toBe(openStateFolder(readOnly, env).path);
  });

  it('makes no instance that is missing, and no state for one', () => {
    const env = { XDG_STATE_HOME: join(folder, 'state') };
    expect(() => openStateFolder(join(folder, 'none'), env)).toThrow('the folder of the instance is missing');
    expect(existsSync(join(folder, 'none'))).toBe(false);
    expect(existsSync(join(folder, 'state'))).toBe(false);
  });

  it('refuses a link, which could lead out of the instance, and a file', () => {
    symlinkSync(folder, join(root, '.toolgraph'));
    expect(() => openStateFolder(root, {})).toThrow('.toolgraph in the instance is a link; remove it');
    rmSync(join(root, '.toolgraph'));
    writeFileSync(join(root, '.toolgraph'), '');
    expect(() => openStateFolder(root, {})).toThrow('.toolgraph in the instance is no folder; remove it');
  });
});

/** /proc refuses a new folder to everyone, root included, as a read-only disk does; elsewhere the permissions refuse it. */
function unwritableFolder(): string {
  if (existsSync('/proc/self')) return '/proc/self';
  chmodSync(root, 0o500);
  return root;
}

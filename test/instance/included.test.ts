import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findIncluded, includedLabel, isInstance } from '../../src/instance/included.js';
import { unprivileged } from './unprivileged.js';

let folder: string;
const at = (path: string) => join(folder, path);

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-included-')));
  for (const path of ['root', 'other', 'far/real', 'far/beside']) mkdirSync(at(path), { recursive: true });
  symlinkSync('far/real', at('link'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('findIncluded', () => {
  it('finds a path from the instance and an absolute one, with and without links', () => {
    expect(findIncluded(at('root'), '../other/')).toEqual({ root: at('other') });
    expect(findIncluded(at('root'), at('other'))).toEqual({ root: at('other') });
    expect(findIncluded(at('root'), '../link')).toEqual({ root: at('far/real') });
  });

  it('follows ".." as the operating system does: from where the instance, or a link on the way, really is', () => {
    expect(findIncluded(at('link'), '../beside')).toEqual({ root: at('far/beside') });
    expect(findIncluded(at('root'), '../link/../beside')).toEqual({ root: at('far/beside') });
  });

  it('says what is in the way', () => {
    writeFileSync(at('file'), '');
    symlinkSync('loop', at('loop'));
    expect(findIncluded(at('root'), '../none')).toEqual({
      problem: 'there is no "../none"; make the folder, or correct the path',
    });
    expect(findIncluded(at('root'), '../file')).toMatchObject({ problem: expect.stringContaining('is no folder') });
    expect(findIncluded(at('root'), '../file/x')).toMatchObject({ problem: expect.stringContaining('(ENOTDIR)') });
    expect(findIncluded(at('root'), '../loop')).toMatchObject({ problem: expect.stringContaining('(ELOOP)') });
    chmodSync(folder, 0o755);
    chmodSync(at('far'), 0);
    expect(unprivileged(() => findIncluded(at('root'), '../far/real'))).toMatchObject({
      problem: expect.stringContaining('(EACCES)'),
    });
    chmodSync(at('far'), 0o755);
  });
});

it('isInstance: a folder that has a config or graph/', () => {
  expect(isInstance(at('root'))).toBe(false);
  mkdirSync(at('root/graph'));
  writeFileSync(at('other/toolgraph.config.json'), '{}');
  expect([isInstance(at('root')), isInstance(at('other'))]).toEqual([true, true]);
});

describe('includedLabel', () => {
  const label = (parent: string, path: string, real: string) => includedLabel(at('root'), parent, path, at(real));

  it('is the path as it is written, in short', () => {
    expect(label('', '../other/', 'other')).toBe('../other');
    mkdirSync(at('root/sub'));
    expect(label('', './/sub/', 'root/sub')).toBe('sub');
    expect(label('', at('other'), 'other')).toBe(at('other'));
    expect(label('../other', at('far/real'), 'far/real')).toBe(at('far/real'));
  });

  it('of one that is included by an included one begins there, and is shorter where that leads to the same', () => {
    expect(label('../other', '../link', 'far/real')).toBe('../link');
    expect(label('../link', '../beside', 'far/beside')).toBe('../link/../beside');
  });
});

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askGit, reasonWithoutGit } from '../../src/instance/document-in-git.js';

let folder: string;
let root: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-git-')));
  root = join(folder, 'repo');
  mkdirSync(root);
});

afterEach(() => rmSync(folder, { recursive: true }));

const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'protocol.file.allow=always'];
function git(at: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', [...identity, '-C', at, ...args], { encoding: 'utf8', env, stdio: 'pipe' }).trim();
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function ask(
  paths: readonly string[],
  env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: folder },
  at = root,
) {
  const documents = paths.map((path) => ({ path, sha256: sha256(join(at, path)) }));
  return Object.fromEntries(await askGit(at, documents, env, new AbortController().signal));
}

function sha256(file: string): string {
  return existsSync(file) ? hash('sha256', readFileSync(file), 'hex') : '';
}

function repository(at: string, ...args: string[]): void {
  git(at, 'init', '-q', ...args);
}

describe('askGit', () => {
  it('tells of each document whether its bytes are those of the commit', async () => {
    repository(root);
    for (const name of ['same', 'other', 'staged']) write(`repo/graph/${name}.json`, name);
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', 'first');
    write('repo/graph/other.json', 'changed');
    write('repo/graph/staged.json', 'changed');
    write('repo/graph/new *.json', 'new');
    git(root, 'add', 'graph/staged.json');
    const head = git(root, 'rev-parse', 'HEAD');
    const paths = ['graph/same.json', 'graph/other.json', 'graph/staged.json', 'graph/new *.json', 'graph/gone.json'];
    expect(await ask(paths)).toEqual({
      'graph/same.json': { state: 'committed', head },
      'graph/other.json': { state: 'modified', head },
      'graph/staged.json': { state: 'modified', head },
      'graph/new *.json': { state: 'untracked', head },
      'graph/gone.json': { state: 'unavailable', reason: 'the file was gone before git was asked' },
    });
    expect(await ask(paths, { PATH: folder })).toMatchObject({ 'graph/same.json': { reason: 'git is not on PATH' } });
  });

  it('says that a file is another one than is meant', async () => {
    repository(root);
    write('repo/a.json', 'a');
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', 'first');
    const asked = [{ path: 'a.json', sha256: '0'.repeat(64) }];
    const told = await askGit(root, asked, process.env, new AbortController().signal);
    expect(told.get('a.json')).toEqual({ state: 'unavailable', reason: 'the file was other before git was asked' });
  });

  it('asks for many documents at once, in a repository of sha-256, from a folder of it', async () => {
    repository(root, '--object-format=sha256');
    for (let n = 0; n < 250; n++) write(`repo/deep/inst/graph/${n}.json`, `${n}`);
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', 'first');
    const paths = Array.from({ length: 250 }, (_, n) => `graph/${n}.json`);
    const told = await ask(paths, undefined, join(root, 'deep/inst'));
    expect(new Set(Object.values(told).map(({ state }) => state))).toEqual(new Set(['committed']));
  });

  it('asks the work tree that a document is in: a linked one, a submodule, another clone', async () => {
    const sub = join(folder, 'sub');
    mkdirSync(sub);
    repository(sub);
    write('sub/s.json', 's');
    git(sub, 'add', '.');
    git(sub, 'commit', '-q', '-m', 'sub');
    repository(root);
    write('repo/a.json', 'a');
    git(root, 'submodule', 'add', '-q', sub, 'graph/sub');
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', 'first');
    git(root, 'worktree', 'add', '-q', join(folder, 'linked'), '-b', 'side');
    write('linked/b.json', 'b');
    git(join(folder, 'linked'), 'add', '.');
    git(join(folder, 'linked'), 'commit', '-q', '-m', 'second');
    const [head, linked] = [root, join(folder, 'linked')].map((at) => git(at, 'rev-parse', 'HEAD'));
    expect(await ask(['a.json', 'graph/sub/s.json'])).toEqual({
      'a.json': { state: 'committed', head },
      'graph/sub/s.json': { state: 'committed', head: git(sub, 'rev-parse', 'HEAD') },
    });
    expect(await ask(['b.json'], undefined, join(folder, 'linked'))).toEqual({
      'b.json': { state: 'committed', head: linked },
    });
    symlinkSync('../repo/a.json', join(folder, 'linked', 'link.json'));
    expect(await ask(['link.json'], undefined, join(folder, 'linked'))).toEqual({
      'link.json': { state: 'committed', head },
    });
  });

  it('says why nothing is known', async () => {
    write('repo/a.json', 'a');
    expect(reasonWithoutGit(root)).toBe('it is in no git work tree');
    expect(await ask(['a.json'])).toEqual({ 'a.json': { state: 'unavailable', reason: 'it is in no git work tree' } });
    repository(root);
    expect(reasonWithoutGit(root)).toBeUndefined();
    expect(await ask(['a.json'])).toEqual({
      'a.json': { state: 'unavailable', reason: 'nothing has been committed yet' },
    });
    mkdirSync(join(root, 'inner/.git'), { recursive: true });
    write('repo/inner/b.json', 'b');
    expect(await ask(['inner/b.json'])).toEqual({
      'inner/b.json': { state: 'unavailable', reason: 'git failed with code 128' },
    });
  });

  it('is not led elsewhere by variables, and runs nothing that a repository names', async () => {
    const ran = join(folder, 'ran');
    const evil = join(folder, 'evil');
    writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> ${ran}\nexit 0\n`);
    chmodSync(evil, 0o755);
    repository(root);
    write('repo/a.json', 'a');
    write('repo/.gitattributes', '*.json filter=evil diff=evil\n');
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', 'first');
    const head = git(root, 'rev-parse', 'HEAD');
    const other = join(folder, 'other');
    mkdirSync(other);
    repository(other);
    const tree = git(root, 'rev-parse', 'HEAD^{tree}');
    const config = {
      ...{
        'core.fsmonitor': evil,
        'core.hooksPath': folder,
        'core.pager': evil,
        'pager.ls-tree': evil,
        'core.sshCommand': evil,
      },
      ...{
        'filter.evil.clean': evil,
        'filter.evil.smudge': evil,
        'filter.evil.required': 'true',
        'diff.evil.textconv': evil,
      },
      ...{ 'diff.external': evil, 'diff.evil.command': evil, 'core.askPass': evil, 'alias.ls-tree': `!${evil}` },
      ...{ 'remote.origin.url': `ext::${evil}`, 'remote.origin.promisor': 'true', 'protocol.ext.allow': 'always' },
      ...{ 'extensions.partialClone': 'origin', 'core.repositoryFormatVersion': '1', 'remote.origin.uploadpack': evil },
    };
    for (const [key, value] of Object.entries(config)) git(root, 'config', key, value);
    rmSync(ran, { force: true });
    const env = {
      ...process.env,
      HOME: folder,
      GIT_DIR: join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_EXTERNAL_DIFF: evil,
    };
    expect(await ask(['a.json'], env)).toEqual({ 'a.json': { state: 'committed', head } });
    // An object that is not there would be fetched.
    rmSync(join(root, '.git/objects', tree.slice(0, 2), tree.slice(2)), { force: true });
    expect(await ask(['a.json'], env)).toMatchObject({ 'a.json': { state: 'unavailable' } });
    expect(existsSync(ran)).toBe(false);
  });
});

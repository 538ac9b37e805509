import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeRevision } from '../../src/cli/revision-folder.js';
import { readTree } from '../../src/instance/git-tree.js';

const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'init.defaultBranch=main'];

class Repository {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-revision-')));

  static async make(): Promise<Repository> {
    const repository = new Repository();
    onTestFinished(() => rmSync(repository.root, { recursive: true, force: true }));
    await repository.git('init', '-q');
    return repository;
  }

  async git(...words: readonly string[]): Promise<string> {
    const options = ['-c', 'protocol.file.allow=always', '-C', this.root];
    return (await execa('git', [...identity, ...options, ...words])).stdout;
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.root, path, '..'), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  async commit(message: string): Promise<void> {
    await this.git('add', '-A');
    await this.git('commit', '-qm', message);
  }

  /** An object of the given content: what no command of git would make. */
  async object(type: string, content: Buffer | string): Promise<string> {
    const words = ['hash-object', '-w', '-t', type, '--stdin', '--literally'];
    return (await execa('git', [...identity, '-C', this.root, ...words], { input: content })).stdout;
  }

  async revision(name = 'HEAD', path = '') {
    const folder = await writeRevision({ top: this.root, path }, name);
    onTestFinished(() => folder.remove());
    return folder;
  }
}

function entry(mode: string, name: string, object: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(object, 'hex')]);
}

describe('The folder of a revision', () => {
  it('is that of the words of a message, whatever may be written behind a name', async () => {
    const repository = await Repository.make();
    for (const message of ['first of all', 'second']) {
      repository.write('graph/a.json', message);
      await repository.commit(message);
    }
    const { subject, root } = await repository.revision(':/first of');
    expect([subject, readFileSync(join(root, 'graph/a.json'), 'utf8')]).toEqual(['first of all', 'first of all']);
    for (const name of ['HEAD:graph', 'HEAD^{tree}', '--all', ' ', '0'.repeat(40)])
      await expect(readTree(repository.root, name)).rejects.toThrow('there is no such revision');
  });

  it('says of a shallow clone that the history is not there', async () => {
    const [repository, clone] = [await Repository.make(), await Repository.make()];
    for (const text of ['one', 'two']) {
      repository.write('graph/a.json', text);
      await repository.commit(text);
    }
    await clone.git('fetch', '-q', '--depth=1', `file://${repository.root}`, 'main');
    await clone.git('checkout', '-q', 'FETCH_HEAD');
    await expect(readTree(clone.root, 'HEAD~1')).rejects.toThrow('in this shallow clone; fetch the history');
    expect((await clone.revision()).subject).toBe('two');
  });

  it('of a partial clone is read where its documents are there, and is refused in words where they are not', async () => {
    const [repository, clone] = [await Repository.make(), await Repository.make()];
    await repository.git('config', 'uploadpack.allowFilter', 'true');
    repository.write('graph/a.json', 'one');
    repository.write('other.bin', 'one');
    await repository.commit('one');
    repository.write('other.bin', 'two');
    await repository.commit('two');
    repository.write('graph/a.json', 'three');
    await repository.commit('three');
    await clone.git('remote', 'add', 'origin', `file://${repository.root}`);
    await clone.git('config', 'protocol.allow', 'always');
    await clone.git('fetch', '-q', '--filter=blob:none', 'origin', 'main');
    await clone.git('checkout', '-q', 'FETCH_HEAD');
    await expect(clone.revision('HEAD~1')).rejects.toThrow('git lacks the content of a file of this revision');
    repository.write('graph/a.json', 'one');
    await repository.commit('four');
    await clone.git('fetch', '-q', 'origin', 'main');
    await clone.git('checkout', '-q', 'FETCH_HEAD');
    expect((await clone.revision('HEAD~3')).subject).toBe('one');
  });

  it('has what the commit has, not what another object is put in its place', async () => {
    const repository = await Repository.make();
    repository.write('graph/a.json', 'real');
    await repository.commit('one');
    const other = await repository.object('blob', 'put there');
    await repository.git('replace', await repository.git('rev-parse', 'HEAD:graph/a.json'), other);
    const { root } = await repository.revision();
    expect(readFileSync(join(root, 'graph/a.json'), 'utf8')).toBe('real');
  });

  it('is never written through a link that a tree made by hand has in the place of a folder', async () => {
    const [repository, outside] = [await Repository.make(), await Repository.make()];
    const file = await repository.object('blob', '{}');
    const link = await repository.object('blob', outside.root);
    const folder = await repository.object('tree', entry('100644', 'planted.json', file));
    const tree = await repository.object(
      'tree',
      Buffer.concat([entry('120000', 'graph', link), entry('40000', 'graph', folder)]),
    );
    const commit = await repository.git('commit-tree', '-m', 'by hand', tree);
    await expect(repository.revision(commit)).rejects.toThrow('lies behind a link');
    expect(readdirSync(outside.root)).toEqual(['.git']);
  });

  it('makes no link outside of itself for what an instance includes', async () => {
    const repository = await Repository.make();
    // As many steps as lead from the temporary folder, which lies one deeper, to the one beside it.
    const up = '../'.repeat(repository.root.split('/').length);
    repository.write('toolgraph.config.json', JSON.stringify({ include: [`${up}usr`] }));
    await repository.commit('one');
    const before = readdirSync(tmpdir()).includes('usr');
    const { outside } = await repository.revision();
    expect([outside, readdirSync(tmpdir()).includes('usr')]).toEqual([[], before]);
  });

  it('has an included instance within another that is taken as it is now', async () => {
    const [repository, beside] = [await Repository.make(), await Repository.make()];
    beside.write('nested/graph/a.json', '{}');
    const name = beside.root.slice(tmpdir().length + 1);
    repository.write('toolgraph.config.json', JSON.stringify({ include: [`../${name}`, `../${name}/nested`] }));
    await repository.commit('one');
    const { root, outside } = await repository.revision();
    expect(outside).toEqual([`../${name}`, `../${name}/nested`]);
    expect(lstatSync(join(root, '..', name)).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(root, '..', name, 'nested'))).toEqual(['graph']);
  });

  it('tells of submodules among its folders, and of no others', async () => {
    const [repository, module] = [await Repository.make(), await Repository.make()];
    module.write('a.json', '{}');
    await module.commit('one');
    repository.write('graph/b.json', '{}');
    for (const path of ['graph/shared', 'vendor/x']) await repository.git('submodule', 'add', '-q', module.root, path);
    await repository.commit('one');
    symlinkSync('nowhere', join(repository.root, 'graph/link'));
    expect((await repository.revision()).submodules).toEqual(['graph/shared']);
  });
});

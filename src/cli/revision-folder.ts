import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, posix, relative, sep } from 'node:path';
import { configFileName } from '../../schemas/config.js';
import { formatOf } from '../ingest/document-kind.js';
import { readConfig } from '../instance/config.js';
import { GitError } from '../instance/git.js';
import { type GitPlace, type GitTree, readObjects, readTree } from '../instance/git-tree.js';

/** An instance as it was at a commit, in a temporary folder: its config and documents, and those of what it includes. */
export interface RevisionFolder {
  /** Where the instance is. */
  readonly root: string;
  readonly commit: string;
  /** First line of the message of the commit. */
  readonly subject: string;
  /** Whether there was an instance at all. */
  readonly isInstance: boolean;
  /** Included instances that are not in the repository at this commit, as the config names them: they are taken as they are now. */
  readonly outside: readonly string[];
  /** Submodules among the folders that are read: nothing of them is. */
  readonly submodules: readonly string[];
  remove(): Promise<void>;
}

/**
 * Writes an instance down as it was. The folder lies as deep as the real one, so that a path to another instance leads there. Programs and
 * modules are not written: nothing of another commit is ever run. Rejects with a GitError.
 */
export async function writeRevision(place: GitPlace, revision: string): Promise<RevisionFolder> {
  const tree = await readTree(place.top, revision);
  const temporary = await realpath(await mkdtemp(join(tmpdir(), 'toolgraph-diff-')));
  const remove = () => rm(temporary, { recursive: true, force: true });
  const top = join(temporary, place.top);
  const writer = new TreeWriter(place.top, temporary, tree);
  try {
    await writer.instance(place.path);
  } catch (error) {
    await remove();
    throw error;
  }
  const isInstance = [configFileName, 'graph'].some((name) => writer.has(posix.join(place.path, name)));
  const { commit, subject } = tree;
  const left = { outside: [...writer.outside], submodules: [...writer.submodules] };
  return { root: join(top, place.path), commit, subject, isInstance, ...left, remove };
}

class TreeWriter {
  readonly outside = new Set<string>();
  readonly submodules = new Set<string>();
  readonly #repository: string;
  readonly #temporary: string;
  readonly #top: string;
  readonly #files: GitTree['files'];
  readonly #submodules: GitTree['submodules'];
  readonly #instances = new Set<string>();
  readonly #written = new Set<string>();

  constructor(repository: string, temporary: string, { files, submodules }: GitTree) {
    this.#repository = repository;
    this.#temporary = temporary;
    this.#top = join(temporary, repository);
    this.#files = files;
    this.#submodules = submodules;
  }

  /** Whether the commit has a file of this path, or files in such a folder. */
  has(path: string): boolean {
    return this.#files.has(path) || this.#under(path).length > 0;
  }

  /** Writes the instance that lies at this path from the top, and those that it includes. */
  async instance(path: string): Promise<void> {
    if (this.#instances.has(path)) return;
    this.#instances.add(path);
    const root = join(this.#top, path);
    if (!(await this.#makeFolder(root))) throw throughLink(path);
    await this.#write([posix.join(path, configFileName)]);
    const { folders, include } = readConfig(root).config;
    await this.#write(folders.map((folder) => posix.join(path, folder.path)));
    for (const included of include) await this.#include(path, included.path);
  }

  async #include(from: string, path: string): Promise<void> {
    if (isAbsolute(path)) return;
    const target = posix.join(from, path).replace(/\/+$/, '');
    const isInside = target !== '..' && !target.startsWith('../');
    if (isInside && (target === '.' || this.has(target))) return this.instance(target === '.' ? '' : target);
    const [real, link] = [join(this.#repository, target), join(this.#top, target)];
    // More steps upwards than there are folders lead nowhere in the temporary one.
    if (!existsSync(real) || !isBelow(this.#temporary, link)) return;
    this.outside.add(path);
    await this.#link(link, real);
  }

  /** Writes the documents at and below these paths, and follows links to others in the repository. */
  async #write(paths: readonly string[]): Promise<void> {
    const queue = [...paths];
    for (const path of queue) {
      for (const one of this.#submodules)
        if (isAtOrBelow(path, one) || isAtOrBelow(one, path)) this.submodules.add(one);
      const chosen = [...this.#linksOn(path), ...this.#under(path), path].filter((one) => this.#isWanted(one));
      for (const one of chosen) this.#written.add(one);
      const files = chosen.flatMap((one) => ({ path: one, file: this.#files.get(one) }));
      const contents = await readObjects(
        this.#repository,
        files.flatMap(({ file }) => file?.object ?? []),
      );
      for (const { path: name, file } of files) {
        const content = contents.get(file?.object ?? '');
        if (file === undefined || content === undefined) continue;
        if (file.isLink) queue.push(...(await this.#follow(name, content.toString('utf8'), path)));
        else await this.#put(name, content);
      }
    }
  }

  #isWanted(path: string): boolean {
    const file = this.#files.get(path);
    if (file === undefined || this.#written.has(path) || path.split('/').includes('..')) return false;
    return file.isLink || formatOf(path) !== 'other';
  }

  /** Makes the link, and gives the paths in the repository that it leads to: of itself, or of what is wanted behind it. */
  async #follow(path: string, target: string, wanted: string): Promise<string[]> {
    await this.#link(join(this.#top, path), target);
    if (isAbsolute(target)) return [];
    const rest = wanted.startsWith(`${path}/`) ? wanted.slice(path.length) : '';
    const real = posix.join(dirname(path), target) + rest;
    return real.startsWith('../') ? [] : [real];
  }

  async #link(path: string, target: string): Promise<void> {
    // A folder that a link leads to has what is in it.
    if (!(await this.#makeFolder(dirname(path)))) return;
    await symlink(target, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }

  async #put(path: string, content: Buffer): Promise<void> {
    const file = join(this.#top, path);
    if (!(await this.#makeFolder(dirname(file)))) throw throughLink(path);
    await writeFile(file, content, { flag: 'wx' });
  }

  /**
   * Whether there is such a folder now. False where a link is on the way: nothing is written through one. A tree that was made by hand may have
   * one name for a link and for a folder.
   */
  async #makeFolder(folder: string): Promise<boolean> {
    let at = this.#temporary;
    for (const step of relative(this.#temporary, folder).split(sep)) {
      at = join(at, step);
      await mkdir(at).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      if ((await lstat(at)).isSymbolicLink()) return false;
    }
    return true;
  }

  #under(path: string): string[] {
    if (path === '' || path === '.') return [...this.#files.keys()];
    return [...this.#files.keys()].filter((one) => one.startsWith(`${path}/`));
  }

  /** Links among the folders that a path leads through. */
  #linksOn(path: string): string[] {
    const steps = path.split('/');
    return steps.map((_, i) => steps.slice(0, i + 1).join('/')).filter((one) => this.#files.get(one)?.isLink === true);
  }
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder + sep);
}

/** Of paths with `/`; '' and '.' are the top. */
function isAtOrBelow(folder: string, path: string): boolean {
  return folder === '' || folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

function throughLink(path: string): GitError {
  return new GitError(`${path} lies behind a link that the commit has in the place of a folder; nothing of it is read`);
}

import { GitError, readGit } from './git.js';

/** A folder of a repository at one commit. */
export interface GitTree {
  /** Full id. */
  readonly commit: string;
  /** First line of its message. */
  readonly subject: string;
  /** Files and links by path from the top of the repository, with `/`. */
  readonly files: ReadonlyMap<string, GitFile>;
}

export interface GitFile {
  /** Id of its content, which for a link is where it leads. */
  readonly object: string;
  readonly isLink: boolean;
  readonly bytes: number;
}

/** Where a folder lies in its repository. */
export interface GitPlace {
  /** Absolute path of the top of the working tree. */
  readonly top: string;
  /** From there to the folder, with `/`; '' at the top. */
  readonly path: string;
}

/** Rejects with a GitError where the folder is in no working tree. */
export async function findRepository(folder: string): Promise<GitPlace> {
  const [top = '', path = ''] = (await readGit(folder, ['rev-parse', '--show-toplevel', '--show-prefix']))
    .toString('utf8')
    .split('\n');
  return { top, path: path.replace(/\/$/, '') };
}

/** All files of a commit. Rejects with a GitError, where there is no such revision too. */
export async function readTree(top: string, revision: string): Promise<GitTree> {
  const words = ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`];
  const commit = (await readGit(top, words).catch(() => '')).toString().trim();
  if (commit === '') throw new GitError(`there is no revision ${revision}`);
  const log = ['log', '-1', '--no-show-signature', '--format=%s', commit];
  const [subject = ''] = (await readGit(top, log)).toString('utf8').split('\n');
  const listing = await readGit(top, ['ls-tree', '-r', '-z', '-l', '--full-tree', commit]);
  return { commit, subject, files: parseTree(listing.toString('utf8')) };
}

/** Lines of `git ls-tree -z -l`: mode, type, object, bytes, a tab, path. Submodules are left out, and names that are not UTF-8. */
function parseTree(listing: string): Map<string, GitFile> {
  const files = new Map<string, GitFile>();
  for (const line of listing.split('\0')) {
    const [, mode, object, bytes, path] = /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(line) ?? [];
    if (mode === undefined || object === undefined || path === undefined || path.includes('\ufffd')) continue;
    files.set(path, { object, isLink: mode === '120000', bytes: Number(bytes) });
  }
  return files;
}

/** Contents by object, as they are stored: no filter of the repository is run. Rejects with a GitError. */
export async function readObjects(top: string, objects: Iterable<string>): Promise<Map<string, Buffer>> {
  const wanted = [...new Set(objects)];
  if (wanted.length === 0) return new Map();
  const output = await readGit(top, ['cat-file', '--batch'], wanted.map((object) => `${object}\n`).join(''));
  const contents = new Map<string, Buffer>();
  let at = 0;
  for (const object of wanted) {
    const end = output.indexOf('\n', at);
    const bytes = Number(
      /^[0-9a-f]+ blob (\d+)$/.exec(output.toString('latin1', at, Math.max(at, end)))?.[1] ?? Number.NaN,
    );
    if (Number.isNaN(bytes)) throw new GitError(`git has no content of ${object}`);
    contents.set(object, output.subarray(end + 1, end + 1 + bytes));
    at = end + 1 + bytes + 1;
  }
  return contents;
}

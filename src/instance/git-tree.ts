import { GitError, readGit } from './git.js';

/** A folder of a repository at one commit. */
export interface GitTree {
  /** Full id. */
  readonly commit: string;
  /** First line of its message. */
  readonly subject: string;
  /** Files and links by path from the top of the repository, with `/`. */
  readonly files: ReadonlyMap<string, GitFile>;
  /** Paths of submodules: what is in them, the commit does not say. */
  readonly submodules: readonly string[];
}

export interface GitFile {
  /** Id of its content, which for a link is where it leads. */
  readonly object: string;
  readonly isLink: boolean;
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
  const commit = await commitOf(top, revision);
  if (commit === '') throw new GitError(await unknownWords(top));
  const log = ['log', '-1', '--no-show-signature', '--format=%s', commit];
  const [subject = ''] = (await readGit(top, log)).toString('utf8').split('\n');
  const listing = await readGit(top, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  return { commit, subject, ...parseTree(listing.toString('utf8')) };
}

/** First what the words mean by themselves: behind the text of `:/text`, `^{commit}` would be a part of it. '' where there is none. */
async function commitOf(top: string, revision: string): Promise<string> {
  const parsed = async (words: string) => {
    const output = await readGit(top, ['rev-parse', '--verify', '--quiet', '--end-of-options', words]).catch(() => '');
    return output.toString().trim();
  };
  const object = await parsed(revision);
  return object === '' ? '' : parsed(`${object}^{commit}`);
}

async function unknownWords(top: string): Promise<string> {
  const isShallow = (await readGit(top, ['rev-parse', '--is-shallow-repository'])).toString().trim() === 'true';
  const words = 'there is no such revision';
  return isShallow ? `${words} in this shallow clone; fetch the history, as with git fetch --unshallow` : words;
}

/** Lines of `git ls-tree -z`: mode, type, object, a tab, path. Names that are not UTF-8 are left out. */
function parseTree(listing: string): Pick<GitTree, 'files' | 'submodules'> {
  const files = new Map<string, GitFile>();
  const submodules: string[] = [];
  for (const line of listing.split('\0')) {
    const [, mode, type, object, path] = /^(\d+) (blob|commit) ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    if (mode === undefined || object === undefined || path === undefined || path.includes('\ufffd')) continue;
    if (type === 'commit') submodules.push(path);
    else files.set(path, { object, isLink: mode === '120000' });
  }
  return { files, submodules };
}

/** A partial clone has what was checked out; toolgraph fetches nothing. */
const lackingWords =
  'git lacks the content of a file of this revision, as a partial clone may; fetch it first, as with git fetch --refetch --no-filter';

/** Contents by object, as they are stored: no filter of the repository is run. Rejects with a GitError. */
export async function readObjects(top: string, objects: Iterable<string>): Promise<Map<string, Buffer>> {
  const wanted = [...new Set(objects)];
  if (wanted.length === 0) return new Map();
  const names = wanted.map((object) => `${object}\n`).join('');
  const output = await readGit(top, ['cat-file', '--batch'], names).catch((error: unknown) => {
    throw error instanceof GitError && /lazy fetch|promisor|not allowed/.test(error.message)
      ? new GitError(lackingWords)
      : error;
  });
  const contents = new Map<string, Buffer>();
  let at = 0;
  for (const object of wanted) {
    const end = output.indexOf('\n', at);
    const bytes = Number(
      /^[0-9a-f]+ blob (\d+)$/.exec(output.toString('latin1', at, Math.max(at, end)))?.[1] ?? Number.NaN,
    );
    if (Number.isNaN(bytes)) throw new GitError(lackingWords);
    contents.set(object, output.subarray(end + 1, end + 1 + bytes));
    at = end + 1 + bytes + 1;
  }
  return contents;
}

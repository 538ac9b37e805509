import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { gitEnvironment, harmless } from './git.js';
import type { Environment } from './host.js';
import { readSettledFile } from './signature.js';

/** A document of which git is asked: its path in the instance, and the sha-256 (hex) of the bytes that are meant. */
export interface DocumentForGit {
  readonly path: string;
  readonly sha256: string;
}

/**
 * What git tells of a document. `committed`: its bytes are those of the file in the commit that is checked out. `modified`: the file is in that
 * commit with other bytes. `untracked`: it is not in it.
 */
export type DocumentInGit =
  | { readonly state: 'committed' | 'modified' | 'untracked'; readonly head: string }
  | { readonly state: 'unavailable'; readonly reason: string };

/** How long one process of git may take, in ms, and how much it may write, in bytes. */
const timeoutMs = 10_000;
const maxOutput = 64 * 1024 * 1024;
/** More paths are not named one by one: the folders that hold them are. */
const namedPaths = 200;

const noWorkTree = 'it is in no git work tree';
const gone = 'the file was gone before git was asked';

/** Why no git can know the documents of an instance, or undefined where one may. Looks for `.git` only. */
export function reasonWithoutGit(root: string): string | undefined {
  return workTreeOf(root) === undefined ? noWorkTree : undefined;
}

/**
 * Asks git of documents, in the work tree that each is in: that of a submodule or of another clone within the instance is its own. Nothing of
 * a repository runs a program: only plumbing is called that applies no filter and no hook, without a shell, without the network, and
 * without the GIT_* variables of the environment. Never rejects: what is not known is `unavailable`, with the reason.
 */
export async function askGit(
  root: string,
  documents: readonly DocumentForGit[],
  env: Environment,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, DocumentInGit>> {
  const answers = new Map<string, DocumentInGit>();
  const unavailable = (path: string, reason: string) => answers.set(path, { state: 'unavailable', reason });
  const byTree = new Map<string, FileInTree[]>();
  for (const document of documents) {
    const file = realPath(join(root, document.path));
    const tree = file === undefined ? undefined : workTreeOf(dirname(file));
    if (file === undefined) unavailable(document.path, gone);
    else if (tree === undefined) unavailable(document.path, noWorkTree);
    else {
      const found = { document, file, path: relative(tree, file).split(sep).join('/') };
      const files = byTree.get(tree);
      if (files === undefined) byTree.set(tree, [found]);
      else files.push(found);
    }
  }
  for (const [tree, files] of byTree) {
    try {
      const git = (args: readonly string[]) => runGit(tree, args, env, signal);
      for (const [path, answer] of await askWorkTree(git, files)) answers.set(path, answer);
    } catch (error) {
      for (const { document } of files) unavailable(document.path, reasonOf(error));
    }
  }
  return answers;
}

/** A document with its real file, and the path of that in its work tree. */
interface FileInTree {
  readonly document: DocumentForGit;
  readonly file: string;
  readonly path: string;
}

function realPath(file: string): string | undefined {
  try {
    return realpathSync.native(file);
  } catch {
    return undefined;
  }
}

/** The nearest folder, from this one upwards, that has `.git`, a folder or the file of a linked work tree or submodule. */
function workTreeOf(folder: string): string | undefined {
  let at = realPath(folder);
  if (at === undefined) return undefined;
  while (!existsSync(join(at, '.git'))) {
    if (dirname(at) === at) return undefined;
    at = dirname(at);
  }
  return at;
}

async function askWorkTree(
  git: (args: readonly string[]) => Promise<string>,
  files: readonly FileInTree[],
): Promise<ReadonlyMap<string, DocumentInGit>> {
  const head = (await git(['rev-parse', '--verify', '--quiet', '--end-of-options', 'HEAD^{commit}'])).trim();
  const paths = files.map(({ path }) => path);
  const named = files.length <= namedPaths ? paths : [...new Set(paths.map(topFolder))];
  const listed = await git(['ls-tree', '-r', '-z', '--full-tree', head, '--', ...(named.includes('') ? [] : named)]);
  const blobs = new Map(listed.split('\0').flatMap(blobOf));
  return new Map(files.map((file) => [file.document.path, compare(file, head, blobs.get(file.path))]));
}

/** The first folder of a path; '' for a file that is in none. */
function topFolder(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
}

/** One entry of `ls-tree -z`: `<mode> <type> <id>\t<path>`. */
function blobOf(entry: string): [string, string][] {
  const [, id, path] = /^[0-9]+ blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
  return id === undefined || path === undefined ? [] : [[path, id]];
}

/** The bytes are read once more, and are to be those that are meant: git names a file by another digest than ours. */
function compare({ document, file }: FileInTree, head: string, blob: string | undefined): DocumentInGit {
  const read = readSettledFile(file, maxOutput);
  if (read.state === 'missing') return { state: 'unavailable', reason: gone };
  if (read.state !== 'read' || hash('sha256', read.bytes, 'hex') !== document.sha256) {
    return { state: 'unavailable', reason: 'the file was other before git was asked' };
  }
  if (blob === undefined) return { state: 'untracked', head };
  // A repository names its commits and its files by the same digest.
  const algorithm = head.length === 64 ? 'sha256' : 'sha1';
  const id = hash(algorithm, Buffer.concat([Buffer.from(`blob ${read.bytes.length}\0`), read.bytes]), 'hex');
  return { state: id === blob ? 'committed' : 'modified', head };
}

function runGit(tree: string, args: readonly string[], env: Environment, signal: AbortSignal): Promise<string> {
  // Where `.git` turns out to be none, a repository further up is not that of the documents.
  const gitEnv = { ...gitEnvironment(env), GIT_CEILING_DIRECTORIES: dirname(tree) };
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      [...harmless, '-C', tree, ...args],
      { env: gitEnv, cwd: tree, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: maxOutput, signal },
      (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
    );
  });
}

/** Without a path of the host: what git says has one. */
function reasonOf(error: unknown): string {
  const { code, killed, stderr } = (error ?? {}) as { code?: unknown; killed?: boolean; stderr?: unknown };
  if (code === 'ENOENT') return 'git is not on PATH';
  if (code === 'ABORT_ERR') return 'the service ended before git answered';
  if (killed === true) return `git did not answer within ${timeoutMs / 1000} s`;
  if (/dubious ownership/.test(String(stderr)))
    return 'git does not trust this repository of another user (safe.directory)';
  if (code === 1 || /Needed a single revision/.test(String(stderr))) return 'nothing has been committed yet';
  return `git failed with code ${String(code)}`;
}

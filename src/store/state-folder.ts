import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { roomRemedy, StoreError } from './store-error.js';

const refusals = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT'];
/** There is no room, on the disk or for this user. That passes, so the state is not begun in another place meanwhile. */
const noRoom = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Where an instance keeps its stores. `path` is absolute. */
export interface StateFolder {
  readonly path: string;
}

/**
 * Makes `<root>/.toolgraph/`, with a `.gitignore` that ignores all of it; or, where the instance cannot be written, a folder of the user:
 * `$XDG_STATE_HOME/toolgraph/<name>-<hash of root>`, one for each instance, whatever links it is reached through. Where the operating
 * system says that the instance cannot be written, that is not tried. Throws a StoreError `unwritable` when there is neither, and `full`
 * when there is no room.
 */
export function openStateFolder(root: string, env: Readonly<Record<string, string | undefined>>): StateFolder {
  const inside = join(resolve(root), '.toolgraph');
  refuseOther(inside);
  if (isWritable(existsSync(inside) ? inside : root) && makeWritable(inside)) return { path: inside };
  const real = realRoot(root);
  if (real === undefined) {
    throw new StoreError('unwritable', 'the folder of the instance is missing; make it again, or end toolgraph');
  }
  const outside = userStateFolder(real, env);
  if (makeWritable(outside)) return { path: outside };
  throw new StoreError(
    'unwritable',
    'neither .toolgraph in the instance nor toolgraph in the state folder of the user can be written; make one of them writable, or set XDG_STATE_HOME',
  );
}

/** The place for the state of an instance that comes with toolgraph: in the state folder of the one that includes it. Throws as that does. */
export function openInnerState(root: string, env: Readonly<Record<string, string | undefined>>, name: string): string {
  const path = join(openStateFolder(root, env).path, name);
  try {
    makeFolder(path);
  } catch (error) {
    const words = `${name} in the state folder of the instance cannot be made; make that folder writable`;
    throw new StoreError('unwritable', words, { cause: error });
  }
  return path;
}

/**
 * Where the state of an instance may be, the likelier place first: where `openStateFolder` keeps it for this user, then in the instance
 * itself, where another user may. Makes nothing. Throws a StoreError as that does.
 */
export function stateFolders(root: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const inside = join(resolve(root), '.toolgraph');
  refuseOther(inside);
  if (isWritable(existsSync(inside) ? inside : root)) return [inside];
  return [userStateFolder(realRoot(root) ?? resolve(root), env), inside];
}

/** An instance is data from outside: a link in it must not decide where toolgraph writes. */
function refuseOther(folder: string): void {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) return;
  const kind = stat.isSymbolicLink() ? 'a link' : 'no folder';
  throw new StoreError('unwritable', `.toolgraph in the instance is ${kind}; remove it, toolgraph makes the folder`);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function makeWritable(folder: string): boolean {
  try {
    makeFolder(folder);
    if (!isWritable(folder)) return false;
    writeIfAbsent(join(folder, '.gitignore'), '*\n');
    return true;
  } catch (error) {
    if (isCode(error, refusals)) return false;
    if (isCode(error, noRoom)) {
      const words = `${basename(folder)}: there is no room to write in it; ${roomRemedy}`;
      throw new StoreError('full', words, { cause: error });
    }
    throw error;
  }
}

// Not `recursive`: on a file system that answers ENOENT to it, as /proc does, Node 20 tries for ever.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isCode(error, ['EEXIST'])) throw error;
  }
}

function writeIfAbsent(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if (isCode(error, ['EEXIST'])) return;
    // It was made and could not be filled.
    if (isCode(error, noRoom)) rmSync(file, { force: true });
    throw error;
  }
}

function isCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

function realRoot(root: string): string | undefined {
  try {
    return realpathSync.native(root);
  } catch {
    return undefined;
  }
}

/** A relative XDG_STATE_HOME is ignored, as the XDG base directory specification 0.8 demands. */
function userStateFolder(root: string, env: Readonly<Record<string, string | undefined>>): string {
  const stated = env.XDG_STATE_HOME;
  const home = env.HOME !== undefined && isAbsolute(env.HOME) ? env.HOME : homedir();
  const states = stated !== undefined && isAbsolute(stated) ? stated : join(home, '.local', 'state');
  const name = basename(root).replace(/[^A-Za-z0-9._-]+/g, '-') || 'root';
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return join(states, 'toolgraph', `${name}-${hash}`);
}

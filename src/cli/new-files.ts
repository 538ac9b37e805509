import { closeSync, existsSync, lstatSync, mkdirSync, openSync, rmdirSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '../instance/signature.js';

/** Files that could not be written; what had been written of them is gone again. */
export class NewFilesError extends Error {}

/**
 * Writes files below `root`, and the folders that they need, `root` among them: all, or none. A path is relative to `root`, with `/`.
 * Overwrites nothing. Throws a NewFilesError that names the file.
 */
export function writeNewFiles(root: string, files: ReadonlyMap<string, string>): void {
  const present = [...files.keys()].filter((path) => isPresent(join(root, path)));
  if (present.length > 0) {
    const them = present.length === 1 ? 'it' : 'them';
    throw new NewFilesError(
      `already there: ${present.join(', ')}; nothing was written, so remove ${them} or take another DIR`,
    );
  }
  const undo: (() => void)[] = [];
  for (const [path, content] of files) {
    try {
      makeFolder(dirname(join(root, path)), undo);
      writeFile(join(root, path), content, undo);
    } catch (error) {
      const left = undo.reverse().filter((step) => !succeeds(step)).length;
      const rest = left === 0 ? 'nothing was left behind' : 'some of what was written could not be removed again';
      throw new NewFilesError(`${path} cannot be written (${errnoOf(error)}); ${rest}`, { cause: error });
    }
  }
}

/** A link that leads nowhere is there too: a file would be written where it points. */
function isPresent(path: string): boolean {
  return succeeds(() => lstatSync(path));
}

/** Makes the folder and those above it that are missing, each so that it can be removed again while it is empty. */
function makeFolder(path: string, undo: (() => void)[]): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), undo);
  mkdirSync(path);
  undo.push(() => rmdirSync(path));
}

function writeFile(path: string, content: string, undo: (() => void)[]): void {
  const file = openSync(path, 'wx');
  undo.push(() => unlinkSync(path));
  try {
    const bytes = Buffer.from(content);
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  } finally {
    closeSync(file);
  }
}

function succeeds(step: () => void): boolean {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}

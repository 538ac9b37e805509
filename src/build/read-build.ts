import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf, readSettledFile } from '../instance/signature.js';
import { BuildError } from './build-error.js';
import { manifestPath, parseManifest } from './manifest.js';
import type { PresentFiles } from './plan.js';

/** A file that is larger was not made by a build. In bytes. */
const maxFileBytes = 1_073_741_824;

/**
 * What a folder holds of an earlier build, and at any other path that is asked for. The folder need not exist. No link is followed.
 *
 * @throws BuildError that names what cannot be read, here and from `contentOf`.
 */
export function readBuild(folder: string): PresentFiles {
  const contentOf = (path: string): string | undefined => contentAt(folder, path);
  const text = contentOf(manifestPath);
  if (text === undefined) return { manifest: undefined, contentOf };
  const manifest = parseManifest(text);
  if (manifest === undefined) {
    throw new BuildError(
      `${join(folder, manifestPath)} is not the manifest of a build; remove it, and what the build has made, or name another folder`,
    );
  }
  return { manifest, contentOf };
}

function contentAt(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  if (dirname(path) !== '.' && !isFolder(join(folder, dirname(path)))) return undefined;
  const read = readSettledFile(file, maxFileBytes);
  if (read.state === 'missing') return undefined;
  if (read.state === 'read') return Buffer.from(read.bytes).toString('utf8');
  const reason = read.state === 'failed' ? `cannot be read (${read.errno})` : unreadable[read.state];
  throw new BuildError(`${file} ${reason}; move it away, or name another folder`);
}

const unreadable = {
  changing: 'keeps changing',
  irregular: 'is a link, a folder or a device where a build writes a file',
  'too-large': 'is too large for a file of a build',
};

/** False where nothing is. A link could lead the files of a build anywhere. */
function isFolder(path: string): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) return stats !== undefined;
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return false;
    throw new BuildError(`${path} cannot be looked at (${errnoOf(error)}); correct the permissions`);
  }
  throw new BuildError(`${path} is a link or a file where a build has a folder; move it away, or name another folder`);
}

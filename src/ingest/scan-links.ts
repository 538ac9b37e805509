import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { isWithin, pathInFolder } from '../instance/containment.js';
import { errnoOf } from '../instance/signature.js';
import { formatOf } from './document-kind.js';
import type { IgnoreRules } from './ignore.js';
import { scanProblems } from './scan-problems.js';

/** A node folder, by its real path. */
interface Folder {
  readonly path: string;
  readonly real: string;
}

/** Where a symbolic link leads. */
export type LinkTarget =
  /** To a file or folder of the instance that is not read in its own place. */
  | { readonly leads: 'inside'; readonly real: string; readonly isFolder: boolean }
  /** To what a walk of the node folders reads anyway. */
  | { readonly leads: 'in-place' }
  /** To nothing that may be read. A folder is meant when the target is known to be one. */
  | { readonly leads: 'astray'; readonly problem: string; readonly isFolder: boolean };

/**
 * Follows a link to its end and says whether it may be read from there (cases.md W7): only inside the instance, and each
 * real file in one place. A link to something ignored in its own place is read, as in a Kubernetes ConfigMap, whose
 * files are links into a dot folder.
 */
export function followLink(
  link: string,
  place: { readonly realRoot: string; readonly folders: readonly Folder[]; readonly ignore: IgnoreRules },
): LinkTarget {
  let real: string;
  let stats: BigIntStats;
  try {
    real = realpathSync.native(link);
    stats = statSync(real, { bigint: true });
  } catch (error) {
    const problem = errnoOf(error) === 'ELOOP' ? scanProblems.loop : scanProblems.dangling;
    return { leads: 'astray', problem, isFolder: false };
  }
  const isFolder = stats.isDirectory();
  if (!isWithin(place.realRoot, real)) return { leads: 'astray', problem: scanProblems.outside, isFolder };
  const home = place.folders.find((folder) => isWithin(folder.real, real));
  if (home !== undefined && isReadIn(home, real, isFolder, place.ignore)) return { leads: 'in-place' };
  if (isFolder && place.folders.some((folder) => isWithin(real, folder.real))) {
    return { leads: 'astray', problem: scanProblems.aroundFolders, isFolder };
  }
  return { leads: 'inside', real, isFolder };
}

function isReadIn(home: Folder, real: string, isFolder: boolean, ignore: IgnoreRules): boolean {
  if (real === home.real) return true;
  const path = pathInFolder(home, real);
  return !ignore.isIgnored(home.path, path) && (isFolder || formatOf(path) !== 'other');
}

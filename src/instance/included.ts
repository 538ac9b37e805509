import { existsSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, join, posix } from 'node:path';
import { configFileName } from '../../schemas/config.js';
import { realPath } from './containment.js';
import { errnoOf } from './signature.js';

/**
 * Finds the folder that the config of the instance `from` (an absolute path) names as `path`: from where that instance really is, as
 * the operating system follows it. `root` is its real path; what is in the way is a sentence for the person who wrote the path.
 */
export function findIncluded(from: string, path: string): { readonly root: string } | { readonly problem: string } {
  const base = realPath(from) ?? from;
  const followed = isAbsolute(path) ? path : `${base}/${path}`;
  let stats: Stats | undefined;
  try {
    stats = statSync(followed, { throwIfNoEntry: false });
  } catch (error) {
    return { problem: `"${path}" cannot be looked at (${errnoOf(error)}); correct the path or the permissions` };
  }
  const root = realPath(followed);
  if (stats === undefined || root === undefined) {
    return { problem: `there is no "${path}"; make the folder, or correct the path` };
  }
  if (!stats.isDirectory()) return { problem: `"${path}" is no folder; name the folder of an instance` };
  return { root };
}

/** Whether a folder has what makes it an instance to include. */
export function isInstance(root: string): boolean {
  return [configFileName, 'graph'].some((name) => existsSync(join(root, name)));
}

/**
 * The path by which a person who looks from the instance `root` knows an included one: as the configs write it, or shorter where that
 * leads to the same folder. `parent` is that of the instance which includes it, '' for `root` itself.
 */
export function includedLabel(root: string, parent: string, path: string, real: string): string {
  const written = isAbsolute(path) || parent === '' ? path : `${parent}/${path}`;
  const short = posix.normalize(written).replace(/(?<=.)\/+$/, '');
  const base = realPath(root) ?? root;
  return realPath(isAbsolute(short) ? short : `${base}/${short}`) === real ? short : written;
}

import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isUnder, isWithin, realPath } from '../instance/containment.js';
import { errnoOf } from '../instance/signature.js';
import { BuildError, BuildPlaceError } from './build-error.js';

/** An instance whose nodes a build is made of, as far as its folders matter. */
export interface BuildSource {
  /** Absolute. */
  readonly root: string;
  /** Folders that are read, from the root; `.` is the root. */
  readonly folders: readonly { readonly path: string }[];
  /** Paths that are not read, from the root. */
  readonly ignore: readonly string[];
}

/** Where an instance keeps its stores, from its root. */
const stateFolder = '.toolgraph';

/**
 * The folder that `--out` names, absolute and without links; it need not exist.
 *
 * @throws BuildPlaceError where a build may not be: a link, a file, an instance, or a folder in which it would be read as nodes.
 */
export function buildFolder(out: string, sources: readonly BuildSource[]): string {
  const path = resolve(out);
  const stats = lookAt(path, out);
  if (stats?.isSymbolicLink() === true) {
    const target = realPath(path);
    const hint = target === undefined ? 'which leads nowhere; remove it' : `name the folder it leads to, ${target}`;
    throw new BuildPlaceError(`--out ${out} is a link; ${hint}`);
  }
  if (stats !== undefined && !stats.isDirectory()) {
    throw new BuildPlaceError(`--out ${out} is a file; name a folder, or remove the file`);
  }
  const real = realOf(path);
  for (const source of sources) {
    const reason = conflict(real, source);
    if (reason !== undefined) {
      throw new BuildPlaceError(`--out ${out} ${reason}; name a folder of its own, such as ${suggestion(sources)}`);
    }
  }
  return real;
}

function lookAt(path: string, out: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOTDIR') throw new BuildPlaceError(`--out ${out} lies below a file; name a folder`);
    throw new BuildError(`--out ${out} cannot be looked at (${errno}); correct the path or the permissions`);
  }
}

/** With the links of the part that exists followed. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const parent = dirname(path);
    if (parent === path) throw error;
    return join(realOf(parent), basename(path));
  }
}

function conflict(folder: string, { root, folders, ignore }: BuildSource): string | undefined {
  const realRoot = realPath(root) ?? root;
  if (folder === realRoot) return 'is the instance itself';
  if (isWithin(folder, realRoot)) return `holds the instance ${root}`;
  if (isWithin(join(realRoot, stateFolder), folder)) return `lies in ${stateFolder}, which toolgraph may delete`;
  const inRoot = isWithin(realRoot, folder) ? relative(realRoot, folder).split(sep).join('/') : undefined;
  if (inRoot !== undefined && isUnder(new Set(ignore), inRoot)) return undefined;
  for (const { path } of folders) {
    const nodes = realPath(join(realRoot, path)) ?? join(realRoot, path);
    if (isWithin(nodes, folder)) return `lies in the node folder ${path}, where it would be read as nodes`;
    if (isWithin(folder, nodes)) return `holds the node folder ${path}`;
  }
  return undefined;
}

function suggestion(sources: readonly BuildSource[]): string {
  return join(sources[0]?.root ?? '.', 'build');
}

import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** Whether the real path `inner` is the folder `outer` or lies in it. Both are absolute and without links. */
export function isWithin(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

/** The path with every link followed, or undefined when it does not exist or cannot be followed. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Whether `path` is the folder `folder` or lies in it; both relative to the instance, `.` is the instance itself. */
export function isInFolder(folder: string, path: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

/** Whether one of `paths` is the path or a folder that holds it. As `isInFolder`, for a set of any size. */
export function isUnder(paths: ReadonlySet<string>, path: string): boolean {
  if (paths.has('.')) return true;
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (paths.has(path.slice(0, end))) return true;
  }
  return false;
}

/** The path, relative to the instance, of what has the real path `real` and lies in a folder. */
export function pathInFolder(folder: { readonly path: string; readonly real: string }, real: string): string {
  const inner = relative(folder.real, real).split(sep).join('/');
  return folder.path === '.' ? inner : `${folder.path}/${inner}`;
}

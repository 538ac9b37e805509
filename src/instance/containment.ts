import { realpathSync } from 'node:fs';
import { sep } from 'node:path';

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

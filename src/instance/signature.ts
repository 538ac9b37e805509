import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';

/** How often a file that keeps changing is read again before it is left for the next pass. */
const readAttempts = 4;

/** What reading a file led to. `errno` is a code of the operating system, such as EACCES. */
export type FileRead =
  | { readonly state: 'read'; readonly bytes: Uint8Array; readonly signature: string; readonly changedAtMs: number }
  | { readonly state: 'missing' }
  | { readonly state: 'changing' }
  | { readonly state: 'irregular' }
  | { readonly state: 'too-large'; readonly size: number }
  | { readonly state: 'failed'; readonly errno: string };

/**
 * Reads a regular file between two equal signatures, so that no half of an old and half of a new content is returned
 * (DESIGN decision 4). `path` is a real path: a symbolic link at its end is not followed, a FIFO does not block.
 */
export function readSettledFile(path: string, maxBytes: number): FileRead {
  try {
    for (let attempt = 0; attempt < readAttempts; attempt++) {
      const read = readOnce(path, maxBytes);
      if (read.state !== 'changing') return read;
    }
    return { state: 'changing' };
  } catch (error) {
    return failure(error);
  }
}

/** What tells two contents of one path apart without reading: `ino:size:mtimeNs:ctimeNs`. */
export function fileSignature(stats: BigIntStats): string {
  return `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

/** What tells a folder from another one made in its place; a new one often gets the same inode number. */
export function directoryIdentity(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}

/** The `code` of an error of node:fs, or `unknown`. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}

function readOnce(path: string, maxBytes: number): FileRead {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const before = fstatSync(fd, { bigint: true });
    if (!before.isFile()) return { state: 'irregular' };
    if (before.size > BigInt(maxBytes)) return { state: 'too-large', size: Number(before.size) };
    const bytes = readUpTo(fd, Number(before.size));
    // The path is asked, not the descriptor: a file renamed over this one shows as another inode.
    const after = lstatSync(path, { bigint: true });
    const signature = fileSignature(before);
    if (bytes.length !== Number(before.size) || fileSignature(after) !== signature) return { state: 'changing' };
    return { state: 'read', bytes, signature, changedAtMs: Number(before.ctimeNs / 1_000_000n) };
  } finally {
    closeSync(fd);
  }
}

function readUpTo(fd: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const count = readSync(fd, bytes, length, size - length, length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

function failure(error: unknown): FileRead {
  const errno = errnoOf(error);
  if (errno === 'ENOENT' || errno === 'ENOTDIR') return { state: 'missing' };
  // ELOOP: O_NOFOLLOW met a link. ENXIO: a socket, or a FIFO nobody writes to.
  if (errno === 'ELOOP' || errno === 'ENXIO') return { state: 'irregular' };
  return { state: 'failed', errno };
}

import { errnoOf } from '../instance/signature.js';

/** Why a build cannot be written or read, in one line for the person who asked for it. */
export class BuildError extends Error {
  override readonly name: string = 'BuildError';
}

/** The folder that was named is none that a build may be written to. */
export class BuildPlaceError extends BuildError {
  override readonly name = 'BuildPlaceError';
}

/** The code of the operating system, and what the person can do where that is plain. */
export function errnoWords(error: unknown): string {
  const errno = errnoOf(error);
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errno)) {
    return `${errno}: free some space on the disk, or raise the quota or limit`;
  }
  if (['EACCES', 'EPERM', 'EROFS'].includes(errno)) return `${errno}: make it writable, or name another folder`;
  return errno;
}

/**
 * Why a store cannot do what was asked. `full`: there is no room on the disk. `corrupt`: the file is damaged. `newer`: another version of toolgraph wrote it.
 * `unbuilt`: SQLite itself cannot be loaded.
 */
export type StoreErrorCode = 'busy' | 'full' | 'corrupt' | 'newer' | 'unwritable' | 'unbuilt' | 'failed';

/** What to do when there is no room, on the disk or for this user. */
export const roomRemedy = 'free some space on the disk, or raise the quota or limit of this user';

/** A store that cannot go on. The message says what, where and what to do, in one line, without a path of the host. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  constructor(
    readonly code: StoreErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Runs `act`; an error of SQLite becomes a StoreError. `file` is the name that the person knows, as `.toolgraph/graph.db`. */
export function inWords<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (isUnbuilt(error)) throw unbuilt(error);
    const code = sqliteCode(error);
    if (code === undefined) throw error;
    throw describe(file, code, error);
  }
}

/** Whether the file was found to be damaged, or no database at all. */
export function isDamage(error: unknown): boolean {
  if (error instanceof StoreError) return error.code === 'corrupt';
  const code = sqliteCode(error);
  return code !== undefined && /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}

/** Whether another process holds what is asked for, so that it is worth to wait. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code);
}

/** Whether a statement does not fit the tables of the file. */
export function isRefusedStatement(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_ERROR';
}

/** `bindings` tells of a file that is absent with the places that it `tries`; Node of one for another version or machine with a code. */
function isUnbuilt(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'tries' in error || ('code' in error && error.code === 'ERR_DLOPEN_FAILED');
}

function unbuilt(cause: unknown): StoreError {
  const here = `Node.js ${process.version} on ${process.platform} ${process.arch}`;
  const message = `better-sqlite3, which the store needs, is not built for ${here}; run \`npm rebuild better-sqlite3\` where toolgraph is installed, or approve its install script and install again`;
  return new StoreError('unbuilt', message, { cause });
}

function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return error.code.startsWith('SQLITE_') ? error.code : undefined;
}

function describe(file: string, code: string, cause: unknown): StoreError {
  const error = (kind: StoreErrorCode, words: string) => new StoreError(kind, `${file}: ${words} (${code})`, { cause });
  if (isBusy(cause)) {
    return error('busy', 'another process has held its lock for too long; end that process, or try again');
  }
  if (isDamage(cause)) return error('corrupt', 'the file is damaged; start toolgraph again, which replaces it');
  if (code === 'SQLITE_FULL') return error('full', 'the disk is full; free some space');
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code)) {
    return error('unwritable', 'it cannot be opened for writing; correct the permissions of the file and its folder');
  }
  // SQLite calls it full for ENOSPC alone: a quota and a limit on the size of files (EDQUOT, EFBIG) are other failures to it.
  if (/^SQLITE_IOERR_(WRITE|FSYNC|TRUNCATE|SHMSIZE)$/.test(code)) {
    return error('full', `there is no room to write it; ${roomRemedy}`);
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return error('failed', 'reading or writing it failed; check the disk, which must be a local one with free space');
  }
  return error('failed', 'SQLite refused a statement; this is a fault of toolgraph, report it');
}

/** What to do about the codes of the operating system for which there is something to do (inotify(7), Node's fs.watch). */
const remedies: ReadonlyMap<string, string> = new Map([
  [
    'ENOSPC',
    'the watches of this user are used up; raise fs.inotify.max_user_watches, or end other programs that watch files',
  ],
  [
    'EMFILE',
    'the watchers of this user, or the open files of this process, are used up; raise fs.inotify.max_user_instances or `ulimit -n`, or end other programs that watch files',
  ],
  ['ENFILE', 'the open files of the whole system are used up; raise fs.file-max, or end other programs'],
]);

/** Says why folders are not watched, what to do, and what happens until then. `code` is one of the operating system. */
export function watchFailure(code: string, cause: unknown): Error {
  const why = remedies.get(code) ?? 'the operating system refuses to watch them';
  const message = `the node folders cannot be watched (${code}): ${why}; until then they are looked at every ${unwatchedPollMs / 1000} s`;
  return new Error(message, { cause });
}

/** When events cannot be had, scans are all there is. */
export const unwatchedPollMs = 2_000;

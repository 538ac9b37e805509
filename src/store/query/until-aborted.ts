import { cancelled } from './query-turns.js';

/** Rejects with a QueryError `cancelled` when the signal comes first. The work goes on: it is for those who come next, too. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  work.catch(() => {});
  if (signal.aborted) throw cancelled();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(cancelled());
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

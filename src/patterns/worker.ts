/** The thread in which patterns are analysed: one pattern after the other, each answered in two parts. */
import { parentPort } from 'node:worker_threads';
import { proveArgv } from './argv-proof.js';
import { matchTime } from './time.js';
import type { ArgvVerdict, MatchTime } from './verdict.js';

/** `ready` once, when the libraries are loaded; then `argv` and `time` for each pattern. */
export type WorkerReply =
  | { readonly part: 'ready' }
  | { readonly part: 'argv'; readonly argv: ArgvVerdict }
  | { readonly part: 'time'; readonly time: MatchTime };

parentPort?.on('message', async (pattern: string) => {
  reply({ part: 'argv', argv: await proveArgv(pattern) });
  reply({ part: 'time', time: await matchTime(pattern) });
});

// Loading the libraries takes longer than most patterns and is not counted against the first one.
await proveArgv('^a$');
await matchTime('^a$');
reply({ part: 'ready' });

function reply(message: WorkerReply): void {
  parentPort?.postMessage(message);
}

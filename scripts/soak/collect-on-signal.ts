import { collectedLine } from './collected-line.js';

/**
 * Preloaded into a server that a soak watches, with `--expose-gc`: collects garbage when SIGUSR2 comes, so that what the process then
 * holds is what it needs, and not what the engine has not come to yet. Says on stderr how much of its heap is in use.
 */
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  process.stderr.write(`${collectedLine(process.memoryUsage().heapUsed)}\n`);
});

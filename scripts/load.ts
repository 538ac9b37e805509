import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { judge } from './judged-run.js';
import { loadFigures, renderLoad } from './load/figures.js';
import { load } from './load/run.js';
import { packageRoot } from './package-root.js';

/**
 * `npm run load [-- --clients N] [--seconds N] [--tools N] [--pause MS] [--seed N] [--quick] [--json] [--log FILE]`, on the loopback
 * interface only. Exit codes as `judge` gives them.
 */
const { values } = parseArgs({
  options: {
    clients: { type: 'string' },
    seconds: { type: 'string' },
    tools: { type: 'string', default: '80' },
    /** Mean pause of a client between two acts, in ms. */
    pause: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    /** Only to see that it works. */
    quick: { type: 'boolean', default: false },
    /** Where the stderr of the server is kept. */
    log: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [clients, seconds] = [
  Number(values.clients ?? (values.quick ? 20 : 200)),
  Number(values.seconds ?? (values.quick ? 10 : 120)),
];
const [tools, pauseMs, seed] = [Number(values.tools), Number(values.pause), Number(values.seed)];
const { log } = values;

const isUsable =
  [clients, tools, seed].every(Number.isSafeInteger) && clients > 1 && tools >= 0 && seconds > 0 && pauseMs >= 0;

await judge({
  ...{ what: 'the load', seed, json: values.json },
  needs: { file: '/proc/self/status', words: 'reads memory and descriptors' },
  misuse: isUsable
    ? undefined
    : 'expected whole numbers as --clients (2 or more), --tools and --seed, and numbers as --seconds and --pause',
  run: async () => {
    const outcome = await load({
      cli: join(packageRoot(import.meta.url), 'dist', 'src', 'cli', 'main.js'),
      ...{ seed, clients, tools, pauseMs },
      warmUpMs: (seconds / 2) * 1000,
      forMs: seconds * 1000,
      onFault: (fault) => console.error(fault),
      ...(log === undefined ? {} : { log: (text) => appendFileSync(log, text) }),
    });
    return loadFigures(seed, outcome);
  },
  render: renderLoad,
});

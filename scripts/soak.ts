import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { judge } from './judged-run.js';
import { keepLog } from './kept-log.js';
import { packageRoot } from './package-root.js';
import { renderFigures, soakFigures } from './soak/figures.js';
import { soak } from './soak/run.js';

/** `npm run soak [-- --minutes N] [--bursts N] [--seed N] [--json] [--logs FOLDER]`. Exit codes as `judge` gives them. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    bursts: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    /** Where the stderr of each server is kept. */
    logs: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [minutes, bursts, seed] = [Number(values.minutes), Number(values.bursts), Number(values.seed)];
const isUsable = minutes > 0 && bursts > 0 && Number.isSafeInteger(seed);

await judge({
  ...{ what: 'the soak', seed, json: values.json },
  needs: { file: '/proc/self/status', words: 'reads memory and descriptors' },
  misuse: isUsable ? undefined : 'expected --minutes and --bursts above 0, and a whole number as --seed',
  run: async () => {
    const outcome = await soak({
      cli: join(packageRoot(import.meta.url), 'dist', 'src', 'cli', 'main.js'),
      ...{ seed, forMs: minutes * 60_000, bursts },
      onFault: (fault) => console.error(fault),
      log: (client, text) => keepLog(values.logs, client, text),
    });
    return soakFigures(seed, outcome);
  },
  render: renderFigures,
});

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { judge } from './judged-run.js';
import { keepLog } from './kept-log.js';
import { packageRoot } from './package-root.js';
import { callSoakFigures, renderCallFigures } from './soak-calls/figures.js';
import { soakCalls } from './soak-calls/run.js';

/** `npm run soak:calls [-- --calls N] [--clients N] [--seed N] [--json] [--logs FOLDER]`. Exit codes as `judge` gives them. */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '5000' },
    clients: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    /** Where the stderr of each server is kept. */
    logs: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [calls, clients, seed] = [Number(values.calls), Number(values.clients), Number(values.seed)];
const isUsable = [calls, clients, seed].every(Number.isSafeInteger) && calls > 0 && clients > 0;

await judge({
  ...{ what: 'the soak', seed, json: values.json },
  needs: { file: '/proc/self/environ', words: 'finds processes, and what they hold,' },
  misuse: isUsable
    ? undefined
    : 'expected whole numbers above 0 as --calls and --clients, and a whole number as --seed',
  run: async () => {
    const outcome = await soakCalls({
      cli: join(packageRoot(import.meta.url), 'dist', 'src', 'cli', 'main.js'),
      ...{ seed, calls, clients },
      onFault: (fault) => console.error(fault),
      log: (client, text) => keepLog(values.logs, client, text),
    });
    return callSoakFigures(seed, outcome);
  },
  render: renderCallFigures,
});

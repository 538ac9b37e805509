import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { errorMessage } from '../src/error-message.js';
import { packageRoot } from './package-root.js';
import { callSoakFigures, renderCallFigures } from './soak-calls/figures.js';
import { soakCalls } from './soak-calls/run.js';

/** `npm run soak:calls [-- --calls N] [--clients N] [--seed N] [--json] [--logs FOLDER]`. Exit 1 when anything is wrong, 2 when it cannot run here. */
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

if (!existsSync('/proc/self/environ')) {
  console.error(
    'the soak finds processes, and what they hold, in /proc, which this system does not have; run it on Linux',
  );
  process.exitCode = 2;
} else if (!([calls, clients, seed].every(Number.isSafeInteger) && calls > 0 && clients > 0)) {
  console.error('expected whole numbers above 0 as --calls and --clients, and a whole number as --seed');
  process.exitCode = 2;
} else {
  try {
    const outcome = await soakCalls({
      cli: join(packageRoot(import.meta.url), 'dist', 'src', 'cli', 'main.js'),
      seed,
      calls,
      clients,
      onFault: (fault) => console.error(fault),
      log: (client, text) => keepLog(values.logs, client, text),
    });
    const figures = callSoakFigures(seed, outcome);
    console.log(values.json ? JSON.stringify(figures, null, 2) : renderCallFigures(figures));
    if (!figures.isRight) process.exitCode = 1;
  } catch (error) {
    console.error(`seed ${seed}: the soak could not go on: ${errorMessage(error)}`);
    process.exitCode = 1;
  }
}

function keepLog(folder: string | undefined, client: string, text: string): void {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${client.replace(' ', '-')}.log`), text);
}

import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { errorMessage } from '../src/error-message.js';
import { packageRoot } from './package-root.js';
import { renderFigures, soakFigures } from './soak/figures.js';
import { soak } from './soak/run.js';

/** `npm run soak [-- --minutes N] [--bursts N] [--seed N] [--json] [--logs FOLDER]`. Exit 1 when anything is wrong, 2 when it cannot run here. */
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

if (!existsSync('/proc/self/status')) {
  console.error('the soak reads memory and descriptors from /proc, which this system does not have; run it on Linux');
  process.exitCode = 2;
} else if (!(minutes > 0 && bursts > 0 && Number.isSafeInteger(seed))) {
  console.error('expected --minutes and --bursts above 0, and a whole number as --seed');
  process.exitCode = 2;
} else {
  try {
    const outcome = await soak({
      cli: join(packageRoot(import.meta.url), 'dist', 'src', 'cli', 'main.js'),
      seed,
      forMs: minutes * 60_000,
      bursts,
      onFault: (fault) => console.error(fault),
      log: (client, text) => keepLog(values.logs, client, text),
    });
    const figures = soakFigures(seed, outcome);
    console.log(values.json ? JSON.stringify(figures, null, 2) : renderFigures(figures));
    if (!figures.isRight) process.exitCode = 1;
  } catch (error) {
    console.error(`seed ${seed}: the soak could not go on: ${errorMessage(error)}`);
    process.exitCode = 1;
  }
}

function keepLog(folder: string | undefined, client: string, text: string): void {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${client.replace(' #', '-')}.log`), text);
}

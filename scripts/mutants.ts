import { parseArgs } from 'node:util';
import { MutantCheckout } from './mutant-checkout.js';
import { type Mutant, mutants } from './mutants-table.js';
import { packageRoot } from './package-root.js';

/** Machines that run this have two cores; the end-to-end tests start processes of their own. */
const parallel = 2;

/** `npm run mutants [-- --only ID]`: tries each mutant; exit 1 when one survives or cannot be tried. */
async function tryMutants(root: string, chosen: readonly Mutant[]): Promise<boolean> {
  const first = MutantCheckout.create(root);
  const others = Array.from({ length: Math.min(parallel, chosen.length) - 1 }, () => MutantCheckout.create(root));
  try {
    const baseline = await first.baseline(chosen);
    const queue = [...chosen];
    const counts = { killed: 0, survived: 0, unusable: 0 };
    const work = async (checkout: MutantCheckout): Promise<void> => {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const result = await checkout.try(mutant, baseline.get(mutant.id) ?? { passed: 0, failed: 0 });
        counts[result.kind]++;
        console.log([result.kind, mutant.id, mutant.file, 'why' in result ? result.why : mutant.test].join('\t'));
      }
    };
    await Promise.all([first, ...others].map(work));
    console.log(`${counts.killed} killed, ${counts.survived} survived, ${counts.unusable} unusable`);
    return counts.killed === chosen.length;
  } finally {
    for (const checkout of [first, ...others]) checkout.remove();
  }
}

const { only } = parseArgs({ options: { only: { type: 'string', multiple: true } } }).values;
const chosen = only === undefined ? mutants : mutants.filter(({ id }) => only.includes(id));
if (chosen.length === 0) {
  console.error(`no mutant has the id ${only?.join(', ')}; there are: ${mutants.map(({ id }) => id).join(', ')}`);
  process.exitCode = 2;
} else if (!(await tryMutants(packageRoot(import.meta.url), chosen))) {
  process.exitCode = 1;
}

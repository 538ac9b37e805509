import type { Command } from 'commander';
import { untilInterrupted } from './interruption.js';
import { outputOf } from './terminal.js';

export function addDiff(program: Command): void {
  program
    .command('diff')
    .summary('tell what changed of the tools, and whether it breaks callers')
    .description(
      'Compares the tools of two git revisions of the instance, or of one with the folder as it is now, or of two generations by their numbers, and tells of each that was added, removed or changed whether that breaks callers. Exits 1 where something breaks, or where that could not be decided. docs/diff.md tells more.',
    )
    .usage('[options] [A] [B] [DIR]')
    .argument('[A]', 'before: a git revision (default: HEAD), or the number of a generation')
    .argument('[B]', 'after: as A (default: the folder as it is now)')
    .argument('[DIR]', 'the instance (default: the current directory)')
    .option('--json', 'print JSON')
    .action((_a, _b, _dir, options: { json?: true }, command: Command) => diff(command.args, options));
}

async function diff(operands: readonly string[], options: { json?: true }): Promise<void> {
  const { readOperands } = await import('./diff-operands.js');
  const { revisions, root } = readOperands(operands);
  const { compareOffers } = await import('../check/compatibility/compare.js');
  const { withPatternAnswers } = await import('./pattern-rounds.js');
  const { isGeneration, readGenerations, readRevisions } = await import('./diff-sides.js');
  const { isBreaking, printDiff, printDiffJson } = await import('./print/diff.js');
  const [a = 'HEAD', b] = revisions;
  await untilInterrupted(async (signal) => {
    const { before, after } = await (isGeneration(a) ? readGenerations(root, a, b) : readRevisions(root, a, b, signal));
    signal.throwIfAborted();
    const comparison = await withPatternAnswers((patterns) =>
      compareOffers(before.offers.tools, after.offers.tools, patterns),
    );
    const report = { before, after, ...comparison };
    const stdout = outputOf(process.stdout, process.env);
    stdout.lines(options.json ? [printDiffJson(report)] : printDiff(report, stdout));
    if (isBreaking(report)) process.exitCode ??= 1;
  });
}

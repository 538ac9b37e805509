import type { Command } from 'commander';
import { directoryArgument } from './arguments.js';
import { outputOf } from './terminal.js';

export function addReset(program: Command): void {
  program
    .command('reset')
    .summary('drop the derived store')
    .description(
      'Drops the derived store, graph.db, which the next start builds again from the nodes. Records are kept.',
    )
    .addArgument(directoryArgument())
    .action(reset);
}

async function reset(root: string): Promise<void> {
  const [{ openStateFolder }, { resetGraph }] = await Promise.all([
    import('../store/state-folder.js'),
    import('../store/graph-opening.js'),
  ]);
  const removed = resetGraph(openStateFolder(root, process.env).path);
  const words =
    removed.length === 0
      ? 'there was no derived store to remove'
      : `removed ${removed.join(', ')}; the next start builds it again from the nodes`;
  outputOf(process.stderr, process.env).lines([`toolgraph: ${words}. Records are kept.`]);
}

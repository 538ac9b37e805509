import type { Command } from 'commander';
import type { ServedTier } from '../../schemas/tool.js';
import { directoryArgument, tiersOption } from './arguments.js';
import { outputOf } from './terminal.js';

export function addTools(program: Command): void {
  program
    .command('tools')
    .summary('list the tools, views, omissions and problems')
    .description(
      'Lists the tools and views that are served, the omissions with their reasons, and the problems. Exits 1 on problems.',
    )
    .addArgument(directoryArgument())
    .option('--json', 'print JSON')
    .addOption(tiersOption())
    .action(tools);
}

async function tools(root: string, options: { json?: true; tiers?: ServedTier[] }): Promise<void> {
  const { readOnce } = await import('./one-shot.js');
  const { beginLines, printGeneration } = await import('./print/generation.js');
  const { jsonText } = await import('./print/plain.js');
  const { reportServed } = await import('../mcp/generation-report.js');
  const stdout = outputOf(process.stdout, process.env);
  const generation = await readOnce(root, { tiers: options.tiers }, (_, service) => service.loadModules());
  if (options.json) {
    stdout.lines([jsonText(reportServed(generation))]);
  } else {
    stdout.lines(printGeneration(generation, stdout));
    outputOf(process.stderr, process.env).lines(beginLines(generation));
  }
  if (generation.problems.length > 0) process.exitCode = 1;
}

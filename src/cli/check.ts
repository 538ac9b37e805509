import { type Command, Option } from 'commander';
import { directoryArgument } from './arguments.js';
import { outputOf } from './terminal.js';

export function addCheck(program: Command): void {
  program
    .command('check')
    .summary('find what is wrong in the nodes')
    .description(
      'Fails (exit 1) on every problem and on the omissions that a change of the node would cure; warns of the other omissions.',
    )
    .addArgument(directoryArgument())
    .addOption(new Option('--format <format>', 'how to print the findings').choices(['text', 'json']).default('text'))
    .action(checkInstance);
}

async function checkInstance(root: string, options: { format: 'text' | 'json' }): Promise<void> {
  const { readOnce } = await import('./one-shot.js');
  const { check } = await import('../check/check.js');
  const { locateFindings } = await import('../ingest/locate.js');
  const { beginLines } = await import('./print/generation.js');
  const { printFindings, printFindingsJson } = await import('./print/findings.js');
  const stdout = outputOf(process.stdout, process.env);
  const { generation, report } = await readOnce(root, {}, async (_, service) => {
    const examined = await service.examine();
    return { generation: examined.generation, report: check(examined) };
  });
  const findings = locateFindings(report.findings, root);
  const silenced = locateFindings(report.silenced, root);
  if (options.format === 'json') {
    stdout.lines([printFindingsJson({ findings, silenced }, generation)]);
  } else {
    stdout.lines(printFindings({ findings, silenced }, generation, stdout));
    outputOf(process.stderr, process.env).lines(beginLines(generation));
  }
  if (findings.some(({ severity }) => severity === 'error')) process.exitCode = 1;
}

import { type Command, Option } from 'commander';
import type { CheckReport } from '../check/check.js';
import type { Generation } from '../projection/generation.js';
import { directoryArgument } from './arguments.js';
import { type Output, outputOf } from './terminal.js';

const formats = ['text', 'json', 'sarif', 'github'] as const;
type Format = (typeof formats)[number];

export function addCheck(program: Command): void {
  program
    .command('check')
    .summary('find what is wrong in the nodes')
    .description(
      'Fails (exit 1) on every finding that is an error: on every problem, on the omissions that a change of the node would cure, and on ' +
        'what the rules of docs/rules.md call one. The config sets how severe a rule counts, with a reason where it is silenced.',
    )
    .addArgument(directoryArgument())
    .addOption(new Option('--format <format>', 'how to print the findings').choices(formats).default('text'))
    .action(checkInstance);
}

async function checkInstance(root: string, { format }: { format: Format }): Promise<void> {
  const { readOnce } = await import('./one-shot.js');
  const { check } = await import('../check/check.js');
  const { locateFindings } = await import('../ingest/locate.js');
  const { generation, found } = await readOnce(root, {}, async (_, service) => {
    const examined = await service.examine();
    return { generation: examined.generation, found: check(examined) };
  });
  const report = {
    findings: locateFindings(found.findings, root),
    silenced: locateFindings(found.silenced, root),
  };
  await print(format, report, generation, root);
  if (report.findings.some(({ severity }) => severity === 'error')) process.exitCode = 1;
}

/** Data goes to stdout, and words about it to stderr where the format has no place for them. */
async function print(format: Format, report: CheckReport, generation: Generation, root: string): Promise<void> {
  const stdout = outputOf(process.stdout, process.env);
  const stderr = outputOf(process.stderr, process.env);
  const { beginLines } = await import('./print/generation.js');
  const { printFindings, printFindingsJson, summaryOf } = await import('./print/findings.js');
  switch (format) {
    case 'text':
      stdout.lines(printFindings(report, generation, stdout));
      break;
    case 'json':
      stdout.lines([printFindingsJson(report, generation)]);
      return;
    case 'sarif':
      stdout.lines([await sarif(report, root)]);
      break;
    case 'github':
      await printGithub(report, root, stdout);
      break;
  }
  if (format !== 'text') stderr.lines([summaryOf(report, generation)]);
  stderr.lines(beginLines(generation));
}

async function sarif(report: CheckReport, root: string): Promise<string> {
  const { printFindingsSarif } = await import('./print/findings-sarif.js');
  const { rules } = await import('../check/rule-table.js');
  const { packageVersion } = await import('../version.js');
  return printFindingsSarif(report, { ...(await sourcePlace(root)), rules, version: packageVersion() });
}

async function printGithub(report: CheckReport, root: string, stdout: Output): Promise<void> {
  const { printFindingsGithub } = await import('./print/findings-github.js');
  stdout.lines(printFindingsGithub(report, await sourcePlace(root)));
}

async function sourcePlace(root: string) {
  const { findSourceRoot } = await import('./source-root.js');
  const { realPath } = await import('../instance/containment.js');
  return { root: realPath(root) ?? root, sourceRoot: findSourceRoot(root, process.env) };
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Contract } from '../check/contract/contract.js';
import type { CheckedInstance } from '../check/rule.js';
import type { ServerTarget } from '../mcp/server-list.js';
import { parseDirectory, UsageError } from './arguments.js';
import type { AskedServer } from './contract-report.js';
import { untilInterrupted } from './interruption.js';
import { withPatternAnswers } from './pattern-rounds.js';
import { shortened } from './shortened.js';
import { outputOf } from './terminal.js';

interface ContractOptions {
  readonly url?: URL;
  readonly header: readonly (readonly [string, string])[];
  /** Seconds. */
  readonly timeout: number;
  readonly json?: true;
  readonly requireMcp?: true;
  readonly allowWider?: true;
}

export function addContract(program: Command): void {
  program
    .command('contract')
    .summary('compare the nodes with a running MCP server')
    .description(
      'Compares the tools/list of an MCP server with the nodes, both ways, by what each schema accepts. Exits 1 on drift, and where something could not be checked. docs/contract.md tells more.',
    )
    .usage('[options] [DIR] -- COMMAND...\n       toolgraph contract [options] [DIR] --url URL')
    .argument('[DIR]', 'the instance (default: the current directory)')
    .argument(
      '[COMMAND...]',
      'after "--": the command of a server on stdio; it runs without a shell, with your environment',
    )
    .option('--url <url>', 'ask the streamable HTTP server at this URL', parseUrl)
    .addOption(
      new Option('--header <header>', '"Name: value", sent to the URL; repeatable')
        .argParser(collectHeader)
        .default([], 'none'),
    )
    .addOption(new Option('--timeout <seconds>', 'how long the server may take').argParser(parseSeconds).default(30))
    .option('--json', 'print JSON')
    .option('--require-mcp', 'a node with an mcp arm has to be offered by this server')
    .option('--allow-wider', 'do not fail on what the server has or accepts beyond the nodes')
    .action((_dir: string | undefined, _words: string[], options: ContractOptions, command: Command) =>
      contract(options, command),
    );
}

async function contract(options: ContractOptions, command: Command): Promise<void> {
  const { root, words } = splitOperands(command);
  const target = targetOf(options, words);
  const { readOnce } = await import('./one-shot.js');
  const { contractReport } = await import('./contract-report.js');
  const { maskOf } = await import('../mcp/server-list.js');
  const { createLocator } = await import('../ingest/locate.js');
  const { printContract, printContractJson } = await import('./print/contract.js');
  const instance = await readOnce(root, {}, (_, service) => service.examine());
  const { server, found } = await untilInterrupted((signal) => compare(instance, target, options, signal));
  const mask = maskOf(target);
  const report = contractReport(found, server, {
    allowWider: options.allowWider === true,
    locate: createLocator(root),
    mask: (text) => shortened(mask(text)),
  });
  const stdout = outputOf(process.stdout, process.env);
  if (options.json) stdout.lines([printContractJson(report, instance.generation)]);
  else stdout.lines(printContract(report, stdout));
  if (!report.ok) process.exitCode ??= 1;
}

async function compare(
  instance: CheckedInstance,
  target: ServerTarget,
  { timeout, requireMcp }: ContractOptions,
  signal: AbortSignal,
): Promise<{ readonly server: AskedServer; readonly found: Contract }> {
  const { listServerTools, NoListError } = await import('../mcp/server-list.js');
  const { packageVersion } = await import('../version.js');
  const { noticeLine } = await import('./print/plain.js');
  const { uncheckedContract } = await import('../check/contract/contract.js');
  const asked = target.kind === 'command' ? target.command.file : target.url.origin + target.url.pathname;
  try {
    const listing = await listServerTools(target, {
      timeoutMs: timeout * 1000,
      signal,
      version: packageVersion(),
      onSurvivors: (pids) => outputOf(process.stderr, process.env).lines([noticeLine(survivorWords(pids))]),
    });
    const { compareContract } = await import('../check/contract/contract.js');
    const found = await withPatternAnswers((patterns) =>
      compareContract(instance, listing.tools, { requireMcp: requireMcp === true, patterns }),
    );
    return { server: { asked, listing }, found };
  } catch (error) {
    if (!(error instanceof NoListError)) throw error;
    const found = uncheckedContract(instance, `the server gave no list: ${error.message}`);
    return { server: { asked, error: error.message, stderr: error.stderr }, found };
  }
}

function survivorWords(pids: readonly number[]): string {
  return `the server left processes running that had left its process group: ${pids.join(', ')}; end them where they are not wanted`;
}

/** What stands after "--" is the command, and nothing else is: commander alone does not tell the two apart. */
function splitOperands(command: Command): { readonly root: string; readonly words: readonly string[] } {
  const operands = command.args;
  const at = process.argv.indexOf('--');
  const after = at === -1 ? 0 : process.argv.length - at - 1;
  const before = operands.slice(0, operands.length - after);
  if (before.length > 1) {
    throw new UsageError(`more than one DIR: ${before.join(' ')}; write the command of the server after "--"`);
  }
  return { root: parseDirectory(before[0] ?? '.'), words: operands.slice(before.length) };
}

function targetOf({ url, header }: ContractOptions, [file, ...args]: readonly string[]): ServerTarget {
  if (url !== undefined && file !== undefined) throw new UsageError('--url and a command: one server at a time');
  if (url !== undefined) return { kind: 'url', url, headers: header };
  if (file === undefined || file === '') {
    throw new UsageError('no server: write its command after "--", or its address with --url');
  }
  if (header.length > 0) throw new UsageError('--header is for --url');
  return { kind: 'command', command: { file, args, cwd: process.cwd(), env: process.env } };
}

function parseUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('Expected a URL that begins with http:// or https://.');
  }
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--url: no user or password in it; use --header');
  return url;
}

/** The value may be a secret: no message repeats it. */
function collectHeader(value: string, before: readonly (readonly [string, string])[]): [string, string][] {
  const [, name, content] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \t]*([^\r\n\0]*?)[ \t]*$/.exec(value) ?? [];
  if (name === undefined || content === undefined)
    throw new UsageError('--header: expected "Name: value", on one line');
  return [...before.map(([n, c]): [string, string] => [n, c]), [name, content]];
}

function parseSeconds(value: string): number {
  const seconds = Number(value);
  if (!(seconds > 0 && seconds <= 3600)) throw new InvalidArgumentError('Expected seconds, up to 3600.');
  return seconds;
}

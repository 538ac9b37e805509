import { type Command, InvalidArgumentError } from 'commander';
import { directoryArgument } from './arguments.js';
import { outputOf } from './terminal.js';

interface LogOptions {
  readonly tool?: string;
  readonly json?: true;
  readonly limit: number;
}

export function addLog(program: Command): void {
  program
    .command('log')
    .summary('show the records of calls, newest first')
    .description('Shows the records of calls, newest first, refused calls included. Servers may run meanwhile.')
    .addArgument(directoryArgument())
    .option('--tool <ID>', 'only calls of this tool: its id, IRI or MCP name')
    .option('--limit <N>', 'at most so many', parseLimit, 50)
    .option('--json', 'print JSON: {records, dropped}')
    .action(log);
}

async function log(root: string, { tool, limit, json }: LogOptions): Promise<void> {
  const [{ recordedCalls }, { droppedLine, noCallsLine, printCalls }, { jsonText }] = await Promise.all([
    import('../recorded-calls.js'),
    import('./print/calls.js'),
    import('./print/plain.js'),
  ]);
  const found = await recordedCalls(root, process.env, { limit, ...(tool === undefined ? {} : { tool }) });
  const { records = [], dropped } = found ?? {};
  const stdout = outputOf(process.stdout, process.env);
  const stderr = outputOf(process.stderr, process.env);
  if (json) {
    stdout.lines([jsonText({ records, dropped: dropped ?? null })]);
    return;
  }
  stdout.lines(printCalls(records, stdout));
  if (records.length === 0) stderr.lines([noCallsLine(tool)]);
  if (dropped !== undefined) stderr.lines([droppedLine(dropped)]);
}

function parseLimit(value: string): number {
  const limit = Number(value);
  if (!/^[0-9]+$/.test(value) || !Number.isSafeInteger(limit) || limit === 0) {
    throw new InvalidArgumentError('Expected a whole number, 1 or more.');
  }
  return limit;
}

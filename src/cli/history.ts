import { type Command, InvalidArgumentError } from 'commander';
import { directoryArgument } from './arguments.js';
import { outputOf } from './terminal.js';

interface HistoryOptions {
  readonly json?: true;
  readonly limit: number;
}

export function addHistory(program: Command): void {
  program
    .command('history')
    .summary('tell what a tool was before')
    .description(
      'Tells the revisions of a tool that are kept, newest first: since when, from which document and commit, what is other than in the one before, and which generations had it. Servers may run meanwhile.',
    )
    .argument('<ID>', 'id, IRI or MCP name of the tool')
    .addArgument(directoryArgument())
    .option('--limit <N>', 'at most so many', parseLimit, 50)
    .option('--json', 'print JSON, with the whole node of each revision')
    .action(history);
}

async function history(id: string, root: string, { json, limit }: HistoryOptions): Promise<void> {
  const [{ readRevisions }, { stateFolders }, print, { jsonText, noticeLine }] = await Promise.all([
    import('../store/provenance/revision-reader.js'),
    import('../store/state-folder.js'),
    import('./print/history.js'),
    import('./print/plain.js'),
  ]);
  const found = stateFolders(root, process.env).flatMap((folder) => readRevisions(folder, id, limit) ?? [])[0];
  const { revisions = [], dropped } = found ?? {};
  const stdout = outputOf(process.stdout, process.env);
  const stderr = outputOf(process.stderr, process.env);
  if (json) stdout.lines([jsonText(print.historyJson(revisions, dropped))]);
  else stdout.lines(print.printHistory(revisions, stdout));
  if (dropped !== undefined) stderr.lines([print.droppedHistoryLine(dropped)]);
  if (revisions.length > 0) return;
  const why = found === undefined ? 'this instance has no history yet: it begins when it is served' : unknownWords(id);
  stderr.lines([noticeLine(why)]);
  process.exitCode = 1;
}

function unknownWords(id: string): string {
  return `no revision of ${id} is kept; "toolgraph tools" lists the tools that there are`;
}

function parseLimit(value: string): number {
  const limit = Number(value);
  if (!/^[0-9]+$/.test(value) || !Number.isSafeInteger(limit) || limit === 0) {
    throw new InvalidArgumentError('Expected a whole number, 1 or more.');
  }
  return limit;
}

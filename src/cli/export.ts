import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { type ExportFormat, exportFormats } from '../store/export-format.js';
import { directoryArgument } from './arguments.js';
import { outputOf } from './terminal.js';

export function addExport(program: Command): void {
  program
    .command('export')
    .summary('write the graph to stdout')
    .description(
      'Writes what the documents state, those of included instances too, to stdout: JSON-LD in expanded form, TriG or N-Quads with one ' +
        'graph a document, or Turtle, which has no graphs. As the only document of another instance with the same base, it gives the same ' +
        'tools. What could not be read is not in it: problems are listed on stderr, and the exit code is 1.',
    )
    .addArgument(directoryArgument())
    .addOption(new Option('--format <format>', 'what to write').choices(exportFormats).default('jsonld'))
    .option('--all', "also the service's own graphs: nodes of other vocabularies, described in ours")
    .action(exportGraph);
}

async function exportGraph(
  root: string,
  { format, all = false }: { format: ExportFormat; all?: boolean },
): Promise<void> {
  const { readOnce } = await import('./one-shot.js');
  const { problemLine } = await import('./print/generation.js');
  const [{ noticeLine }, { escapedLines }] = await Promise.all([import('./print/plain.js'), import('../visible.js')]);
  await readOnce(root, {}, async ({ problems }, service) => {
    await write(service.export({ format, all }), process.stdout, (text) => escapedLines(text, format === 'jsonld'));
    if (problems.length === 0) return;
    outputOf(process.stderr, process.env).lines([
      ...problems.map(problemLine),
      noticeLine('what these problems keep from being read is not in the export'),
    ]);
    process.exitCode = 1;
  });
}

/** Piece by piece, each when the reader has taken the one before. A reader that goes away ends it (`surviveBrokenOutput`). */
async function write(
  pieces: Iterable<string> | AsyncIterable<string>,
  stdout: NodeJS.WriteStream,
  atTerminal: (text: string) => string,
): Promise<void> {
  const isTerminal = stdout.isTTY === true;
  for await (const piece of pieces) {
    if (stdout.errored !== null) return;
    if (stdout.write(isTerminal ? atTerminal(piece) : piece)) continue;
    await once(stdout, 'drain').catch(() => {});
  }
}

import type { Command } from 'commander';
import type { OfferedTools } from '../check/compatibility/offered-tool.js';
import { UsageError } from './arguments.js';
import { untilInterrupted } from './interruption.js';
import { outputOf } from './terminal.js';

export function addDiff(program: Command): void {
  program
    .command('diff')
    .summary('tell what changed of the tools, and whether it breaks callers')
    .description(
      'Compares the tools of two git revisions of the instance, or of one with the folder as it is now, and tells of each that was added, removed or changed whether that breaks callers. Exits 1 where something breaks, or where that could not be decided. docs/diff.md tells more.',
    )
    .usage('[options] [A] [B] [DIR]')
    .argument('[A]', 'before: a git revision (default: HEAD)')
    .argument('[B]', 'after: a git revision (default: the folder as it is now)')
    .argument('[DIR]', 'the instance (default: the current directory)')
    .option('--json', 'print JSON')
    .action((_a, _b, _dir, options: { json?: true }, command: Command) => diff(command.args, options));
}

/** One of the two states that are compared. */
export interface DiffSide {
  readonly kind: 'revision' | 'folder';
  /** As it was asked for. */
  readonly name: string;
  readonly commit?: string;
  readonly subject?: string;
  readonly offers: OfferedTools;
}

async function diff(operands: readonly string[], options: { json?: true }): Promise<void> {
  const { readOperands } = await import('./diff-operands.js');
  const { revisions, root } = readOperands(operands);
  const { compareOffers } = await import('../check/compatibility/compare.js');
  const { withPatternAnswers } = await import('./pattern-rounds.js');
  const { isBreaking, printDiff, printDiffJson } = await import('./print/diff.js');
  const [a = 'HEAD', b] = revisions;
  await untilInterrupted(async (signal) => {
    const before = await readRevision(root, a, signal);
    const after = b === undefined ? await readFolder(root) : await readRevision(root, b, signal);
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

async function readFolder(root: string): Promise<DiffSide> {
  const { readOnce } = await import('./one-shot.js');
  const { offeredTools } = await import('../check/compatibility/offered-tool.js');
  const offers = await readOnce(root, {}, async (_, service) => offeredTools(await service.examine()));
  return { kind: 'folder', name: 'the folder as it is now', offers };
}

async function readRevision(root: string, name: string, signal: AbortSignal): Promise<DiffSide> {
  const { GitError } = await import('../instance/git.js');
  const { findRepository } = await import('../instance/git-tree.js');
  const { writeRevision } = await import('./revision-folder.js');
  const { noticeLine } = await import('./print/plain.js');
  const folder = await findRepository(root)
    .then((place) => writeRevision(place, name))
    .catch((error: unknown) => {
      if (error instanceof GitError) throw new UsageError(`${name}: ${error.message}`);
      throw error;
    });
  try {
    signal.throwIfAborted();
    const notices = folder.outside.map((path) => `${name}: "${path}" is not in it, and is taken as it is now`);
    if (!folder.isInstance) notices.push(`${name}: there is no toolgraph.config.json and no graph/ in it, so no tool`);
    outputOf(process.stderr, process.env).lines(notices.map(noticeLine));
    const { commit, subject } = folder;
    const offers = folder.isInstance ? await examineQuietly(folder.root) : { tools: [], problems: [] };
    return { kind: 'revision', name, commit, subject, offers };
  } finally {
    await folder.remove();
  }
}

/** What is wrong with a folder of another commit, its problems say; nothing else of it concerns anybody. */
async function examineQuietly(root: string): Promise<OfferedTools> {
  const { createService } = await import('../service.js');
  const { offeredTools } = await import('../check/compatibility/offered-tool.js');
  const service = createService({ root, watch: false });
  try {
    return offeredTools(await service.examine());
  } finally {
    await service.close();
  }
}

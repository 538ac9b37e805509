import type { OfferedTools } from '../check/compatibility/offered-tool.js';
import { UsageError } from './arguments.js';
import { outputOf } from './terminal.js';

/** One of the two states that are compared. */
export interface DiffSide {
  readonly kind: 'revision' | 'folder' | 'generation';
  /** As it was asked for. */
  readonly name: string;
  readonly commit?: string;
  readonly subject?: string;
  /** When the generation was made: ISO 8601, in UTC. */
  readonly at?: string;
  readonly offers: OfferedTools;
}

export interface DiffSides {
  readonly before: DiffSide;
  readonly after: DiffSide;
}

/** Whether an operand is the number of a generation; git takes no fewer than four digits for a commit. */
export function isGeneration(operand: string): boolean {
  return /^[0-9]{1,9}$/.test(operand);
}

/** Two git revisions, or one and the folder as it is now. Throws a UsageError. */
export async function readRevisions(
  root: string,
  a: string,
  b: string | undefined,
  signal: AbortSignal,
): Promise<DiffSides> {
  if (b !== undefined && isGeneration(b))
    throw new UsageError(`a git revision (${a}) and a generation (${b}) are not compared`);
  const before = await readRevision(root, a, signal);
  return { before, after: b === undefined ? await readFolder(root) : await readRevision(root, b, signal) };
}

/**
 * Two generations of the sequence that a service with the options of the config has, or one and the generation of the folder as it is now.
 * Throws a UsageError.
 */
export async function readGenerations(root: string, a: string, b: string | undefined): Promise<DiffSides> {
  if (b !== undefined && !isGeneration(b))
    throw new UsageError(`a generation (${a}) and a git revision (${b}) are not compared`);
  const { readOnce } = await import('./one-shot.js');
  const { keptOffers } = await import('../check/compatibility/kept-offers.js');
  const { stateFolders } = await import('../store/state-folder.js');
  const { readGeneration } = await import('../store/provenance/generation-reader.js');
  return readOnce(root, {}, async (_, service) => {
    const { generation, members } = await service.examine();
    const side = (number: number): DiffSide => {
      const found = stateFolders(root, process.env).flatMap(
        (folder) => readGeneration(folder, generation.key, number) ?? [],
      )[0];
      if (found === undefined)
        throw new UsageError('no generation is kept yet: the history begins when the instance is served');
      if (!('parts' in found))
        throw new UsageError(`no generation ${number} is kept; there are ${found.first} to ${found.last}`);
      const offers = { tools: keptOffers(found.parts, members), problems: [] };
      return { kind: 'generation', name: `generation ${number}`, at: found.at, offers };
    };
    return { before: side(Number(a)), after: side(b === undefined ? generation.number : Number(b)) };
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
    for (const path of folder.submodules)
      notices.push(`${name}: "${path}" is a submodule, and no document in it is read`);
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

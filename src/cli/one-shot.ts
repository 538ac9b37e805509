import type { ServedTier } from '../../schemas/tool.js';
import type { Generation } from '../projection/generation.js';
import type { Service } from '../service.js';
import { UsageError } from './arguments.js';
import { noticeLine } from './print/plain.js';
import { createProgress } from './progress.js';
import { outputOf } from './terminal.js';

/**
 * Reads the instance once, lets `use` work with it, and closes it whatever happens. Throws a UsageError where there is no instance: nothing is
 * made there.
 */
export async function readOnce<T>(
  root: string,
  overrides: { readonly tiers?: ServedTier[] },
  use: (generation: Generation, service: Service) => T | Promise<T>,
): Promise<T> {
  const { strayFolderWords } = await import('./stray-folder.js');
  const stray = strayFolderWords(root);
  if (stray !== undefined) throw new UsageError(stray);
  const { createService } = await import('../service.js');
  const stderr = outputOf(process.stderr, process.env);
  const progress = createProgress(stderr);
  const service = createService({
    root,
    overrides,
    watch: false,
    onIngestProgress: progress.update,
    onNotice: (notice) => stderr.lines([noticeLine(notice)]),
  });
  try {
    const generation = await service.ready;
    progress.end();
    return await use(generation, service);
  } finally {
    progress.end();
    await service.close();
  }
}

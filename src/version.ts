import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The version in package.json, found by the package's own name: the same from the source tree and from `dist`. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('toolgraph/package.json') as { version: string };
  return version;
}

/**
 * Names all that decides what a document becomes: this build, and what `settings` holds. Stored work of another key is done again.
 * The file time stands for the build, so that a developer's rebuild does not meet what older code derived.
 */
export function ingestKey(settings: unknown): string {
  const built = statSync(fileURLToPath(import.meta.url)).mtimeMs;
  return createHash('sha256')
    .update(JSON.stringify([packageVersion(), built, settings]))
    .digest('hex');
}

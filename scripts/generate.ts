import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readStoredResult } from './bench/stored-result.js';
import { generatedFiles } from './generated-files.js';
import { packageRoot } from './package-root.js';

/** `npm run generate` writes every generated file that is not fresh; with `--check` it writes nothing, names each, and exits 1. */
function generate(root: string, check: boolean): number {
  const stale = [...generatedFiles(readStoredResult(root))].filter(
    ([path, content]) => contentOf(join(root, path)) !== content,
  );
  if (check) {
    for (const [path] of stale) console.error(`${path} is stale; run: npm run build && npm run generate`);
    return stale.length === 0 ? 0 : 1;
  }
  for (const [path, content] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    console.error(`wrote ${path}`);
  }
  return 0;
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

process.exitCode = generate(packageRoot(import.meta.url), process.argv.includes('--check'));

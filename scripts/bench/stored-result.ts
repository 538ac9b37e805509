import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchResult, BenchResultSchema } from './result.js';

/** The committed result, `docs/performance.json`. Throws when it is absent or of another shape. */
export function readStoredResult(root: string): BenchResult {
  return BenchResultSchema.parse(JSON.parse(readFileSync(join(root, 'docs', 'performance.json'), 'utf8')));
}

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWithin, realPath } from '../instance/containment.js';

/**
 * The folder from which hosts of code name files: the workspace of a GitHub workflow, else the repository that holds the instance,
 * else the instance itself. Absolute and without links.
 */
export function findSourceRoot(root: string, env: NodeJS.ProcessEnv): string {
  const real = realPath(root) ?? root;
  const workspace = env.GITHUB_WORKSPACE === undefined ? undefined : realPath(env.GITHUB_WORKSPACE);
  if (workspace !== undefined && isWithin(workspace, real)) return workspace;
  for (let folder = real; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return real;
  }
}

import { configFileName } from '../../schemas/config.js';
import { isUnder } from '../instance/containment.js';

/**
 * Names that editors, version control and package managers use for what is no document (cases.md W16): dotfiles, swap
 * and backup files, vim's probe `4913`, Emacs' `#x#`, `node_modules`; `.toolgraph` is among the dotfiles.
 */
export function isIgnoredName(name: string): boolean {
  return (
    name.startsWith('.') ||
    name.endsWith('~') ||
    /\.(tmp|swp)$/i.test(name) ||
    /^#.*#$/s.test(name) ||
    name === '4913' ||
    name === 'node_modules'
  );
}

/** Decides for paths relative to the instance. */
export interface IgnoreRules {
  /** Whether the config names this path, or a folder that holds it; the config file itself is no document either. */
  isListed(path: string): boolean;
  /** Whether a path in the node folder `folder` is ignored, by the config or by a name between the folder and it. */
  isIgnored(folder: string, path: string): boolean;
}

/** `listed` is the config's `ignore`: paths of files or folders in the form `a/b`. There are no globs. */
export function ignoreRules(listed: readonly string[]): IgnoreRules {
  const paths = new Set([configFileName, ...listed]);
  const isListed = (path: string): boolean => isUnder(paths, path);
  return {
    isListed,
    isIgnored: (folder, path) =>
      isListed(path) ||
      path
        .slice(folder === '.' ? 0 : folder.length)
        .split('/')
        .some(isIgnoredName),
  };
}

import { configFileName } from '../../schemas/config.js';

/** What an extension of a file name means to a scan. */
export type ExtensionUse = 'json' | 'text' | 'later';

/** One row for each extension. `json` must parse before a young file is taken; `later` is reported, not read. */
const extensions: ReadonlyMap<string, ExtensionUse> = new Map([
  ['.json', 'json'],
  ['.jsonld', 'json'],
  ['.md', 'text'],
  ['.yaml', 'later'],
  ['.yml', 'later'],
  ['.ttl', 'later'],
  ['.trig', 'later'],
  ['.nt', 'later'],
  ['.nq', 'later'],
]);

/** What a file with this name is; undefined: no document, left alone without a word. */
export function extensionUse(path: string): ExtensionUse | undefined {
  const dot = path.lastIndexOf('.');
  return dot <= path.lastIndexOf('/') ? undefined : extensions.get(path.slice(dot).toLowerCase());
}

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
  const isListed = (path: string): boolean => {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      if (paths.has(path.slice(0, end))) return true;
    }
    return paths.has('.');
  };
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

/** Whether `path` is the folder `folder` or lies in it; both relative to the instance, `.` is the instance itself. */
export function isInFolder(folder: string, path: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { configFileName } from '../../schemas/config.js';
import { shellWord } from './shell-word.js';

/**
 * What to say of a folder in which toolgraph has nothing to read and has never been: which instance may be meant, and how one is made.
 * Undefined of an instance, and of one that has lost its nodes but has its state.
 */
export function strayFolderWords(root: string): string | undefined {
  if (['.toolgraph', ...signs].some((name) => existsSync(join(root, name)))) return undefined;
  const nothing = `${root} is no instance: it has no ${signs.join(' and no ')}/`;
  const above = instanceAbove(root);
  if (above !== undefined)
    return `${nothing}. An instance above it is ${above}: run toolgraph there, or give it as DIR`;
  return `${nothing}. "toolgraph init ${shellWord(relative(process.cwd(), root) || '.')}" makes one`;
}

const signs = [configFileName, 'graph'];

function instanceAbove(folder: string): string | undefined {
  const parent = dirname(folder);
  if (parent === folder) return undefined;
  return signs.some((name) => existsSync(join(parent, name))) ? parent : instanceAbove(parent);
}

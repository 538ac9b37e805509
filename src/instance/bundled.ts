import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ConfigOverrides } from './config.js';

/** Begins the name of an instance that comes with toolgraph, in place of the path of a folder. */
export const bundledScheme = 'toolgraph:';

/** An instance that comes with toolgraph: a folder of nodes of the package, whose config is this. */
export interface BundledInstance {
  /** Absolute. */
  readonly root: string;
  readonly config: ConfigOverrides;
}

/** By its name what the folder holds. */
const kinds = { views: 'views', 'query-tools': 'tools' } as const;
const folders = Object.keys(kinds) as (keyof typeof kinds)[];

/** The bundled instance that a config names; a sentence for the person who wrote it where there is none of this name. */
export function findBundled(path: string): BundledInstance | { readonly problem: string } {
  const name = folders.find((folder) => path === bundledScheme + folder);
  if (name === undefined) {
    const known = folders.map((folder) => `"${bundledScheme}${folder}"`).join(' and ');
    return { problem: `there is no "${path}"; toolgraph has ${known}, and a folder of this name is "./${path}"` };
  }
  const base = `https://w3id.org/toolgraph/${name}/`;
  const config = { name: `toolgraph-${name}`, base, folders: [{ path: '.', kind: kinds[name] }] };
  return { root: join(packageFolder(), 'graph', name), config };
}

/** Found by the package's own name: the same from the source tree and from `dist`. */
function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('toolgraph/package.json'));
}

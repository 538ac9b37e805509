import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * The parser of YAML, loaded by the first call: most starts have no front matter to read and no place to look up (DESIGN
 * decision 17). Not `import()`, because its callers answer synchronously.
 */
export function yaml(): typeof import('yaml') {
  return require('yaml') as typeof import('yaml');
}

import { createRequire } from 'node:module';

/** The version in package.json, found by the package's own name: the same from the source tree and from `dist`. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('toolgraph/package.json') as { version: string };
  return version;
}

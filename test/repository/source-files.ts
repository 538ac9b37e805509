import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Text of every TypeScript file of the project in these folders, by its path from the package root with `/`. */
export function sourceFiles(...folders: readonly string[]): ReadonlyMap<string, string> {
  const paths = folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.ts') && !path.includes('/node_modules/')),
  );
  return new Map(paths.sort().map((path) => [path, readFileSync(`${root}${path}`, 'utf8')]));
}

/** A file of the project as text. */
export function projectFile(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8');
}

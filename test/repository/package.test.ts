import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scanImports } from './import-scan.js';
import { projectFile } from './source-files.js';

const { dependencies, types, files } = JSON.parse(projectFile('package.json')) as {
  dependencies: Record<string, string>;
  types: string;
  files: string[];
};

/** The declarations that a library user's compiler reads: text by path. */
const declarations = reachable(posix.normalize(types));

describe('The published types', () => {
  it('are more than the entry, and are all in the package', () => {
    const paths = [...declarations.keys()];
    expect(paths).toEqual(expect.arrayContaining(['dist/src/service.d.ts', 'dist/schemas/tool.d.ts']));
    expect(paths.filter((path) => !files.some((folder) => path.startsWith(`${folder}/`)))).toEqual([]);
  });

  it('name only packages that are installed with toolgraph', () => {
    const strangers = [...declarations].flatMap(([path, text]) =>
      packagesIn(text).flatMap((name) => (Object.hasOwn(dependencies, name) ? [] : [`${path}: ${name}`])),
    );
    expect(strangers).toEqual([]);
  });

  it('need no types of Node, which a user may not have', () => {
    const found = [...declarations].filter(([, text]) => /\bNodeJS\.|\bBuffer\b|<reference /.test(text));
    expect(found.map(([path]) => path)).toEqual([]);
  });
});

function reachable(entry: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const queue = [entry];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue;
    const text = projectFile(path);
    found.set(path, text);
    for (const specifier of specifiersIn(text)) {
      if (specifier.startsWith('.')) queue.push(posix.join(posix.dirname(path), specifier.replace(/\.js$/, '.d.ts')));
    }
  }
  return found;
}

function packagesIn(text: string): string[] {
  const outside = specifiersIn(text).filter((specifier) => !specifier.startsWith('.'));
  return [...new Set(outside.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')))];
}

function specifiersIn(text: string): string[] {
  return scanImports(text).flatMap(({ specifier }) => specifier ?? []);
}

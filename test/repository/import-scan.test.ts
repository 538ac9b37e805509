import { describe, expect, it } from 'vitest';
import { scanImports } from './import-scan.js';

describe('The scan of imports', () => {
  it.each([
    ["import 'a';", 'a', false],
    ["import a from 'a';", 'a', false],
    ["import a, { type B } from 'a';", 'a', false],
    ["import * as a from 'a';", 'a', false],
    ["import {\n  a,\n  b,\n} from 'a';", 'a', false],
    ["import type { A } from 'a';", 'a', true],
    ["import type A from 'a';", 'a', true],
    ["import type from 'a';", 'a', false],
    ["export { a } from 'a';", 'a', false],
    ["export * from 'a';", 'a', false],
    ["export * as a from 'a';", 'a', false],
    ["export type { A } from 'a';", 'a', true],
    ["const a = await import('a');", 'a', false],
    ['const a = await import(`a`);', 'a', false],
    [`const a = \`x \${(await import("a")).b} y\`;`, 'a', false],
    ["const load = createRequire(import.meta.url);\nload('a');", 'a', false],
    ["const load = createRequire(import.meta.url);\nload.resolve('a');", 'a', false],
    ["createRequire(import.meta.url)('a');", 'a', false],
    ["createRequire(import.meta.url).resolve('a');", 'a', false],
    ["require('a');", 'a', false],
  ])('finds %j', (source, specifier, typeOnly) => {
    const line = source.slice(0, source.search(/['"`]a['"`]/)).split('\n').length;
    expect(scanImports(source)).toEqual([{ specifier, line, typeOnly }]);
  });

  it.each(['await import(name);', "await import('a' + b);", `await import(\`a/\${b}\`);`, 'require(name);'])(
    'finds that the name is computed in %j',
    (source) => {
      expect(scanImports(source)).toEqual([{ specifier: undefined, line: 1, typeOnly: false }]);
    },
  );

  it.each([
    "// import 'a';",
    "/* import 'a'; */",
    'const a = "import \'a\'";',
    `const a = \`import 'a' from \${b} import 'c'\`;`,
    "const a = /import 'a'/;",
    "const a = [/'/, /[/'\"]/];",
    'export const from = 1;',
    "export { a };\nconst from = 'a';",
    'const { url } = import.meta;',
    "a.import('a');",
    "a.require('a');",
    "const a = { import: 'a' };",
  ])('is not misled by %j', (source) => {
    expect(scanImports(source)).toEqual([]);
  });

  it('goes on after a template, a division and a regular expression', () => {
    const source = `const a = \`\${b}\${{ c: \`\${d}\` }.c}'\`;\nconst e = 1 / 2 / (3) / 4;\nconst f = /'/u;\nimport 'g';`;
    expect(scanImports(source)).toEqual([{ specifier: 'g', line: 4, typeOnly: false }]);
  });
});

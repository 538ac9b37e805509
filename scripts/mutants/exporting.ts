import type { Mutant } from '../mutants-table.js';

/** What `export` and `init` write. */
export const exportingMutants: readonly Mutant[] = [
  {
    id: 'export prefix',
    file: 'src/store/write-rdf.ts',
    find: 'filter(([name]) => !schemes.has(name))',
    replace: 'filter(([name]) => name !== "")',
    test: 'test/store/write-rdf.test.ts',
    name: 'leaves out a prefix that is the scheme of an IRI',
  },
  {
    id: 'export once',
    file: 'src/store/quad-order.ts',
    find: 'return previous === undefined || compareTriples(previous, quad) !== 0;',
    replace: 'return previous !== quad;',
    test: 'test/store/write-rdf.test.ts',
    name: 'keeps each triple of several graphs once in Turtle',
  },
  {
    id: 'export JSON literal',
    file: 'src/store/write-jsonld.ts',
    find: "{ '@value': value } : { '@value': value, '@type': datatype.value };",
    replace: "{ '@value': value } : { '@value': value, '@type': datatype.value.replace(rdf.JSON, '@json') };",
    test: 'test/store/write-jsonld.test.ts',
    name: 'keeps the spelling of a JSON literal',
  },
  {
    id: 'export exit',
    file: 'src/cli/export.ts',
    find: 'process.exitCode = 1;',
    replace: 'process.exitCode = 0;',
    test: 'test/cli/export.test.ts',
    name: 'writes what could be read, lists the problems on stderr, and exits 1',
  },
  {
    id: 'init undo',
    file: 'src/cli/new-files.ts',
    find: 'undo.push(() => unlinkSync(path));',
    replace: 'undo.push(() => void unlinkSync);',
    test: 'test/cli/init.test.ts',
    name: 'removes what it has written when a later file cannot be',
  },
  {
    id: 'init overwrite',
    file: 'src/cli/new-files.ts',
    find: 'return succeeds(() => lstatSync(path));',
    replace: 'return succeeds(() => lstatSync(path)) && existsSync(path);',
    test: 'test/cli/init.test.ts',
    name: 'takes a link that leads nowhere for a file that is there',
  },
];

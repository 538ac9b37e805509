import type { Mutant } from '../mutants-table.js';

/** Faults of the SHACL shapes: that they and Zod give one verdict. */
export const shapeMutants: readonly Mutant[] = [
  {
    id: 'SHACL required',
    file: 'scripts/shacl-shapes.ts',
    find: 'required.includes(row.key)',
    replace: "row.key === 'title'",
    test: 'test/scripts/shacl-agreement.test.ts',
    name: 'on Tools and skills with a key left out',
  },
  {
    id: 'SHACL alternatives',
    file: 'scripts/shacl-shapes.ts',
    find: "if (fragment === undefined) return [property([pathOf(row), ['sh:maxCount', '0']])];",
    replace: 'if (fragment === undefined) return [];',
    test: 'test/scripts/shacl-agreement.test.ts',
    name: 'on Tools and skills with a value that is wrong',
  },
  {
    id: 'SHACL list',
    file: 'scripts/shacl-shapes.ts',
    find: 'sh:hasValue rdf:nil ;',
    replace: '',
    test: 'test/scripts/shacl-agreement.test.ts',
    name: 'on a list that comes back to itself',
  },
];

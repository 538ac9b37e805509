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
  {
    id: 'vocabulary domain',
    file: 'scripts/ontology.ts',
    find: 'return domain.length === 1 ? { iri: only } : { unionOf: domain };',
    replace: 'return { iri: only };',
    test: 'test/scripts/ontology.test.ts',
    name: 'gives a property of several classes the union of these',
  },
  {
    id: 'vocabulary JSON-LD',
    file: 'scripts/ontology-files.ts',
    find: "return { '@value': value.english, '@language': 'en' };",
    replace: "return { '@value': value.english };",
    test: 'test/scripts/ontology.test.ts',
    name: 'says the same in Turtle and in JSON-LD',
  },
  {
    id: 'vocabulary range',
    file: 'scripts/ontology.ts',
    find: 'return rdf.JSON;',
    replace: 'return RDF;',
    test: 'test/scripts/ontology.test.ts',
    name: 'gives each value of a Tool the range that it has',
  },
];

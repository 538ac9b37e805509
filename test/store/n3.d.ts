/** The part of n3 that these tests use; the package has no types of its own. */
declare module 'n3' {
  import type { DatasetCore, DataFactory as Factory, Quad, Term } from '@rdfjs/types';

  export const DataFactory: Omit<Factory<Quad>, 'literal' | 'defaultGraph' | 'variable'> & {
    literal(
      value: string | number,
      languageOrDatatype?: string | import('@rdfjs/types').NamedNode,
    ): import('@rdfjs/types').Literal;
    defaultGraph(): import('@rdfjs/types').DefaultGraph;
    variable(name: string): import('@rdfjs/types').Variable;
  };

  export class Store implements Iterable<Quad> {
    constructor(quads?: readonly Quad[]);
    match(subject?: Term | null, predicate?: Term | null, object?: Term | null, graph?: Term | null): DatasetCore<Quad>;
    [Symbol.iterator](): Iterator<Quad>;
  }
}

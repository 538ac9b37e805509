/** The part of n3 that is used here; the package has no types of its own. */
declare module 'n3' {
  import type {
    DatasetCore,
    DefaultGraph,
    DataFactory as Factory,
    Literal,
    NamedNode,
    Quad,
    Term,
    Variable,
  } from '@rdfjs/types';

  export const DataFactory: Omit<Factory<Quad>, 'literal' | 'defaultGraph' | 'variable'> & {
    literal(value: string | number, languageOrDatatype?: string | NamedNode): Literal;
    defaultGraph(): DefaultGraph;
    variable(name: string): Variable;
  };

  export class Store implements Iterable<Quad> {
    constructor(quads?: readonly Quad[]);
    match(subject?: Term | null, predicate?: Term | null, object?: Term | null, graph?: Term | null): DatasetCore<Quad>;
    [Symbol.iterator](): Iterator<Quad>;
  }

  export interface ParserOptions {
    readonly format?: string;
    readonly baseIRI?: string;
    readonly blankNodePrefix?: string;
  }

  export class Parser {
    constructor(options?: ParserOptions);
    /** Throws at the first syntax error; `context.line` of the error counts from 1. */
    parse(text: string): Quad[];
  }

  export interface WriterOptions {
    readonly format?: string;
    readonly prefixes?: Readonly<Record<string, string>>;
  }

  export class Writer {
    constructor(options?: WriterOptions);
    addQuad(quad: Quad): void;
    addQuads(quads: readonly Quad[]): void;
    end(done: (error: Error | null, text: string) => void): void;
  }
}

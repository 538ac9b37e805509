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
    addQuads(quads: readonly Quad[]): void;
    getQuads(subject?: Term | null, predicate?: Term | null, object?: Term | null, graph?: Term | null): Quad[];
    match(subject?: Term | null, predicate?: Term | null, object?: Term | null, graph?: Term | null): DatasetCore<Quad>;
    [Symbol.iterator](): Iterator<Quad>;
  }

  export interface ParserOptions {
    readonly format?: string;
    readonly baseIRI?: string;
    readonly blankNodePrefix?: string;
  }

  /** One word or sign. Lines count from 1, `start` and `end` (of the last line, `endLine`) in UTF-16 code units from 0. */
  export interface ParserToken {
    readonly type: string;
    readonly value: string;
    readonly prefix: string;
    readonly line: number;
    readonly start: number;
    readonly end: number;
    readonly endLine?: number;
  }

  export interface ParserCallbacks {
    /** Before the parser takes the token. What it throws comes out of where the parser is fed. */
    readonly onToken?: (token: ParserToken) => void;
    /** Each quad, then null; or the first error, whose `context` has the place. */
    readonly onQuad?: (error: Error | null, quad: Quad | null) => void;
  }

  export class Parser {
    constructor(options?: ParserOptions);
    /** Throws at the first syntax error; `context.line` of the error counts from 1. */
    parse(text: string): Quad[];
    /** Parses what the emitter gives in `data` events, within each of them, up to its `end`. */
    parse(source: import('node:events').EventEmitter, callbacks: ParserCallbacks): void;
  }

  export interface WriterOptions {
    readonly format?: string;
    readonly prefixes?: Readonly<Record<string, string>>;
  }

  /** What a writer writes into. It calls `done`, where there is one, when it has taken the text. */
  export interface WriterOutput {
    write(text: string, encoding: string, done?: () => void): void;
    end(done?: () => void): void;
  }

  export class Writer {
    constructor(options?: WriterOptions);
    constructor(output: WriterOutput, options?: WriterOptions);
    addQuad(quad: Quad): void;
    /** Without a graph: the default graph. */
    addQuad(subject: Quad['subject'], predicate: Quad['predicate'], object: Quad['object']): void;
    addQuads(quads: readonly Quad[]): void;
    end(done?: (error: Error | null, text: string) => void): void;
  }
}

import { EventEmitter } from 'node:events';
import type { Quad } from '@rdfjs/types';
import type { ParserToken } from 'n3';

/** The RDF 1.1 text formats, each in its strict form. */
export type RdfFormat = 'turtle' | 'trig' | 'ntriples' | 'nquads';

/** The quads of a text, in its order, or the first thing that is wrong with it. Line and column count from 1. */
export type RdfText = { readonly quads: readonly Quad[] } | RdfFault;

export interface RdfFault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

const formats: Readonly<Record<RdfFormat, { readonly name: string; readonly mediaType: string }>> = {
  turtle: { name: 'Turtle', mediaType: 'text/turtle' },
  trig: { name: 'TriG', mediaType: 'application/trig' },
  ntriples: { name: 'N-Triples', mediaType: 'application/n-triples' },
  nquads: { name: 'N-Quads', mediaType: 'application/n-quads' },
};

/** Loaded when a document first needs it (DESIGN decision 17). */
let n3: typeof import('n3') | undefined;

/**
 * Parses RDF 1.1 without a base: an IRI that is relative, and is not made absolute by a `@base` of the text, is a fault, and
 * so is what only RDF 1.2 has. `maxDepth` bounds how deeply `[ ]`, `( )` and `{ }` are nested in each other.
 */
export async function readRdf(text: string, format: RdfFormat, maxDepth: number): Promise<RdfText> {
  n3 ??= await import('n3');
  const { name, mediaType } = formats[format];
  const quads: Quad[] = [];
  const check = new TokenCheck(maxDepth, name);
  // A parser that is fed ends at the first fault, and keeps no tokens: from a string it would make all of them first.
  const source = new EventEmitter();
  try {
    new n3.Parser({ format: mediaType }).parse(source, {
      onToken: (token) => check.next(token),
      onQuad: (error, quad) => {
        if (error !== null) throw error;
        if (quad !== null) quads.push(quad);
      },
    });
    source.emit('data', text);
    source.emit('end');
    return { quads };
  } catch (error) {
    if (error instanceof RdfRefusal) return error.fault;
    if (error instanceof Error && 'context' in error) return explain(error, error.context as ErrorContext, text, name);
    throw error;
  }
}

/** Signs and words of one text: a bound on the time that is spent on it, about two microseconds each. */
const mostTokens = 400_000;

/** What RDF 1.1 lacks, by the token that begins it. */
const newer = new Map([
  ['<<', 'a quoted triple'],
  ['<<(', 'a triple term'],
  ['~', 'a reifier'],
  ['{|', 'an annotation'],
  ['dircode', 'the direction of a text'],
  ['VERSION', 'a version'],
  ['@version', 'a version'],
]);

class RdfRefusal extends Error {
  readonly fault: RdfFault;

  constructor(message: string, { line, start }: ParserToken) {
    super(message);
    this.fault = { message, line, column: start + 1 };
  }
}

/** Refuses at a token what n3 would take. */
class TokenCheck {
  readonly #maxDepth: number;
  readonly #format: string;
  #tokens = 0;
  #depth = 0;
  #previous = '';
  #hasBase = false;

  constructor(maxDepth: number, format: string) {
    this.#maxDepth = maxDepth;
    this.#format = format;
  }

  next(token: ParserToken): void {
    const { type, value } = token;
    this.#tokens += 1;
    if (this.#tokens > mostTokens) {
      throw new RdfRefusal(`more than ${mostTokens} words and signs, which is the limit; split the document`, token);
    }
    const feature = newer.get(type);
    if (feature !== undefined) {
      throw new RdfRefusal(`${feature} is RDF 1.2, and RDF 1.1 is read; write it as ${this.#format} 1.1`, token);
    }
    if (type === 'IRI' || type === 'typeIRI') this.#iri(value, token);
    if (type === '[' || type === '(' || type === '{') this.#depth += 1;
    if (type === ']' || type === ')' || type === '}') this.#depth -= 1;
    if (this.#depth > this.#maxDepth) {
      throw new RdfRefusal(`nested deeper than ${this.#maxDepth} levels, which is the limit; make it flatter`, token);
    }
    this.#previous = type;
  }

  /** n3 makes IRIs of its own where there is no base, such as <undefined/x> of </x>. */
  #iri(iri: string, token: ParserToken): void {
    const isAbsolute = /^[A-Za-z][A-Za-z0-9+.-]*:/.test(iri);
    if (!isAbsolute && !this.#hasBase) {
      throw new RdfRefusal(`the IRI <${cut(iri)}> is relative; write an absolute IRI`, token);
    }
    if (this.#previous === '@base' || this.#previous === 'BASE') this.#hasBase = true;
  }
}

/** What n3 tells of an error. The token is left out where it could not make one of what comes next. */
interface ErrorContext {
  readonly line: number;
  readonly token?: ParserToken;
  readonly previousToken?: ParserToken;
}

function explain({ message }: Error, context: ErrorContext, text: string, name: string): RdfFault {
  const { line, token, previousToken: previous } = context;
  const lineText = text.split(/\r\n|\n|\r/, line)[line - 1] ?? '';
  const isSameLine = previous !== undefined && (previous.endLine ?? previous.line) === line;
  const start = token?.start ?? nonBlankFrom(lineText, isSameLine ? previous.end : 0);
  const found = /^\S*/.exec(lineText.slice(start))?.[0] ?? '';
  return { message: words(message, token, cut(found), name), line, column: start + 1 };
}

function words(message: string, token: ParserToken | undefined, found: string, name: string): string {
  if (found === '') return `the ${name} ends too early; complete it, or remove the file`;
  if (message.startsWith('Undefined prefix')) {
    const prefix = `${token?.prefix ?? ''}:`;
    return `the prefix ${JSON.stringify(prefix)} is not defined; add "@prefix ${prefix} <…> ." before it`;
  }
  const expected = message.startsWith('Expected punctuation') ? ' where a "." was expected' : '';
  return `unexpected ${JSON.stringify(found)}${expected}; correct the ${name} here`;
}

function nonBlankFrom(line: string, start: number): number {
  const blank = /^\s*/.exec(line.slice(start))?.[0].length ?? 0;
  return start + blank;
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

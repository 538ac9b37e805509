import type { BindingsResult, BooleanResult, QuadsResult, QueryResult } from '../../../store/query/graph-query.js';
import {
  resultsCsv,
  resultsJson,
  resultsJsonLd,
  resultsNTriples,
  resultsTsv,
  resultsTurtle,
} from '../../../store/query/result-formats.js';
import { resultsXml } from '../../../store/query/results-xml.js';
import { preferredType } from './media-type.js';

/** Text of an answer, whole or in pieces. */
export type AnswerText = string | AsyncIterable<string>;

type Prefixes = ReadonlyMap<string, string>;
type ResultWriter<T> = (result: T, prefixes: Prefixes) => AnswerText | undefined;

const json = (result: BindingsResult | BooleanResult) => JSON.stringify(resultsJson(result));

/** By media type, the preferred first. A SELECT has all of them. */
const bindingsWriters: Readonly<Record<string, ResultWriter<BindingsResult>>> = {
  'application/sparql-results+json': json,
  'application/sparql-results+xml': resultsXml,
  'text/csv': resultsCsv,
  'text/tab-separated-values': resultsTsv,
  'application/json': json,
  'application/xml': resultsXml,
  'text/xml': resultsXml,
};

const booleanWriters: Readonly<Record<string, ResultWriter<BooleanResult>>> = {
  'application/sparql-results+json': json,
  'application/sparql-results+xml': resultsXml,
  'application/json': json,
  'application/xml': resultsXml,
  'text/xml': resultsXml,
};

/** What is Turtle is TriG of the default graph, and so it is with N-Triples and N-Quads. */
const quadsWriters: Readonly<Record<string, ResultWriter<Pick<QuadsResult, 'quads'>>>> = {
  'text/turtle': resultsTurtle,
  'application/n-triples': resultsNTriples,
  'application/ld+json': resultsJsonLd,
  'application/n-quads': resultsNTriples,
  'application/trig': resultsTurtle,
  'application/json': resultsJsonLd,
};

const typesOf = {
  bindings: Object.keys(bindingsWriters),
  boolean: Object.keys(booleanWriters),
  quads: Object.keys(quadsWriters),
} as const;

const formsOf = { bindings: 'a SELECT', boolean: 'an ASK', quads: 'a CONSTRUCT or DESCRIBE' } as const;

export type WrittenAnswer =
  | { readonly type: string; readonly text: AnswerText }
  /** Why none of the media types that the client accepts can have it. */
  | { readonly notAcceptable: string };

/** Whether an answer of any form could have a media type that the client accepts; undefined when one can. */
export function unacceptable(accept: string | undefined): string | undefined {
  const all = [...typesOf.bindings, ...typesOf.quads];
  if (preferredType(accept, all) !== undefined) return undefined;
  return `rows come as ${typesOf.bindings.join(', ')}; triples as ${typesOf.quads.join(', ')}`;
}

/** `prefixes` shorten the IRIs of Turtle. */
export function writeAnswer(result: QueryResult, accept: string | undefined, prefixes: Prefixes): WrittenAnswer {
  const type = preferredType(accept, typesOf[result.kind]);
  if (type === undefined) {
    return { notAcceptable: `the answer of ${formsOf[result.kind]} comes as ${typesOf[result.kind].join(', ')}` };
  }
  const text = writeAs(type, result, prefixes);
  if (text !== undefined) return { type, text };
  return { notAcceptable: 'the answer has a character that XML cannot hold; accept application/sparql-results+json' };
}

/** Triples in a media type that the client accepts; undefined when it accepts none. */
export function writeTriples(
  triples: Pick<QuadsResult, 'quads'>,
  accept: string,
  prefixes: Prefixes,
): { readonly type: string; readonly text: AnswerText } | undefined {
  const type = preferredType(accept, typesOf.quads);
  const text = type && quadsWriters[type]?.(triples, prefixes);
  return text === undefined || type === undefined ? undefined : { type, text };
}

function writeAs(type: string, result: QueryResult, prefixes: Prefixes): AnswerText | undefined {
  if (result.kind === 'bindings') return bindingsWriters[type]?.(result, prefixes);
  return result.kind === 'boolean' ? booleanWriters[type]?.(result, prefixes) : quadsWriters[type]?.(result, prefixes);
}

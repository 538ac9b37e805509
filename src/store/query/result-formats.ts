import type { Quad, Term } from '@rdfjs/types';
import { RDF, rdf, XSD } from '../vocabulary.js';
import { writeTriplesJsonLd } from '../write-jsonld.js';
import { writeRdf } from '../write-rdf.js';
import type { BindingsResult, BooleanResult, QuadsResult, ResultTerm } from './graph-query.js';
import { termText } from './nquads-line.js';

/** A term in SPARQL 1.1 Results JSON. */
export interface JsonResultTerm {
  readonly type: 'uri' | 'literal' | 'bnode';
  readonly value: string;
  readonly 'xml:lang'?: string;
  readonly datatype?: string;
}

export type ResultsJson =
  | { readonly head: Record<string, never>; readonly boolean: boolean }
  | {
      readonly head: { readonly vars: readonly string[] };
      readonly results: { readonly bindings: readonly Readonly<Record<string, JsonResultTerm>>[] };
    };

/** SPARQL 1.1 Query Results JSON (https://www.w3.org/TR/sparql11-results-json/). */
export function resultsJson(result: BindingsResult | BooleanResult): ResultsJson {
  if (result.kind === 'boolean') return { head: {}, boolean: result.value };
  const bindings = result.rows.map((row) =>
    Object.fromEntries(Array.from(row, ([name, term]) => [name, jsonTerm(term)])),
  );
  return { head: { vars: result.variables }, results: { bindings } };
}

/** SPARQL 1.1 Query Results CSV (https://www.w3.org/TR/sparql11-results-csv-tsv/): values alone, so an IRI and a text look the same. */
export function resultsCsv({ variables, rows }: Pick<BindingsResult, 'variables' | 'rows'>): string {
  const records = rows.map((row) => variables.map((name) => csvValue(row.get(name))));
  return [variables, ...records].map((fields) => `${fields.map(csvField).join(',')}\r\n`).join('');
}

/** SPARQL 1.1 Query Results TSV (https://www.w3.org/TR/sparql11-results-csv-tsv/): each term as Turtle writes it. */
export function resultsTsv({ variables, rows }: Pick<BindingsResult, 'variables' | 'rows'>): string {
  const records = rows.map((row) => variables.map((name) => tsvValue(row.get(name))));
  return [variables.map((name) => `?${name}`), ...records].map((fields) => `${fields.join('\t')}\n`).join('');
}

/** The triples as N-Triples, which is N-Quads of the default graph. */
export function resultsNTriples({ quads }: Pick<QuadsResult, 'quads'>): AsyncGenerator<string> {
  return writeRdf(quads as readonly (QuadsResult['quads'][number] & Quad)[], 'nquads', {});
}

/** The triples as flattened JSON-LD, every IRI in full. */
export function resultsJsonLd({ quads }: Pick<QuadsResult, 'quads'>): string {
  return writeTriplesJsonLd(quads as readonly (QuadsResult['quads'][number] & Quad)[]);
}

/** The triples in Turtle, in pieces, with those of the prefixes that are used. */
export function resultsTurtle(
  { quads }: Pick<QuadsResult, 'quads'>,
  prefixes: ReadonlyMap<string, string>,
): AsyncGenerator<string> {
  return writeRdf(quads as readonly (QuadsResult['quads'][number] & Quad)[], 'turtle', Object.fromEntries(prefixes));
}

function jsonTerm(term: ResultTerm): JsonResultTerm {
  const { value } = term;
  if (term.termType === 'NamedNode') return { type: 'uri', value };
  if (term.termType === 'BlankNode') return { type: 'bnode', value };
  const { language, datatype } = term;
  if (datatype.value === rdf.langString || datatype.value === `${RDF}dirLangString`) {
    return { type: 'literal', value, 'xml:lang': language };
  }
  return { type: 'literal', value, ...(datatype.value === `${XSD}string` ? {} : { datatype: datatype.value }) };
}

function csvValue(term: ResultTerm | undefined): string {
  return term?.termType === 'BlankNode' ? `_:${term.value}` : (term?.value ?? '');
}

/** What is not bound is an empty field. */
function tsvValue(term: ResultTerm | undefined): string {
  return term === undefined ? '' : termText(term as Term);
}

/** RFC 4180. */
function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

import type { Quad } from '@rdfjs/types';
import { RDF, rdf, XSD } from '../vocabulary.js';
import { writeRdf } from '../write-rdf.js';
import type { BindingsResult, BooleanResult, QuadsResult, ResultTerm } from './graph-query.js';

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

/** RFC 4180. */
function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

import type { BindingsResult, QueryResult, ResultTerm } from '../../store/query/graph-query.js';
import { RDF, XSD } from '../../store/vocabulary.js';
import { visible } from '../../visible.js';
import { alignColumns, type Cell } from './columns.js';
import { count, type Style } from './style.js';

const numbers: ReadonlySet<string> = new Set(
  ['boolean', 'integer', 'decimal', 'double'].map((name) => `${XSD}${name}`),
);
const plain: ReadonlySet<string> = new Set([`${XSD}string`, `${RDF}langString`, `${RDF}dirLangString`, `${RDF}JSON`]);

/** Rows for people: a table at a terminal; else tab-separated, with the names of the variables first. `prefixes` shorten IRIs. */
export function printRows(
  { variables, rows }: Pick<BindingsResult, 'variables' | 'rows'>,
  prefixes: ReadonlyMap<string, string>,
  style: Style,
): string[] {
  const texts = rows.map((row) => variables.map((name) => termWords(row.get(name), prefixes)));
  if (!style.terminal) return [variables, ...texts].map((fields) => fields.join('\t'));
  const heading = variables.map((text): Cell => ({ text, paint: style.colors.bold }));
  return alignColumns([heading, ...texts.map((fields) => fields.map((text) => ({ text })))], style.width);
}

/** What a result is of, for stderr. */
export function resultWords(result: QueryResult): string {
  const { number, digest } = result.generation;
  const of = `generation ${number}, ${digest.slice(0, 12)}`;
  if (result.kind === 'boolean') return of;
  return `${result.kind === 'quads' ? count(result.quads.length, 'triple') : count(result.rows.length, 'row')} (${of})`;
}

/** A term as a person reads it: a prefixed name, `<IRI>`, a text without quotes; of another datatype with its name. */
export function termWords(term: ResultTerm | undefined, prefixes: ReadonlyMap<string, string>): string {
  if (term === undefined) return '';
  if (term.termType === 'BlankNode') return visible(`_:${term.value}`);
  if (term.termType === 'NamedNode') return visible(iriWords(term.value, prefixes));
  const datatype = term.datatype.value;
  const value = visible(term.value);
  if (numbers.has(datatype) || plain.has(datatype)) return value;
  return `${value}^^${visible(iriWords(datatype, prefixes))}`;
}

/** The longest namespace wins: one may begin with another. */
function iriWords(iri: string, prefixes: ReadonlyMap<string, string>): string {
  let name: string | undefined;
  let longest = 0;
  for (const [prefix, namespace] of prefixes) {
    if (namespace.length <= longest || !iri.startsWith(namespace)) continue;
    const local = iri.slice(namespace.length);
    if (!/^[\p{L}\p{N}_](?:[\p{L}\p{N}_.%-]*[\p{L}\p{N}_%-])?$/u.test(local)) continue;
    name = `${prefix}:${local}`;
    longest = namespace.length;
  }
  return name ?? `<${iri}>`;
}

import { byCodeUnits } from '../../code-units.js';
import type { ServedView } from '../../projection/view-state.js';
import type { QueryResult, ResultTerm } from '../../store/query/graph-query.js';
import { prefixes, rdf, XSD } from '../../store/vocabulary.js';
import { type BlankTriple, blankColours, termKey } from './blank-colours.js';
import { inline, page, points, table } from './markdown-text.js';
import type { ResourceDocument } from './resource-text.js';

type Quads = Extract<QueryResult, { kind: 'quads' }>['quads'];
type Row = ReadonlyMap<string, ResultTerm>;

/**
 * What a view answers, as a resource. The same answer is the same text: rows that no ORDER BY orders, and triples, are sorted, and blank nodes
 * are named by what is said of them. `parameters` are shown to whoever reads Markdown.
 */
export function viewDocument(
  view: ServedView,
  result: QueryResult,
  parameters: ReadonlyMap<string, unknown>,
): ResourceDocument {
  const about = { '@id': view.iri, '@type': 'View', id: view.id, title: view.title, description: view.description };
  const given = points(Array.from(parameters, ([name, value]) => inline(`${name}: ${String(value)}`)));
  const whole = (body: string): string => page(`# ${inline(view.title)}`, inline(view.description), given, body);
  if (result.kind === 'boolean') {
    const { value } = result;
    const context = { answer: `${view.iri}/answer` };
    return { json: { ...about, answer: value }, context, markdown: () => whole(value ? 'Yes.' : 'No.') };
  }
  if (result.kind === 'quads') {
    const quads = sortedQuads(result.quads);
    return { json: graphOf(quads), markdown: () => whole(quadTable(quads)) };
  }
  const { variables } = result;
  const rows = view.ordered === true ? result.rows : sortedRows(result.rows, variables);
  const names = new Map<string, string>();
  return {
    json: { ...about, variables, rows: rows.map((row) => rowObject(row, variables, names)) },
    context: rowsContext(view.iri, variables),
    markdown: () => whole(rowTable(rows, variables)),
  };
}

/**
 * The rows are a list of nodes without IRI; each variable is a property of them. Their context is that of one key, because there alone the
 * terms of ours may be other ones (JSON-LD 1.1 §4.1.11), as a variable may be called `tool`.
 */
function rowsContext(iri: string, variables: readonly string[]): Record<string, unknown> {
  const terms = Object.fromEntries(variables.map((name) => [name, `${iri}/variable/${encodeURIComponent(name)}`]));
  const row = { '@id': `${iri}/row`, '@container': '@list', '@context': { '@version': 1.1, ...terms } };
  return { rows: row };
}

function rowObject(row: Row, variables: readonly string[], names: Map<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    variables.flatMap((name) => {
      const term = row.get(name);
      return term === undefined ? [] : [[name, valueObject(term, (label) => labelled(label, names))]];
    }),
  );
}

/** Blank nodes of rows are named in the order in which they come. */
function labelled(label: string, names: Map<string, string>): string {
  const known = names.get(label) ?? `_:b${names.size}`;
  names.set(label, known);
  return known;
}

/** A term in JSON-LD: plain strings, integers and booleans are what they are in JSON. */
function valueObject(term: ResultTerm, label: (name: string) => string): unknown {
  if (term.termType === 'NamedNode') return { '@id': term.value };
  if (term.termType === 'BlankNode') return { '@id': label(term.value) };
  const { value, language, datatype } = term;
  if (language !== '') return { '@value': value, '@language': language };
  if (datatype.value === `${XSD}string`) return value;
  if (datatype.value === `${XSD}boolean` && /^(?:true|false)$/.test(value)) return value === 'true';
  if (datatype.value === `${XSD}integer` && /^(?:0|-?[1-9]\d{0,14})$/.test(value)) return Number(value);
  return { '@value': value, '@type': datatype.value };
}

function sortedRows(rows: readonly Row[], variables: readonly string[]): readonly Row[] {
  const keyed = rows.map((row) => ({ row, key: rowKey(row, variables) }));
  return keyed.sort((a, b) => byCodeUnits(a.key, b.key)).map(({ row }) => row);
}

/** The labels of blank nodes are left out: they are others each time. */
function rowKey(row: Row, variables: readonly string[]): string {
  return JSON.stringify(variables.map((name) => termKey(row.get(name), () => '')));
}

/** Sorted, with blank nodes that are called by what is said of them. */
function sortedQuads(quads: Quads): readonly BlankTriple[] {
  const triples = quads.map(({ subject, predicate, object }): BlankTriple => {
    return { subject, predicate: predicate.value, object };
  });
  const colours = blankColours(triples);
  const keyOf = ({ subject, predicate, object }: BlankTriple): string => {
    const colour = (name: string) => colours.get(name) ?? '';
    return JSON.stringify([termKey(subject, colour), predicate, termKey(object, colour)]);
  };
  const keyed = triples.map((triple) => ({ triple, key: keyOf(triple) }));
  return keyed.sort((a, b) => byCodeUnits(a.key, b.key)).map(({ triple }) => triple);
}

/** The triples as nodes with every IRI in full. */
function graphOf(triples: readonly BlankTriple[]): Record<string, unknown> {
  const names = new Map<string, string>();
  const label = (name: string) => labelled(name, names);
  const nodes = new Map<string, Map<string, unknown[]>>();
  for (const { subject, predicate, object } of triples) {
    const id = subject.termType === 'BlankNode' ? label(subject.value) : subject.value;
    const node = nodes.get(id) ?? new Map<string, unknown[]>();
    nodes.set(id, node);
    const isType = predicate === rdf.type && object.termType === 'NamedNode';
    const key = isType ? '@type' : predicate;
    const value = isType ? object.value : valueObject(object, label);
    const values = node.get(key);
    if (values === undefined) node.set(key, [value]);
    else values.push(value);
  }
  return { '@graph': Array.from(nodes, ([id, node]) => ({ '@id': id, ...Object.fromEntries(node) })) };
}

function rowTable(rows: readonly Row[], variables: readonly string[]): string {
  const cells = rows.map((row) => variables.map((name) => inline(shortTerm(row.get(name)))));
  return table(variables.map(inline), cells, 'No row.');
}

function quadTable(triples: readonly BlankTriple[]): string {
  const cells = triples.map(({ subject, predicate, object }) =>
    [shortTerm(subject), shortIri(predicate), shortTerm(object)].map(inline),
  );
  return table(['subject', 'predicate', 'object'], cells, 'No triple.');
}

function shortTerm(term: ResultTerm | undefined): string {
  if (term === undefined) return '';
  if (term.termType === 'NamedNode') return shortIri(term.value);
  return term.termType === 'BlankNode' ? '[]' : term.value;
}

/** An IRI with one of our prefixes, where it has one. */
function shortIri(iri: string): string {
  for (const [prefix, namespace] of Object.entries(prefixes)) {
    if (iri.startsWith(namespace)) return `${prefix}:${iri.slice(namespace.length)}`;
  }
  return iri;
}

import { describe, expect, it } from 'vitest';
import type { BindingTerm, ResultTerm } from '../../../../src/store/query/graph-query.js';
import { termText } from '../../../../src/store/query/nquads-line.js';
import { loadOxigraph } from '../../../../src/store/query/oxigraph.js';
import { prepareQuery } from '../../../../src/store/query/prepare-query.js';
import { QueryDataset } from '../../../../src/store/query/query-dataset.js';
import { queryPrefixes } from '../../../../src/store/query/query-prefixes.js';
import { answerOfResults, answerOfTriples, receivedAnswer } from '../../../../src/store/query/sent-answer.js';
import { readRdf } from '../../../../src/store/read-rdf.js';
import { rdf, XSD } from '../../../../src/store/vocabulary.js';

const oxigraph = await loadOxigraph(256);
const prefixes = new Map([...queryPrefixes, ['', 'urn:x:']]);
const generation = { number: 1, digest: '' };

/** TriG in named graphs. `:alice :knows :bob` is in two of them. */
const people = `
  :g1 {
    :alice a :Person ; :name "Alice" ; :age 30 ; :knows :bob, :carol ; :mail "alice@a.example" .
    :bob a :Person ; :name "Bob" ; :age 25 ; :knows :carol .
  }
  :g2 {
    :carol a :Person ; :name "Carol"@en ; :age 30 ; :knows :dave .
    :dave :name "Dave" .
    :alice :knows :bob .
  }`;

export interface QueryCase {
  readonly name: string;
  /** TriG, its triples in named graphs; `people` where it is left out. */
  readonly data?: string;
  readonly query: string;
  readonly bindings?: Readonly<Record<string, BindingTerm>>;
  /**
   * The cells of each row with a space between them, as `cellText` writes them, "-" for one without a value; of CONSTRUCT and DESCRIBE the
   * three terms of each triple; of ASK `true` or `false`.
   */
  readonly rows: readonly string[];
  /** The rows have an order. */
  readonly inOrder?: boolean;
}

export function conformance(feature: string, cases: readonly QueryCase[]): void {
  describe(feature, () => {
    it.each(cases)('$name', async ({ data = people, query, bindings = {}, rows, inOrder = false }) => {
      const found = await answeredRows(data, query, new Map(Object.entries(bindings)));
      expect(inOrder ? found : found.toSorted()).toEqual(inOrder ? rows : rows.toSorted());
    });
  });
}

/** What the engine is known to answer other than SPARQL 1.1 specifies. Where one is mended, its case goes to the others. */
export function knownDifferences(cases: readonly (QueryCase & { readonly answered: readonly string[] })[]): void {
  it.each(cases)('$name', async ({ data = people, query, rows, answered }) => {
    expect(answered).not.toEqual(rows);
    expect((await answeredRows(data, query)).toSorted()).toEqual(answered.toSorted());
  });
}

/** Each case is an expression, and its value as a cell: "-" where evaluating it is an error. */
export function expressions(feature: string, cases: readonly (readonly [expression: string, value: string])[]): void {
  describe(feature, () => {
    it.each(cases)('%s', async (expression, value) => {
      expect(await answeredRows('', `SELECT ?value { BIND(${expression} AS ?value) }`)).toEqual([value]);
    });
  });
}

/** The rows of an answer by the way that a query of the service takes: graphs are loaded, changed by difference, and asked. */
export async function answeredRows(
  trig: string,
  query: string,
  bindings: ReadonlyMap<string, BindingTerm> = new Map(),
): Promise<string[]> {
  const dataset = await changedTo(trig);
  const prepared = prepareQuery({ sparql: query, bindings, prefixes, rows: 1_000 });
  const isGraph = prepared.form === 'construct' || prepared.form === 'describe';
  const sent = isGraph
    ? answerOfTriples(dataset.triples(prepared.text, prepared.dataset))
    : answerOfResults(dataset.results(prepared.text, prepared.dataset), prepared.variables);
  const answer = receivedAnswer(sent, generation);
  if (answer.kind === 'boolean') return [String(answer.value)];
  if (answer.kind === 'bindings') {
    const { variables } = answer;
    return withNumberedBlanks(answer.rows.map((row) => variables.map((name) => cellText(row.get(name))).join(' ')));
  }
  const triples = answer.quads.map(({ subject, predicate, object }) => [subject, predicate, object]);
  return withNumberedBlanks(triples.map((terms) => terms.map(cellText).join(' ')).toSorted(byShape));
}

/** Every graph has held something else before, and one is there no more. */
async function changedTo(trig: string): Promise<QueryDataset> {
  const declared = Array.from(prefixes, ([name, namespace]) => `@prefix ${name}: <${namespace}> .\n`).join('');
  const read = await readRdf(declared + trig, 'trig', 10);
  if (!('quads' in read)) throw new Error(`${read.line}:${read.column}: ${read.message}`);
  const graphs = new Map<string, [string, string, string][]>();
  for (const { subject, predicate, object, graph } of read.quads) {
    const stated = graphs.get(graph.value) ?? [];
    stated.push([termText(subject), termText(predicate), termText(object)]);
    graphs.set(graph.value, stated);
  }
  const dataset = new QueryDataset(oxigraph);
  const before = ['<urn:x:before>', '<urn:x:name>', '"before"'] as const;
  dataset.load(['urn:x:gone', ...graphs.keys()].map((graph) => [...before, `<${graph}>`] as const));
  for (const [graph, triples] of graphs) dataset.replaceGraph(graph, triples.slice(1));
  for (const [graph, triples] of graphs) dataset.replaceGraph(graph, triples);
  dataset.removeGraph('urn:x:gone');
  return dataset;
}

/** As Turtle writes it, with prefixes. Decimals and doubles by value: `1.0`, `1e0`. */
function cellText(term: ResultTerm | undefined): string {
  if (term === undefined) return '-';
  if (term.termType === 'NamedNode') return shortIri(term.value);
  if (term.termType === 'BlankNode') return `_:${term.value}.`;
  const { value, language, datatype } = term;
  if (datatype.value === rdf.langString) return `${JSON.stringify(value)}@${language}`;
  switch (datatype.value) {
    case `${XSD}string`:
      return JSON.stringify(value);
    case `${XSD}integer`:
    case `${XSD}boolean`:
      return value;
    case `${XSD}decimal`:
      return Number.isInteger(Number(value)) ? `${Number(value)}.0` : String(Number(value));
    case `${XSD}double`:
      return Number.isFinite(Number(value)) ? `${Number(value)}e0` : `"${value}"^^xsd:double`;
    default:
      return `${JSON.stringify(value)}^^${shortIri(datatype.value)}`;
  }
}

function shortIri(iri: string): string {
  const [prefix, namespace] = [...prefixes].find(([, one]) => iri.startsWith(one)) ?? [];
  return namespace === undefined ? `<${iri}>` : `${prefix}:${iri.slice(namespace.length)}`;
}

const blank = /_:[^ ]+\./g;

function byShape(a: string, b: string): number {
  const [left, right] = [a.replace(blank, '_:'), b.replace(blank, '_:')];
  return left < right ? -1 : Number(left > right);
}

/** Blank nodes by the order in which they come. */
function withNumberedBlanks(rows: readonly string[]): string[] {
  const numbers = new Map<string, number>();
  return rows.map((row) =>
    row.replace(blank, (label) => {
      const number = numbers.get(label) ?? numbers.size + 1;
      numbers.set(label, number);
      return `_:${number}`;
    }),
  );
}

import type { AnswerQuery } from './invocation/module/messages.js';
import { isJsonObject } from './json-object.js';
import type { BindingTerm, GraphQuery, QueryResult, ResultTerm } from './store/query/graph-query.js';
import { QueryError } from './store/query/query-error.js';
import { Iri, LiteralTerm } from './store/rdf-terms.js';
import { XSD } from './store/vocabulary.js';

/** Answers the queries of functions in terms of plain data, in the form of SPARQL 1.1 Query Results JSON. */
export function moduleQueries(graph: GraphQuery): AnswerQuery {
  return async (sparql, values, signal) => {
    if (typeof sparql !== 'string') return { fault: { message: 'query(sparql, values): sparql has to be a string' } };
    try {
      const bindings = new Map(Object.entries(values ?? {}).map(([name, value]) => [name, termOf(name, value)]));
      return { value: plain(await graph.query(sparql, { bindings, signal })) };
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      const { code, message, position } = error;
      const place = position === undefined ? '' : ` (line ${position.line}, column ${position.column})`;
      return { fault: { code, message: message + place } };
    }
  };
}

/** A string, a number or a boolean is a literal; `{ iri }` an IRI. */
function termOf(name: string, value: unknown): BindingTerm {
  if (typeof value === 'string') return new LiteralTerm(value);
  if (typeof value === 'boolean') return new LiteralTerm(String(value), new Iri(`${XSD}boolean`));
  if (typeof value === 'number' && Number.isFinite(value)) {
    // From 1e21 on, a number is written with an exponent, which no integer of XML Schema has.
    const isInteger = Number.isInteger(value) && Math.abs(value) < 1e21;
    return new LiteralTerm(String(value), new Iri(XSD + (isInteger ? 'integer' : 'double')));
  }
  if (isJsonObject(value) && typeof value.iri === 'string') return new Iri(value.iri);
  throw new QueryError('binding', `?${name}: expected a string, a number, a boolean or { iri: "…" }`);
}

function plain(result: QueryResult): unknown {
  if (result.kind === 'boolean') return { boolean: result.value };
  if (result.kind === 'quads') {
    return {
      triples: result.quads.map(({ subject, predicate, object }) => [subject, predicate, object].map(plainTerm)),
    };
  }
  const { variables, rows } = result;
  const bindings = rows.map((row) => Object.fromEntries(Array.from(row, ([name, term]) => [name, plainTerm(term)])));
  return { variables, bindings };
}

/** As SPARQL 1.1 Query Results JSON has it (§3.2.2). */
function plainTerm(term: ResultTerm): Record<string, string> {
  const { value } = term;
  if (term.termType === 'NamedNode') return { type: 'uri', value };
  if (term.termType === 'BlankNode') return { type: 'bnode', value };
  if (term.language !== '') return { type: 'literal', value, 'xml:lang': term.language };
  const datatype = term.datatype.value;
  return datatype === `${XSD}string` ? { type: 'literal', value } : { type: 'literal', value, datatype };
}

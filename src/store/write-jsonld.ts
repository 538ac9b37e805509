import type { Quad } from '@rdfjs/types';
import { byGraph, ordered } from './quad-order.js';
import { rdf, XSD } from './vocabulary.js';

/**
 * Expanded, flattened JSON-LD 1.1 in pieces: one named graph after another, one node a line, every IRI in full and no context, so that
 * any processor makes the same quads of it. The quads of a graph follow one another, without blank nodes. Written here and not by
 * `fromRDF` of jsonld, which makes a `@list` of the last cell of a list although it has an IRI, and so loses that IRI. A literal of
 * the type rdf:JSON stays text with a type: as a `@json` value its spelling would depend on how the processor writes numbers.
 */
export function* writeJsonLd(quads: Iterable<Quad>): Generator<string> {
  let start = '[\n';
  for (const graph of byGraph(quads)) {
    const nodes = nodeObjects(graph).map((node) => JSON.stringify(node));
    yield `${start}{"@id":${JSON.stringify(graph[0]?.graph.value)},"@graph":[\n${nodes.join(',\n')}\n]}`;
    start = ',\n';
  }
  yield start === '[\n' ? '[]\n' : '\n]\n';
}

/** Triples of the default graph in the same form. They may have blank nodes. */
export function writeTriplesJsonLd(triples: readonly Quad[]): string {
  const nodes = nodeObjects(ordered(triples)).map((node) => JSON.stringify(node));
  return nodes.length === 0 ? '[]\n' : `[\n${nodes.join(',\n')}\n]\n`;
}

/** One object a subject, in the order of the quads. */
function nodeObjects(graph: readonly Quad[]): object[] {
  const nodes = new Map<string, Map<string, unknown[]>>();
  for (const { subject, predicate, object } of graph) {
    const id = idOf(subject);
    const node = nodes.get(id) ?? new Map<string, unknown[]>();
    nodes.set(id, node);
    const isType = predicate.value === rdf.type && object.termType === 'NamedNode';
    const key = isType ? '@type' : predicate.value;
    const values = node.get(key) ?? [];
    node.set(key, values);
    values.push(isType ? object.value : valueObject(object));
  }
  return [...nodes].map(([iri, node]) => ({ '@id': iri, ...Object.fromEntries(node) }));
}

function valueObject(object: Quad['object']): object {
  if (object.termType !== 'Literal') return { '@id': idOf(object) };
  const { value, language, datatype } = object;
  if (language !== '') return { '@value': value, '@language': language };
  return datatype.value === `${XSD}string` ? { '@value': value } : { '@value': value, '@type': datatype.value };
}

function idOf({ termType, value }: Quad['subject'] | Quad['object']): string {
  return termType === 'BlankNode' ? `_:${value}` : value;
}

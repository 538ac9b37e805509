import type { Quad } from '@rdfjs/types';
import { Store } from 'n3';
import type { GraphStore } from '../../src/store/graph-store.js';
import { documentIri } from '../../src/store/node-iri.js';
import { termText, tripleLine } from '../../src/store/query/nquads-line.js';
import { DefaultGraphTerm, QuadTerm } from '../../src/store/rdf-terms.js';
import { corpusBase } from './corpus.js';
import type { Pattern } from './lookup-patterns.js';
import { oxigraphOf } from './plain-oxigraph.js';

/** Those that are asked the same lookups, by name, in words. */
export const lookupParties = {
  toolgraph: "toolgraph's store",
  n3: 'N3.Store',
  'n3-merged': 'N3.Store without named graphs',
  oxigraph: 'plain oxigraph',
} as const;

export type LookupParty = keyof typeof lookupParties;

/** Gives what matches as an array of quads, and how many they are. */
export type Lookup = (pattern: Pattern) => number;

/** Has a party hold what the store holds of the documents at these paths. The store stays open for as long as it is asked. */
export async function lookupOf(party: LookupParty, store: GraphStore, paths: readonly string[]): Promise<Lookup> {
  if (party === 'toolgraph') return (pattern) => store.match(...pattern).length;
  const graphs = function* () {
    for (const path of paths) yield store.graph(documentIri(corpusBase, path));
  };
  if (party === 'oxigraph') {
    const oxigraph = await oxigraphOf(linesOf(graphs()));
    return (pattern) => oxigraph.match(...pattern).length;
  }
  const n3 = new Store();
  for (const quads of graphs()) n3.addQuads(party === 'n3' ? quads : quads.map(inDefaultGraph));
  return (pattern) => n3.getQuads(...pattern).length;
}

function* linesOf(graphs: Iterable<readonly Quad[]>): Generator<string> {
  for (const quads of graphs) {
    for (const { subject, predicate, object, graph } of quads) {
      yield tripleLine(termText(subject), termText(predicate), termText(object), termText(graph));
    }
  }
}

const defaultGraph = new DefaultGraphTerm();

function inDefaultGraph({ subject, predicate, object }: Quad): Quad {
  return new QuadTerm(subject, predicate, object, defaultGraph);
}

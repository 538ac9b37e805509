import type { Quad } from '@rdfjs/types';
import { byCodeUnits } from '../code-units.js';
import { encodeTerm } from './term-text.js';

/** The quads of one graph after another, each graph `ordered`. The quads of a graph follow one another; there is no blank node. */
export function* byGraph(quads: Iterable<Quad>): Generator<readonly Quad[]> {
  let graph: Quad[] = [];
  for (const quad of quads) {
    if (graph[0] !== undefined && graph[0].graph.value !== quad.graph.value) {
      yield ordered(graph);
      graph = [];
    }
    graph.push(quad);
  }
  if (graph.length > 0) yield ordered(graph);
}

/** Each triple once, by subject, predicate and object in code units, so that the same triples always give the same bytes. */
export function ordered(quads: readonly Quad[]): Quad[] {
  const sorted = quads.toSorted(compareTriples);
  return sorted.filter((quad, i) => {
    const previous = sorted[i - 1];
    return previous === undefined || compareTriples(previous, quad) !== 0;
  });
}

function compareTriples(a: Quad, b: Quad): number {
  return (
    byCodeUnits(a.subject.value, b.subject.value) ||
    byCodeUnits(a.predicate.value, b.predicate.value) ||
    byCodeUnits(encodeTerm(a.object), encodeTerm(b.object))
  );
}

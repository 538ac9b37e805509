import type { Quad } from '@rdfjs/types';
import type { ExportFormat, ExportSelection } from './export-format.js';
import { exportPrefixes, exportText } from './export-text.js';
import { ordered } from './quad-order.js';
import { DefaultGraphTerm, QuadTerm } from './rdf-terms.js';
import { writeTriplesJsonLd } from './write-jsonld.js';
import { writeRdf } from './write-rdf.js';

/** As `exportText`, of what is selected. Triples that are selected without their graphs are written in the default graph. */
export function selectionText(
  quads: Iterable<Quad>,
  selection: ExportSelection,
  format: ExportFormat,
  base: string,
): Iterable<string> | AsyncIterable<string> {
  if (selection === 'dataset') return exportText(quads, format, base);
  const triples = ordered(Array.from(quads, inDefaultGraph));
  if (format === 'jsonld') return [writeTriplesJsonLd(triples)];
  return format === 'nquads' ? writeRdf(triples, format, {}) : writeRdf(triples, 'turtle', exportPrefixes(base));
}

const defaultGraph = new DefaultGraphTerm();

function inDefaultGraph({ subject, predicate, object }: Quad): Quad {
  return new QuadTerm(subject, predicate, object, defaultGraph);
}

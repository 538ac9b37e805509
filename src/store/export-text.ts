import type { Quad } from '@rdfjs/types';
import type { ExportFormat } from './export-format.js';
import { prefixes } from './vocabulary.js';
import { writeJsonLd } from './write-jsonld.js';
import { writeRdf } from './write-rdf.js';

/**
 * The quads in a format, in pieces. The quads of a graph follow one another, without blank nodes, in the order in which the graphs are
 * to be; `base` is the prefix of the IRIs of the instance, of which most are.
 */
export function exportText(
  quads: Iterable<Quad>,
  format: ExportFormat,
  base: string,
): Iterable<string> | AsyncIterable<string> {
  if (format === 'jsonld') return writeJsonLd(quads);
  return writeRdf(quads, format, exportPrefixes(base));
}

/** Namespaces by short name, of an instance whose IRIs begin with `base`. */
export function exportPrefixes(base: string): Readonly<Record<string, string>> {
  return { ...prefixes, tool: `${base}tool/`, skill: `${base}skill/` };
}

import type { Literal, NamedNode, Quad } from '@rdfjs/types';
import fc from 'fast-check';
import { Iri } from '../../src/store/rdf-terms.js';
import { decodeTerm, storedQuad } from '../../src/store/term-text.js';
import { prefixes, rdf, XSD } from '../../src/store/vocabulary.js';

export const iri = (value: string): NamedNode => new Iri(value);
export const literal = (value: string, suffix = ''): Literal => decodeTerm(`"${value}"${suffix}`) as Literal;
export const jsonText = (value: string): Literal => literal(value, `^^${rdf.JSON}`);

export function quad(subject: string, predicate: string, object: NamedNode | Literal, graph: string): Quad {
  return storedQuad(iri(subject), iri(predicate), object, iri(graph));
}

/** IRIs that could be taken for a prefixed name, end like none, or have what has to be escaped. */
const iris = fc.oneof(
  fc.constantFrom(
    ...['urn:a', 'urn:a#b', 'urn:x:tool/a', 'urn:x:tool/a.b', 'urn:x:tool/', 'urn:x:tool/-', 'urn:x:tool/a/input/b'],
    ...['td:x', 'tool:a', 'schema:', 'https://schema.org/name', `${prefixes.tg}Tool`, `${prefixes.tg}a%20b`],
    ...['https://example.org/ä?q=1#f', 'https://example.org/\u{1f600}', 'https://example.org/\u202e', rdf.nil],
  ),
  fc.stringMatching(/^[a-z]{1,6}:[A-Za-z0-9._~%/#-]{1,12}$/),
);
const predicates = fc.oneof(fc.constantFrom(rdf.type, rdf.first, rdf.rest, `${prefixes.tg}tier`), iris);
const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('', '"', '\\', '\r\n\t\b\f\0\u007f', '\u001f', '\u2028', '\u{1f600}', "'''", '"""', '@en', '1e-7'),
);
const suffixes = fc.oneof(
  fc.constantFrom('', '@en', '@en-gb', `^^${rdf.JSON}`),
  fc.constantFrom('boolean', 'integer', 'decimal', 'double', 'date').map((name) => `^^${XSD}${name}`),
  iris.map((datatype) => `^^${datatype}`).filter((suffix) => suffix !== `^^${XSD}string`),
);
const literals = fc.oneof(
  fc.tuple(texts, suffixes).map(([value, suffix]) => literal(value, suffix)),
  fc
    .tuple(fc.constantFrom('true', '1', '01', '1.0', '1.', '.5', '1e0', '1.E+0'), suffixes)
    .map(([value, suffix]) => literal(value, suffix)),
);

/** Quads, those of one graph after those of another; some are given twice. */
export const graphs: fc.Arbitrary<Quad[]> = fc
  .uniqueArray(iris, { maxLength: 3 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.array(
          fc
            .tuple(iris, predicates, fc.oneof(iris.map(iri), literals))
            .map(([subject, predicate, object]) => quad(subject, predicate, object, name)),
          { minLength: 1, maxLength: 8 },
        ),
      ),
    ),
  )
  .map((lists) => lists.flatMap((list) => [...list, ...list.slice(0, 1)]));

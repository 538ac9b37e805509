import type { Quad } from '@rdfjs/types';
import fc from 'fast-check';
import jsonld from 'jsonld';
import { describe, expect, it } from 'vitest';
import { encodeTerm } from '../../src/store/term-text.js';
import { rdf, XSD } from '../../src/store/vocabulary.js';
import { writeJsonLd } from '../../src/store/write-jsonld.js';
import { graphs, iri, jsonText, literal, quad } from './quad-arbitrary.js';

function text(quads: Iterable<Quad>): string {
  return [...writeJsonLd(quads)].join('');
}

async function toRdf(document: string): Promise<Quad[]> {
  return (await jsonld.toRDF(JSON.parse(document))) as Quad[];
}

/** Each quad once, as the text of its terms. */
function statements(quads: Iterable<Quad>): string[] {
  const lines = [...quads].map(({ subject, predicate, object, graph }) => {
    const { termType, value, language, datatype } = { language: '', datatype: { value: '' }, ...object };
    return JSON.stringify([subject.value, predicate.value, termType, value, language, datatype.value, graph.value]);
  });
  return [...new Set(lines)].sort();
}

describe('writeJsonLd', () => {
  it('writes what jsonld turns into the same quads', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, async (made) => {
        // jsonld itself spells every double anew, be it written with its type (JSON-LD 1.1 API §8.2.2 does so for numbers only).
        const quads = made.filter(
          ({ object }) => object.termType !== 'Literal' || object.datatype.value !== `${XSD}double`,
        );
        expect(statements(await toRdf(text(quads)))).toEqual(statements(quads));
      }),
    );
  });

  it('writes the same bytes whatever the order of the quads of a graph', () => {
    fc.assert(
      fc.property(graphs, (quads) => {
        expect(text(reversedInGraphs(quads))).toBe(text(quads));
      }),
    );
  });

  it('keeps the spelling of a JSON literal, canonical or not', async () => {
    for (const value of ['{"a":[1e-7,1e+21,-0.5],"é\\"":null}', '{ "b":1.0, "a":1 }', 'no JSON']) {
      const [read] = await toRdf(text([quad('urn:s', 'urn:p', jsonText(value), 'urn:g')]));
      expect(read?.object).toMatchObject({ value, datatype: { value: rdf.JSON } });
    }
  });

  it('keeps the IRI of each cell of a list', async () => {
    const cells = [
      quad('urn:s', 'urn:list', iri('urn:s/cell'), 'urn:g'),
      quad('urn:s/cell', rdf.first, literal('one'), 'urn:g'),
      quad('urn:s/cell', rdf.rest, iri(rdf.nil), 'urn:g'),
    ];
    expect(statements(await toRdf(text(cells)))).toEqual(statements(cells));
  });

  it('writes one node a line, with every IRI in full and no context', () => {
    const quads = [
      quad('urn:b', rdf.type, iri('urn:T'), 'urn:g1'),
      quad('urn:a', 'urn:p', literal('x'), 'urn:g1'),
      quad('urn:a', 'urn:p', iri('urn:b'), 'urn:g2'),
    ];
    expect(text(quads)).toBe(`[
{"@id":"urn:g1","@graph":[
{"@id":"urn:a","urn:p":[{"@value":"x"}]},
{"@id":"urn:b","@type":["urn:T"]}
]},
{"@id":"urn:g2","@graph":[
{"@id":"urn:a","urn:p":[{"@id":"urn:b"}]}
]}
]
`);
  });

  it('writes an empty document where there is no quad', () => {
    expect(text([])).toBe('[]\n');
  });
});

function reversedInGraphs(quads: readonly Quad[]): Quad[] {
  const names = [...new Set(quads.map(({ graph }) => encodeTerm(graph)))];
  return names.flatMap((name) => quads.filter(({ graph }) => encodeTerm(graph) === name).reverse());
}

import type { Quad } from '@rdfjs/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRdf } from '../../src/store/read-rdf.js';
import { encodeTerm } from '../../src/store/term-text.js';
import { prefixes, rdf } from '../../src/store/vocabulary.js';
import { writeRdf } from '../../src/store/write-rdf.js';
import { graphs, iri, literal, quad } from './quad-arbitrary.js';

const names = { ...prefixes, tool: 'urn:x:tool/' };
const formats = ['turtle', 'trig', 'nquads'] as const;

async function text(quads: Iterable<Quad>, format: (typeof formats)[number]): Promise<string> {
  let written = '';
  for await (const piece of writeRdf(quads, format, names)) written += piece;
  return written;
}

function statements(quads: Iterable<Quad>, withGraph: boolean): string[] {
  const lines = [...quads].map(({ subject, predicate, object, graph }) =>
    JSON.stringify([subject, predicate, object, ...(withGraph ? [graph] : [])].map(encodeTerm)),
  );
  return [...new Set(lines)].sort();
}

describe('writeRdf', () => {
  it.each(formats)('writes %s that is read as the same quads', async (format) => {
    await fc.assert(
      fc.asyncProperty(graphs, async (quads) => {
        const read = await readRdf(await text(quads, format), format, 64);
        if ('message' in read) throw new Error(read.message);
        const withGraph = format !== 'turtle';
        expect(statements(read.quads, withGraph)).toEqual(statements(quads, withGraph));
        expect(read.quads).toHaveLength(statements(quads, withGraph).length);
      }),
      { numRuns: 300 },
    );
  });

  it('shortens IRIs by the prefixes, and keeps each triple of several graphs once in Turtle', async () => {
    const one = (graph: string): Quad[] => [
      quad('urn:x:tool/b', `${prefixes.tg}tier`, literal('stable'), graph),
      quad('urn:x:tool/b', rdf.type, iri(`${prefixes.tg}Tool`), graph),
      quad('urn:x:tool/a', `${prefixes.tg}satisfies`, iri('urn:y'), graph),
    ];
    const written = await text([...one('urn:g1'), ...one('urn:g2')], 'turtle');
    expect(written.split('\n').filter((line) => !line.startsWith('@prefix'))).toEqual([
      '',
      'tool:a tg:satisfies <urn:y>.',
      'tool:b a tg:Tool;',
      '    tg:tier "stable".',
      '',
    ]);
  });

  it('leaves out a prefix that is the scheme of an IRI, which would else be read as another IRI', async () => {
    const written = await text([quad('tool:a', `${prefixes.tg}tier`, literal('x'), 'urn:g')], 'turtle');
    expect(written).not.toContain('@prefix tool:');
    expect(written).toContain('<tool:a> tg:tier "x".');
  });

  it('reads the graphs as it comes to them, and writes each when it is read', async () => {
    const read: string[] = [];
    function* source(): Generator<Quad> {
      for (const graph of ['urn:g1', 'urn:g2', 'urn:g3']) {
        read.push(graph);
        yield quad('urn:s', 'urn:p', literal('o'), graph);
      }
    }
    const pieces = writeRdf(source(), 'nquads', {});
    expect((await pieces.next()).value).toBe('<urn:s> <urn:p> "o" <urn:g1> .\n');
    expect(read).toEqual(['urn:g1', 'urn:g2']);
  });
});

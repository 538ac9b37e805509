import type { Quad } from '@rdfjs/types';
import type { Writer } from 'n3';
import type { ExportFormat } from './export-format.js';
import { byGraph, ordered } from './quad-order.js';

type WrittenFormat = Exclude<ExportFormat, 'jsonld'>;

const mediaTypes: Readonly<Record<WrittenFormat, string>> = {
  turtle: 'text/turtle',
  trig: 'application/trig',
  nquads: 'application/n-quads',
};

/** Triples of one piece of Turtle, which has no graphs to divide it. */
const pieceTriples = 1_000;

/**
 * The quads as RDF 1.1 text in pieces, always the same bytes for the same quads. The quads of a graph follow one another, without blank
 * nodes. Turtle, which has no graphs, gets the union of their triples. `prefixes` are namespaces by short name, for Turtle and TriG.
 */
export async function* writeRdf(
  quads: Iterable<Quad>,
  format: WrittenFormat,
  prefixes: Readonly<Record<string, string>>,
): AsyncGenerator<string> {
  const n3 = await import('n3');
  const isPrefixed = format !== 'nquads';
  // All of them have to be looked at before the first prefix is written.
  const read = isPrefixed ? [...quads] : quads;
  const output = new GatheredText();
  const options = { format: mediaTypes[format], ...(isPrefixed ? { prefixes: unambiguous(prefixes, read) } : {}) };
  const writer = new n3.Writer(output, options);
  for (const piece of format === 'turtle' ? pieces(ordered([...read])) : byGraph(read)) {
    addQuads(writer, piece, format === 'turtle');
    yield output.take();
  }
  writer.end();
  yield output.take();
}

/** What n3 writes, until it is taken. */
class GatheredText {
  #text = '';

  write(text: string, _encoding: string, done?: () => void): void {
    this.#text += text;
    done?.();
  }

  end(done?: () => void): void {
    done?.();
  }

  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

/** n3 takes an IRI that begins with `td:`, say, for one that is shortened already, where `td` is a prefix: such a prefix is left out. */
function unambiguous(prefixes: Readonly<Record<string, string>>, quads: Iterable<Quad>): Record<string, string> {
  const schemes = new Set<string>();
  for (const { subject, predicate, object, graph } of quads) {
    const iris = [subject, predicate, graph, object.termType === 'Literal' ? object.datatype : object];
    for (const { value } of iris) schemes.add(value.slice(0, value.indexOf(':')));
  }
  return Object.fromEntries(Object.entries(prefixes).filter(([name]) => !schemes.has(name)));
}

function* pieces(quads: readonly Quad[]): Generator<readonly Quad[]> {
  for (let start = 0; start < quads.length; start += pieceTriples) yield quads.slice(start, start + pieceTriples);
}

function addQuads(writer: Writer, quads: readonly Quad[], inDefaultGraph: boolean): void {
  for (const quad of quads) {
    if (inDefaultGraph) writer.addQuad(quad.subject, quad.predicate, quad.object);
    else writer.addQuad(quad);
  }
}

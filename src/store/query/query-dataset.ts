import type { Quad } from '@rdfjs/types';
import type { QueryDatasetClause } from './graph-query.js';
import { iriText, termText, tripleLine } from './nquads-line.js';
import type { Oxigraph, OxigraphStore } from './oxigraph.js';

/** Characters of one loading: in pieces it takes a tenth of the time that all at once takes, and thirty times less than one by one. */
const pieceLength = 1_000_000;

export type EngineQuad = ReturnType<OxigraphStore['match']>[number];

/**
 * The dataset that queries see: named graphs, and as the default graph their merge. The engine's own union of the named graphs would give
 * a triple once for each graph that has it, and SPARQL's merge has it once.
 *
 * The engine keeps numbers and times by value, so two spellings of one value are one term in it: after something was taken out, all that
 * is still stated beside it is put in again.
 */
export class QueryDataset {
  readonly #oxigraph: Oxigraph;
  #store: OxigraphStore;

  constructor(oxigraph: Oxigraph) {
    this.#oxigraph = oxigraph;
    this.#store = new oxigraph.Store();
  }

  /** Quads, those of the default graph included. */
  get size(): number {
    return this.#store.size;
  }

  clear(): void {
    this.#store = new this.#oxigraph.Store();
  }

  /** Puts in triples of graphs: each is the texts of subject, predicate, object and graph (`termText`). */
  load(triples: Iterable<readonly [subject: string, predicate: string, object: string, graph: string]>): void {
    let piece: string[] = [];
    let length = 0;
    for (const [subject, predicate, object, graph] of triples) {
      const line = tripleLine(subject, predicate, object, graph);
      piece.push(line, tripleLine(subject, predicate, object));
      length += 2 * line.length;
      if (length < pieceLength) continue;
      this.#load(piece);
      piece = [];
      length = 0;
    }
    this.#load(piece);
  }

  /** Makes the graph hold exactly these triples: texts of subject, predicate and object. */
  replaceGraph(graph: string, triples: readonly (readonly [string, string, string])[]): void {
    const stated = new Set(triples.map(([subject, predicate, object]) => tripleLine(subject, predicate, object)));
    const held = this.#store.match(null, null, null, this.#oxigraph.namedNode(graph));
    const gone = held.filter((quad) => !stated.has(lineOf(quad)));
    if (gone.length === 0 && held.length === stated.size) return;
    for (const quad of gone) this.#remove(quad);
    const text = iriText(graph);
    this.load(triples.map((triple) => [...triple, text] as const));
    this.#dropIfEmpty(graph);
  }

  removeGraph(graph: string): void {
    this.replaceGraph(graph, []);
  }

  add(quads: Iterable<Quad>): void {
    this.load(textsOf(quads));
  }

  /** Quads that were added, and hold no longer. */
  remove(quads: Iterable<Quad>): void {
    const graphs = new Set<string>();
    for (const quad of quads) {
      graphs.add(quad.graph.value);
      const graph = this.#oxigraph.namedNode(quad.graph.value);
      const line = lineOf(quad);
      const held = this.#store
        .match(
          this.#oxigraph.namedNode(quad.subject.value),
          this.#oxigraph.namedNode(quad.predicate.value),
          null,
          graph,
        )
        .filter((one) => lineOf(one) === line);
      for (const one of held) this.#remove(one);
    }
    for (const graph of graphs) this.#dropIfEmpty(graph);
  }

  /** The results of a SELECT or ASK as SPARQL 1.1 Results JSON. Throws what the engine throws. */
  results(text: string, dataset?: QueryDatasetClause): string {
    return String(this.#asked(dataset).query(text, { results_format: 'json' }));
  }

  /** The triples of a CONSTRUCT or DESCRIBE, each once. Throws what the engine throws. */
  triples(text: string, dataset?: QueryDatasetClause): readonly EngineQuad[] {
    const answer = this.#asked(dataset).query(text);
    return Array.isArray(answer) ? answer.filter((one) => 'subject' in one) : [];
  }

  #asked(dataset: QueryDatasetClause | undefined): OxigraphStore {
    return dataset === undefined ? this.#store : this.#chosen(dataset);
  }

  /** A store of the graphs that FROM names, merged, and of those that FROM NAMED names. */
  #chosen({ merged, named }: QueryDatasetClause): OxigraphStore {
    const { Store, namedNode, defaultGraph } = this.#oxigraph;
    const chosen = new Store();
    const copy = (graph: string, target: ReturnType<typeof namedNode> | ReturnType<typeof defaultGraph>) => {
      const text = this.#store.dump({ format: 'nt', from_graph_name: namedNode(graph) });
      chosen.load(text, { format: 'nt', to_graph_name: target, lenient: true });
    };
    for (const graph of merged) copy(graph, defaultGraph());
    for (const graph of named) copy(graph, namedNode(graph));
    return chosen;
  }

  #remove(quad: EngineQuad): void {
    this.#store.delete(quad);
    const stated = this.#store.match(quad.subject, quad.predicate, quad.object, null);
    const [only] = stated;
    if (stated.length === 1 && only?.graph.termType === 'DefaultGraph') this.#store.delete(only);
  }

  /** The engine keeps the name of a graph of which every triple was taken out, and `GRAPH ?g { }` would give it. */
  #dropIfEmpty(graph: string): void {
    const text = iriText(graph);
    const isStated = this.#store.query(`ASK { GRAPH ${text} { ?s ?p ?o } }`);
    if (isStated === false) this.#store.update(`DROP SILENT GRAPH ${text}`);
  }

  /** Where a line is nothing to the engine (a tag of a language with a digit first), the others are put in all the same. */
  #load(lines: readonly string[]): void {
    if (lines.length === 0) return;
    try {
      this.#store.load(lines.join(''), { format: 'nq', lenient: true });
    } catch (error) {
      if (isTrap(error)) throw error;
      if (lines.length === 1) return;
      const middle = Math.ceil(lines.length / 2);
      this.#load(lines.slice(0, middle));
      this.#load(lines.slice(middle));
    }
  }
}

/** The engine has stopped in the middle of something, for lack of memory or depth, and is not to be used again. */
export function isTrap(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError';
}

function lineOf({ subject, predicate, object }: EngineQuad | Quad): string {
  return tripleLine(
    termText(subject as Quad['subject']),
    termText(predicate as Quad['predicate']),
    termText(object as Quad['object']),
  );
}

function* textsOf(quads: Iterable<Quad>): Generator<readonly [string, string, string, string]> {
  for (const { subject, predicate, object, graph } of quads) {
    yield [termText(subject), termText(predicate), termText(object), termText(graph)];
  }
}

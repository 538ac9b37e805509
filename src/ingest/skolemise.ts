import type { Quad } from '@rdfjs/types';
import { localName } from '../store/node-iri.js';
import { Iri, LiteralTerm, QuadTerm } from '../store/rdf-terms.js';
import { propertyIri, rdf, terms } from '../store/vocabulary.js';
import { BlankForest, type Edge, type ListCell } from './blank-forest.js';
import type { PlainQuad, PlainTerm } from './quad.js';

/**
 * Gives every blank node an IRI from its place in the structure and puts all quads in the graph of the document
 * (DESIGN decision 14): `<tool>/input/<port name>`, `…/arg`, `<tool>/remedy/0`; a list cell is its item's IRI and `/cell`;
 * what no named node leads to is `<document>/node/<n>`. Below a node that gets no class here, because another document is
 * its home, it is `<document>/<IRI of the node, percent-encoded>/remedy/0`: two documents that each state a remedy of one
 * Tool would else name both `<tool>/remedy/0`. The names below a node at home do not depend on such statements. The result depends neither on blank node labels nor, for trees, on
 * the order of the quads, so an edit of one port touches the quads of that port. Pure; keeps isomorphism.
 */
export function skolemise(quads: readonly PlainQuad[], document: string): Quad[] {
  const names = nameBlankNodes(quads, document);
  const graph = new Iri(document);
  const iris = new Map<string, Iri>();
  const iri = (value: string): Iri => {
    const known = iris.get(value) ?? new Iri(value);
    iris.set(value, known);
    return known;
  };
  const resource = (term: PlainTerm): Iri => iri(term.termType === 'BlankNode' ? nameOf(term, names) : term.value);
  return quads.map(({ subject, predicate, object }) => {
    const value = object.termType === 'Literal' ? literal(object, iri) : resource(object);
    return new QuadTerm(resource(subject), iri(predicate.value), value, graph);
  });
}

/** Language tags in lower case, which is their value (RDF 1.1 Concepts §3.3). */
function literal({ value, datatype, language }: PlainTerm, iri: (value: string) => Iri): LiteralTerm {
  return new LiteralTerm(value, datatype === undefined ? undefined : iri(datatype.value), language?.toLowerCase());
}

function nameOf(term: PlainTerm, names: ReadonlyMap<string, string>): string {
  const name = names.get(term.value);
  if (name === undefined) throw new Error(`blank node _:${term.value} has no name`);
  return name;
}

function nameBlankNodes(quads: readonly PlainQuad[], document: string): ReadonlyMap<string, string> {
  const forest = new BlankForest(quads);
  const naming = new Naming(forest);
  if (forest.isEmpty) return naming.names;
  const { atHome, elsewhere } = forest.namedRoots();
  for (const subject of atHome) naming.follow(subject, forest.edgesOfNamed(subject));
  for (const subject of elsewhere) {
    naming.follow(`${document}/${encodeURIComponent(subject)}`, forest.edgesOfNamed(subject));
  }
  let n = 0;
  for (const label of forest.orphanOrder(naming.names)) {
    if (naming.names.has(label)) continue;
    while (!naming.claim(label, `${document}/node/${n}`)) n += 1;
    n += 1;
    naming.follow(naming.names.get(label) ?? document, forest.edgesOfBlank(label));
  }
  return naming.names;
}

/** Characters after the root of a name: along a chain of thousands the names would else be megabytes. */
const longestPath = 1000;

/** The names that are given so far. Breadth first, so that a node which several lead to gets its shortest name. */
class Naming {
  readonly names = new Map<string, string>();
  readonly #taken: Set<string>;
  readonly #forest: BlankForest;

  constructor(forest: BlankForest) {
    this.#forest = forest;
    this.#taken = forest.iris;
  }

  /** Gives the name unless another node has it, be it named in the document itself. */
  claim(label: string, name: string): boolean {
    if (this.#taken.has(name)) return false;
    this.#taken.add(name);
    this.names.set(label, name);
    return true;
  }

  follow(root: string, edges: readonly Edge[]): void {
    const queue: { parent: string; edges: readonly Edge[] }[] = [{ parent: root, edges }];
    for (const { parent, edges: next } of queue) {
      // What lies deeper is named as what no named node leads to.
      if (parent.length - root.length > longestPath) continue;
      for (const label of this.#nameChildren(parent, next)) {
        queue.push({ parent: this.names.get(label) ?? parent, edges: this.#forest.edgesOfBlank(label) });
      }
    }
  }

  /** Names what one node leads to and returns the labels whose own children are still to be named. */
  #nameChildren(parent: string, edges: readonly Edge[]): string[] {
    const named: string[] = [];
    for (const [predicate, labels] of this.#forest.siblings(edges)) {
      const start = `${parent}/${segment(predicate)}`;
      for (const [i, label] of labels.entries()) {
        if (this.names.has(label)) continue;
        const cells = this.#forest.listFrom(label, this.names);
        if (cells !== undefined) {
          named.push(...this.#nameList(i === 0 ? start : `${start}/${i}`, cells));
        } else {
          const alone = labels.length === 1 && single.has(predicate);
          this.#claimFirst(label, alone ? [start] : [`${start}/${i}`]);
          named.push(label);
        }
      }
    }
    return named;
  }

  #nameList(start: string, cells: readonly ListCell[]): string[] {
    const named: string[] = [];
    const uses = new Map<string, number>();
    const portNames = cells.map(({ item }) => this.#forest.portName(item));
    for (const name of portNames) if (name !== undefined) uses.set(name, (uses.get(name) ?? 0) + 1);
    for (const [i, { cell, item }] of cells.entries()) {
      const name = portNames[i];
      let own = `${start}/${i}`;
      if (item?.termType === 'BlankNode' && !this.names.has(item.value)) {
        const unique = name !== undefined && uses.get(name) === 1;
        own = this.#claimFirst(item.value, unique ? [`${start}/${encodeURIComponent(name)}`, own] : [own]);
        named.push(item.value);
      } else if (item?.termType === 'NamedNode' && this.#forest.isInside(item.value)) {
        own = item.value;
      }
      this.#claimFirst(cell, [`${own}/cell`]);
    }
    return named;
  }

  /** The first of the candidates that is free, or the last with a number. */
  #claimFirst(label: string, candidates: readonly string[]): string {
    for (const name of candidates) if (this.claim(label, name)) return name;
    const last = candidates.at(-1) ?? '';
    for (let n = 1; ; n++) if (this.claim(label, `${last}~${n}`)) return `${last}~${n}`;
  }
}

/** Keys whose value is one node: it needs no index. */
const single = new Set(terms.filter((row) => row.kind === 'node').map((row) => row.iri));
const segments = new Map([
  ...terms.map(({ iri }) => [iri, lastPart(iri)] as const),
  [propertyIri('inputs'), 'input'],
  [propertyIri('outputs'), 'output'],
  [rdf.rest, 'rest'],
]);

/** The last part of a property IRI, as a path segment. */
function segment(predicate: string): string {
  return segments.get(predicate) ?? lastPart(predicate);
}

function lastPart(predicate: string): string {
  return encodeURIComponent(localName(predicate)) || 'value';
}

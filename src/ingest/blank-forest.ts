import { byCodeUnits } from '../code-units.js';
import { foreignKind } from '../store/foreign-vocabulary.js';
import { propertyIri, rdf } from '../store/vocabulary.js';
import type { PlainQuad, PlainTerm } from './quad.js';

/** A quad whose object is a blank node, seen from its subject. */
export interface Edge {
  readonly predicate: string;
  /** Label of the blank node, without `_:`. */
  readonly label: string;
}

/** One cell of an RDF list. */
export interface ListCell {
  readonly cell: string;
  readonly item: PlainTerm | undefined;
}

const nameIri = propertyIri('name');
const maxRounds = 64;
/** Ranks that are given in all rounds together, some seconds of work: a long chain splits off only one node in each. */
const maxRanked = 500_000;
/** Segments after the IRI of a Tool in the name of a node inside of it: `/input/<port name>/arg`. */
const deepestInside = 3;

/** The blank nodes of some quads and what leads to them. Built in one pass; orders are worked out only where they matter. */
export class BlankForest {
  /** IRIs of subjects and objects: names that a blank node cannot get. */
  readonly iris = new Set<string>();
  /** Named subjects that get a class here, other than one of a harness's vocabulary: their derived description is their home. */
  readonly #homes = new Set<string>();
  readonly #fromNamed = new Map<string, Edge[]>();
  readonly #fromBlank = new Map<string, PlainQuad[]>();
  readonly #blankEdges = new Map<string, Edge[]>();
  #ranks: ReadonlyMap<string, number> | undefined;

  constructor(quads: readonly PlainQuad[]) {
    for (const quad of quads) {
      const { subject, predicate, object } = quad;
      const toBlank = object.termType === 'BlankNode';
      if (object.termType === 'NamedNode') this.iris.add(object.value);
      if (toBlank) ensure(this.#fromBlank, object.value);
      if (subject.termType === 'BlankNode') {
        ensure(this.#fromBlank, subject.value).push(quad);
        if (toBlank) ensure(this.#blankEdges, subject.value).push({ predicate: predicate.value, label: object.value });
      } else {
        this.iris.add(subject.value);
        if (predicate.value === rdf.type && foreignKind(object.value) === undefined) this.#homes.add(subject.value);
        if (toBlank) ensure(this.#fromNamed, subject.value).push({ predicate: predicate.value, label: object.value });
      }
    }
  }

  get isEmpty(): boolean {
    return this.#fromBlank.size === 0;
  }

  /** Named subjects that lead to a blank node, sorted: those that are at home in these quads, and the others. */
  namedRoots(): { readonly atHome: readonly string[]; readonly elsewhere: readonly string[] } {
    const roots = [...this.#fromNamed.keys()].sort(byCodeUnits);
    return {
      atHome: roots.filter((iri) => this.#isAtHome(iri)),
      elsewhere: roots.filter((iri) => !this.#isAtHome(iri)),
    };
  }

  /** Whether the IRI is that of a port, an arg and the like of a node that is at home in these quads. */
  isInside(iri: string): boolean {
    let outer = iri;
    for (let level = 0; level < deepestInside; level++) {
      outer = outer.slice(0, Math.max(0, outer.lastIndexOf('/')));
      if (this.#homes.has(outer)) return true;
    }
    return false;
  }

  edgesOfNamed(iri: string): readonly Edge[] {
    return this.#fromNamed.get(iri) ?? [];
  }

  edgesOfBlank(label: string): readonly Edge[] {
    return this.#blankEdges.get(label) ?? [];
  }

  /** Edges by predicate, sorted; the nodes under one predicate are in the order of their content. */
  siblings(edges: readonly Edge[]): [predicate: string, labels: string[]][] {
    if (edges.length === 0) return [];
    const groups = new Map<string, string[]>();
    for (const { predicate, label } of edges) ensure(groups, predicate).push(label);
    for (const labels of groups.values()) if (labels.length > 1) this.#sortByContent(labels);
    return [...groups].sort(([a], [b]) => byCodeUnits(a, b));
  }

  /**
   * The cells of the list that begins at `label`, up to a cell that has a name already; undefined where none begins. A
   * cell has one `rdf:first`, one `rdf:rest` and nothing else.
   */
  listFrom(label: string, named: ReadonlyMap<string, string>): ListCell[] | undefined {
    const cells: ListCell[] = [];
    const seen = new Set<string>();
    for (let at = label; !seen.has(at) && !named.has(at); ) {
      const quads = this.#quadsOf(at);
      const rest = quads.find(({ predicate }) => predicate.value === rdf.rest);
      const first = quads.find(({ predicate }) => predicate.value === rdf.first);
      if (quads.length !== 2 || rest === undefined || first === undefined) break;
      seen.add(at);
      cells.push({ cell: at, item: first.object });
      if (rest.object.termType !== 'BlankNode') break;
      at = rest.object.value;
    }
    return cells.length === 0 ? undefined : cells;
  }

  /** The one `name` of a node, which ports have. */
  portName(item: PlainTerm | undefined): string | undefined {
    if (item?.termType !== 'BlankNode') return undefined;
    const names = this.#quadsOf(item.value).filter(({ predicate }) => predicate.value === nameIri);
    const object = names.length === 1 ? names[0]?.object : undefined;
    return object?.termType === 'Literal' && object.value !== '' ? object.value : undefined;
  }

  /** Blank nodes without a name: first those that no other of them leads to, then the cycles; each in order of content. */
  orphanOrder(named: ReadonlyMap<string, string>): string[] {
    const orphans = [...this.#fromBlank.keys()].filter((label) => !named.has(label));
    const led = new Set(orphans.flatMap((label) => this.edgesOfBlank(label).map((edge) => edge.label)));
    const roots = orphans.filter((label) => !led.has(label));
    const others = orphans.filter((label) => led.has(label));
    for (const labels of [roots, others]) if (labels.length > 1) this.#sortByContent(labels);
    return [...roots, ...others];
  }

  /** A node inside of another, such as `<tool>/input/<port name>`, is at home where that one is. */
  #isAtHome(iri: string): boolean {
    return this.#homes.has(iri) || this.isInside(iri);
  }

  #quadsOf(label: string): readonly PlainQuad[] {
    return this.#fromBlank.get(label) ?? [];
  }

  #sortByContent(labels: string[]): void {
    this.#ranks ??= this.#rankAll();
    const ranks = this.#ranks;
    labels.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  }

  /**
   * Colour refinement: nodes are ranked by their own literals and IRIs, then again by the ranks of what they lead to, until
   * no rank is split any more. Two nodes of a tree that keep one rank are alike, so their order does not matter.
   */
  #rankAll(): ReadonlyMap<string, number> {
    const labels = [...this.#fromBlank.keys()];
    const edges = new Map(labels.map((label) => [label, this.edgesOfBlank(label)]));
    let ranks = rankBy(labels, (label) => this.#ground(label));
    let distinct = new Set(ranks.values()).size;
    const rounds = Math.min(maxRounds, Math.floor(maxRanked / Math.max(1, labels.length)));
    for (let round = 0; round < rounds; round++) {
      const before = ranks;
      ranks = rankBy(labels, (label) => {
        const to = (edges.get(label) ?? []).map((edge) => `${edge.predicate} ${before.get(edge.label)}`);
        return `${String(before.get(label)).padStart(8, '0')} ${to.sort(byCodeUnits).join(' ')}`;
      });
      const now = new Set(ranks.values()).size;
      if (now === distinct) break;
      distinct = now;
    }
    return ranks;
  }

  #ground(label: string): string {
    const own = this.#quadsOf(label).filter(({ object }) => object.termType !== 'BlankNode');
    return own
      .map(({ predicate, object }) => JSON.stringify([predicate.value, ...termKey(object)]))
      .sort(byCodeUnits)
      .join('');
  }
}

function termKey({ termType, value, datatype, language }: PlainTerm): (string | undefined)[] {
  return [termType, value, datatype?.value, language];
}

function rankBy(labels: readonly string[], keyOf: (label: string) => string): Map<string, number> {
  const keys = labels.map(keyOf);
  const order = new Map([...new Set(keys)].sort(byCodeUnits).map((key, i) => [key, i]));
  return new Map(labels.map((label, i) => [label, order.get(keys[i] ?? '') ?? 0]));
}

function ensure<T>(groups: Map<string, T[]>, key: string): T[] {
  let group = groups.get(key);
  if (group === undefined) {
    group = [];
    groups.set(key, group);
  }
  return group;
}

import type { Quad, Term } from '@rdfjs/types';
import { byCodeUnits } from '../code-units.js';
import { parseJsonLiteral } from './json-literal.js';
import { bareName } from './node-iri.js';
import { encodeTerm } from './terms.js';
import { rdf, type TermRow, terms, XSD } from './vocabulary.js';

/** Items of one list or set. The schema allows fewer; this only bounds the work. */
const mostItems = 1000;
const shownCharacters = 60;

/** What is wrong at a key of a node. An item of a set has the path of the set: its place in the file is not known. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The keys that a node has in its source form, in the order of `terms`, and the nodes inside of it. */
export interface NodeForm {
  readonly rows: readonly TermRow[];
  readonly inner: ReadonlyMap<string, NodeForm>;
}

export function nodeForm(keys: readonly string[], inner: Readonly<Record<string, NodeForm>> = {}): NodeForm {
  const wanted = new Set(keys);
  return { rows: terms.filter(({ key }) => wanted.has(key)), inner: new Map(Object.entries(inner)) };
}

/** The quads of one document graph, by subject and predicate. A triple that is given twice is one. */
export class GraphIndex {
  readonly #objects = new Map<string, Map<string, Term[]>>();
  readonly #instances = new Map<string, Set<string>>();

  constructor(quads: readonly Quad[]) {
    for (const { subject, predicate, object } of quads) {
      const key = nodeKey(subject);
      const ofSubject = entry(this.#objects, key, () => new Map<string, Term[]>());
      entry(ofSubject, predicate.value, () => []).push(object);
      if (predicate.value !== rdf.type || object.termType !== 'NamedNode') continue;
      entry(this.#instances, object.value, () => new Set()).add(key);
    }
  }

  /** Each once and sorted, so that a result never depends on the order of the quads. */
  objects(subject: string, predicate: string): readonly Term[] {
    const found = this.#objects.get(subject)?.get(predicate) ?? [];
    if (found.length < 2) return found;
    const distinct = new Map(found.map((term) => [encodeTerm(term), term]));
    return [...distinct].sort(([a], [b]) => byCodeUnits(a, b)).map(([, term]) => term);
  }

  /** IRIs of the class, sorted by code units. */
  instances(type: string): string[] {
    return [...(this.#instances.get(type) ?? [])].sort();
  }
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function nodeKey(term: Term): string {
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value;
}

/**
 * Builds the source form of nodes out of their quads, by the table of the vocabulary: lists in order, sets sorted, references to nodes of
 * this instance as bare names. Keys are always in the order of the table. Triples that the form does not name are left alone.
 */
export class NodeReader {
  readonly #graph: GraphIndex;
  readonly #base: string;
  #faults: Fault[] = [];

  constructor(graph: GraphIndex, base: string) {
    this.#graph = graph;
    this.#base = base;
  }

  read(subject: string, form: NodeForm): { readonly node: Record<string, unknown>; readonly faults: readonly Fault[] } {
    this.#faults = [];
    const node = this.#node(subject, form, []);
    return { node, faults: this.#faults };
  }

  // Recursion ends with the forms, which are finite: Tool, port, arg.
  #node(subject: string, form: NodeForm, path: Fault['path']): Record<string, unknown> {
    const node: Record<string, unknown> = {};
    for (const row of form.rows) {
      const objects = this.#graph.objects(subject, row.iri);
      if (objects.length === 0) continue;
      const value = this.#field(row, objects, form.inner.get(row.key), [...path, row.key]);
      if (value !== undefined) node[row.key] = value;
    }
    return node;
  }

  #field(row: TermRow, objects: readonly Term[], inner: NodeForm | undefined, path: Fault['path']): unknown {
    if (objects.length > mostItems) return this.#fault(path, `expected at most ${mostItems} values`);
    const read = (term: Term, at: Fault['path']) => this.#value(row, term, inner, at);
    if (row.many) return sortedSet(objects.map((term) => read(term, path)).filter((value) => value !== undefined));
    const [first, ...others] = objects;
    if (first === undefined) return undefined;
    if (row.kind === 'list') {
      if (others.length > 0) return this.#fault(path, 'two different lists; keep one');
      return this.#list(first, path)?.map((term, i) => read(term, [...path, i]));
    }
    const value = read(first, path);
    const second = others.map((term) => read(term, path)).find((other) => shown(other) !== shown(value));
    if (second === undefined || value === undefined) return value;
    const [a, b] = [cut(shown(value)), cut(shown(second))].sort();
    return this.#fault(path, `two different values, ${a} and ${b}; keep one`);
  }

  /** The items of an RDF list (RDF Schema 1.1 §5.2), or undefined when it is broken. */
  #list(head: Term, path: Fault['path']): Term[] | undefined {
    const items: Term[] = [];
    const seen = new Set<string>();
    for (let cell = head; cell.value !== rdf.nil; ) {
      const [item, otherItem] = this.#graph.objects(nodeKey(cell), rdf.first);
      const [rest, otherRest] = this.#graph.objects(nodeKey(cell), rdf.rest);
      if (item === undefined || rest === undefined || cell.termType === 'Literal') {
        return this.#fault(path, 'expected a list that ends in rdf:nil, with rdf:first and rdf:rest in every cell');
      }
      if (otherItem !== undefined || otherRest !== undefined) {
        return this.#fault(path, 'a cell of the list has two values of rdf:first or rdf:rest; keep one');
      }
      if (seen.has(nodeKey(cell))) return this.#fault(path, 'the list comes back to itself; end it in rdf:nil');
      if (items.length >= mostItems) return this.#fault(path, `expected at most ${mostItems} items`);
      seen.add(nodeKey(cell));
      items.push(item);
      cell = rest;
    }
    return items;
  }

  #value(row: TermRow, term: Term, inner: NodeForm | undefined, path: Fault['path']): unknown {
    switch (row.kind) {
      case 'text':
        return this.#text(term, path);
      case 'boolean':
      case 'integer':
        return this.#number(row.kind, term, path);
      case 'json':
        return this.#json(term, path);
      case 'tool':
      case 'skill':
      case 'iri':
        if (term.termType !== 'NamedNode') return this.#fault(path, `expected an IRI, found ${shownTerm(term)}`);
        return row.kind === 'iri' ? term.value : bareName(this.#base, row.kind, term.value);
      default:
        if (term.termType === 'Literal' || inner === undefined) {
          return this.#fault(path, `expected a node, found ${shownTerm(term)}`);
        }
        return this.#node(nodeKey(term), inner, path);
    }
  }

  #text(term: Term, path: Fault['path']): unknown {
    const plain = term.termType === 'Literal' && [`${XSD}string`, rdf.langString].includes(term.datatype.value);
    return plain ? term.value : this.#fault(path, `expected a string, found ${shownTerm(term)}`);
  }

  #number(kind: 'boolean' | 'integer', term: Term, path: Fault['path']): unknown {
    if (term.termType === 'Literal' && term.datatype.value === XSD + kind) {
      if (kind === 'boolean' && /^(?:true|false|0|1)$/.test(term.value)) return /^(?:true|1)$/.test(term.value);
      if (kind === 'integer' && /^[+-]?\d{1,15}$/.test(term.value)) return Number(term.value);
    }
    return this.#fault(path, `expected a literal of the type xsd:${kind}, found ${shownTerm(term)}`);
  }

  #json(term: Term, path: Fault['path']): unknown {
    if (term.termType !== 'Literal' || term.datatype.value !== rdf.JSON) {
      return this.#fault(path, `expected a literal of the type rdf:JSON, found ${shownTerm(term)}`);
    }
    const json = parseJsonLiteral(term.value);
    return 'fault' in json ? this.#fault(path, json.fault) : json.value;
  }

  #fault(path: Fault['path'], message: string): undefined {
    this.#faults.push({ path, message });
    return undefined;
  }
}

/** Strings by code units and each once; nodes by their text, whose keys are in a fixed order. */
function sortedSet(values: readonly unknown[]): unknown[] {
  const strings = values.filter((value) => typeof value === 'string');
  if (strings.length === values.length) return [...new Set(strings)].sort();
  return [...values].sort((a, b) => byCodeUnits(shown(a), shown(b)));
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function shownTerm(term: Term): string {
  if (term.termType !== 'Literal') return `<${cut(term.value)}>`;
  return `${cut(JSON.stringify(term.value))} of the type <${term.datatype.value}>`;
}

function cut(text: string): string {
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`;
}

import type { Term } from '@rdfjs/types';
import { byCodeUnits } from '../code-units.js';
import { nodeKey, type Statements } from './graph-index.js';
import { parseJsonLiteral } from './json-literal.js';
import type { Fault } from './node-fault.js';
import type { NodeForm } from './node-forms.js';
import { bareName } from './node-iri.js';
import { rdf, type TermRow, XSD } from './vocabulary.js';

/** Items of one list or set. The schema allows fewer; this only bounds the work. */
const mostItems = 1000;
/** Values, or lists, that are compared where one belongs. */
const mostCompared = 16;
const shownCharacters = 60;
/** Datatypes of plain literals. */
const textTypes: ReadonlySet<string> = new Set([`${XSD}string`, rdf.langString]);

/** A node in its source form, what is wrong with it, and the subjects that it was read from: itself and its parts. */
export interface NodeReading {
  readonly node: Record<string, unknown>;
  readonly faults: readonly Fault[];
  readonly subjects: ReadonlySet<string>;
}

/**
 * Builds the source form of nodes out of their quads, by the table of the vocabulary: lists in order, sets sorted, references to nodes of
 * this instance as bare names. Keys are always in the order of the table. Triples that the form does not name are left alone.
 */
export class NodeReader {
  readonly #statements: Statements;
  readonly #base: string;
  #faults: Fault[] = [];
  #subjects = new Set<string>();

  constructor(statements: Statements, base: string) {
    this.#statements = statements;
    this.#base = base;
  }

  read(subject: string, form: NodeForm): NodeReading {
    this.#faults = [];
    this.#subjects = new Set();
    const node = this.#node(subject, form, []);
    return { node, faults: this.#faults, subjects: this.#subjects };
  }

  // Recursion ends with the forms, which are finite: Tool, port, arg.
  #node(subject: string, form: NodeForm, path: Fault['path']): Record<string, unknown> {
    this.#subjects.add(subject);
    const node: Record<string, unknown> = {};
    for (const row of form.rows) {
      const objects = this.#statements.objects(subject, row.iri);
      if (objects.length === 0) continue;
      const value = this.#field({ subject, row, objects, inner: form.inner.get(row.key) }, [...path, row.key]);
      if (value !== undefined) node[row.key] = value;
    }
    return node;
  }

  #field(field: Field, path: Fault['path']): unknown {
    const { row, objects, inner } = field;
    const isList = row.kind === 'list';
    const read = (term: Term, at: Fault['path']) => this.#value(row, term, inner, at);
    if (row.many) {
      if (objects.length > mostItems) return this.#fault(path, `expected at most ${mostItems} values`);
      return sortedSet(objects.map((term) => read(term, path)).filter((value) => value !== undefined));
    }
    if (objects.length > mostCompared) {
      return this.#fault(path, `expected one ${isList ? 'list' : 'value'}, found ${objects.length}`);
    }
    const whole = (term: Term): unknown =>
      isList ? this.#list(term, path)?.map((item, i) => read(item, [...path, i])) : read(term, path);
    const [first, ...others] = objects.map((term) => ({ term, value: whole(term) }));
    if (first?.value === undefined) return undefined;
    const second = others.find(({ value }) => value !== undefined && shown(value) !== shown(first.value));
    return second === undefined ? first.value : this.#conflict(field, first, second, path);
  }

  /** Two values of a key that has one: both are told and, where several documents are read, which state them. */
  #conflict({ subject, row }: Field, first: Stated, second: Stated, path: Fault['path']): undefined {
    const isList = row.kind === 'list';
    const places = [first, second].map(({ term }) => this.#statements.documentsOf(subject, row.iri, term));
    const areApart = places[0] !== places[1];
    const sides = [first, second].map(({ value }, i) => {
      const text = isList ? [] : [cut(shown(value))];
      return [...text, ...(areApart ? [`in ${places[i]}`] : [])].join(' ');
    });
    const told = isList && !areApart ? '' : `, ${sides.sort().join(' and ')}`;
    const message = `two different ${isList ? 'lists' : 'values'}${told}; keep one`;
    this.#faults.push({ path, message, ...(areApart ? { namesDocuments: true } : {}) });
    return undefined;
  }

  /** The items of an RDF list (RDF Schema 1.1 §5.2), or undefined when it is broken. */
  #list(head: Term, path: Fault['path']): Term[] | undefined {
    const items: Term[] = [];
    const seen = new Set<string>();
    for (let cell = head; cell.value !== rdf.nil; ) {
      if (cell.termType !== 'Literal') this.#subjects.add(nodeKey(cell));
      const [item, otherItem] = this.#statements.objects(nodeKey(cell), rdf.first);
      const [rest, otherRest] = this.#statements.objects(nodeKey(cell), rdf.rest);
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
    const plain = term.termType === 'Literal' && textTypes.has(term.datatype.value);
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

interface Field {
  readonly subject: string;
  readonly row: TermRow;
  readonly objects: readonly Term[];
  readonly inner: NodeForm | undefined;
}

interface Stated {
  readonly term: Term;
  readonly value: unknown;
}

/** Each once: strings by code units; nodes by their text, whose keys are in a fixed order. */
function sortedSet(values: readonly unknown[]): unknown[] {
  const byText = new Map(values.map((value) => [typeof value === 'string' ? value : shown(value), value]));
  return [...byText].sort(([a], [b]) => byCodeUnits(a, b)).map(([, value]) => value);
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

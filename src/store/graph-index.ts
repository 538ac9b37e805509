import type { Quad, Term } from '@rdfjs/types';
import { byCodeUnits } from '../code-units.js';
import { encodeTerm } from './term-text.js';
import { rdf } from './vocabulary.js';

/** What is stated of nodes, by subject and predicate. A subject is the IRI of a node, or `_:` and the label of a blank one. */
export interface Statements {
  /** Each once and sorted, so that a result never depends on the order of the quads. */
  objects(subject: string, predicate: string): readonly Term[];
  /** The documents that state this, in words; empty where there is only one in question. */
  documentsOf(subject: string, predicate: string, object: Term): string;
}

/** The quads of one document, by subject and predicate. A triple that is given twice is one. */
export class GraphIndex implements Statements {
  readonly #objects = new Map<string, Map<string, Term[]>>();
  readonly #instances = new Map<string, Set<string>>();

  constructor(quads: Iterable<Quad>) {
    for (const { subject, predicate, object } of quads) {
      const key = nodeKey(subject);
      const ofSubject = entry(this.#objects, key, () => new Map<string, Term[]>());
      entry(ofSubject, predicate.value, () => []).push(object);
      if (predicate.value !== rdf.type || object.termType !== 'NamedNode') continue;
      entry(this.#instances, object.value, () => new Set()).add(key);
    }
  }

  objects(subject: string, predicate: string): readonly Term[] {
    return distinctTerms(this.#objects.get(subject)?.get(predicate) ?? []);
  }

  documentsOf(): string {
    return '';
  }

  has(subject: string, predicate: string, object: Term): boolean {
    const text = encodeTerm(object);
    return (
      this.#objects
        .get(subject)
        ?.get(predicate)
        ?.some((term) => encodeTerm(term) === text) === true
    );
  }

  subjects(): Iterable<string> {
    return this.#objects.keys();
  }

  predicates(subject: string): Iterable<string> {
    return this.#objects.get(subject)?.keys() ?? [];
  }

  /** IRIs of the class, sorted by code units. */
  instances(type: string): string[] {
    return [...(this.#instances.get(type) ?? [])].sort();
  }
}

/** Each term once, sorted by its text. */
export function distinctTerms(terms: readonly Term[]): readonly Term[] {
  if (terms.length < 2) return terms;
  const distinct = new Map(terms.map((term) => [encodeTerm(term), term]));
  return [...distinct].sort(([a], [b]) => byCodeUnits(a, b)).map(([, term]) => term);
}

export function nodeKey(term: Term): string {
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value;
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

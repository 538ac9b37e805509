import type { BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term } from '@rdfjs/types';
import { XSD } from './vocabulary.js';

// The terms of RDF/JS (https://rdf.js.org/data-model-spec/), so that neither ingest nor a read of the store has to load n3 for its own.

export class Iri implements NamedNode {
  readonly termType = 'NamedNode';

  constructor(readonly value: string) {}

  equals(other: Term | null | undefined): boolean {
    return other?.termType === 'NamedNode' && other.value === this.value;
  }
}

export class BlankTerm implements BlankNode {
  readonly termType = 'BlankNode';

  constructor(readonly value: string) {}

  equals(other: Term | null | undefined): boolean {
    return other?.termType === 'BlankNode' && other.value === this.value;
  }
}

/** `language` and `direction` are empty except for the datatypes that have them. */
export class LiteralTerm implements Literal {
  readonly termType = 'Literal';

  constructor(
    readonly value: string,
    readonly datatype: NamedNode = xsdString,
    readonly language = '',
    readonly direction: 'ltr' | 'rtl' | '' = '',
  ) {}

  equals(other: Term | null | undefined): boolean {
    return (
      other?.termType === 'Literal' &&
      other.value === this.value &&
      other.language === this.language &&
      (other.direction ?? '') === this.direction &&
      other.datatype.value === this.datatype.value
    );
  }
}

export class DefaultGraphTerm implements DefaultGraph {
  readonly termType = 'DefaultGraph';
  readonly value = '';

  equals(other: Term | null | undefined): boolean {
    return other?.termType === 'DefaultGraph';
  }
}

export class QuadTerm implements Quad {
  readonly termType = 'Quad';
  readonly value = '';

  constructor(
    readonly subject: Quad['subject'],
    readonly predicate: Quad['predicate'],
    readonly object: Quad['object'],
    readonly graph: Quad['graph'],
  ) {}

  equals(other: Term | null | undefined): boolean {
    return (
      other?.termType === 'Quad' &&
      this.subject.equals(other.subject) &&
      this.predicate.equals(other.predicate) &&
      this.object.equals(other.object) &&
      this.graph.equals(other.graph)
    );
  }
}

const xsdString = new Iri(`${XSD}string`);

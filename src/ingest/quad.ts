import type { BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term } from '@rdfjs/types';
import canonicalize from 'canonicalize';
import { offsetBeyondDepth } from '../json-text.js';
import { RDF, XSD } from '../store/vocabulary.js';

/**
 * What `jsonld` and any RDF/JS source give: the terms without their methods. A direction (RDF 1.2) is not among them,
 * because jsonld refuses one in safe mode.
 */
export interface PlainTerm {
  readonly termType: string;
  readonly value: string;
  readonly language?: string;
  readonly datatype?: { readonly value: string };
}

export interface PlainQuad {
  readonly subject: PlainTerm;
  readonly predicate: PlainTerm;
  readonly object: PlainTerm;
}

/** An RDF/JS NamedNode (https://rdf.js.org/data-model-spec/). */
export class Iri implements NamedNode {
  readonly termType = 'NamedNode';
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  equals(other: Term | null | undefined): boolean {
    return other?.termType === 'NamedNode' && other.value === this.value;
  }
}

/** An RDF/JS Literal; `language` is empty except for `rdf:langString`. */
export class LiteralTerm implements Literal {
  readonly termType = 'Literal';
  readonly value: string;
  readonly datatype: NamedNode;
  readonly language: string;

  constructor(value: string, datatype: NamedNode = xsdString, language = '') {
    this.value = value;
    this.datatype = datatype;
    this.language = language;
  }

  equals(other: Term | null | undefined): boolean {
    return (
      other?.termType === 'Literal' &&
      other.value === this.value &&
      other.language === this.language &&
      other.datatype.value === this.datatype.value
    );
  }
}

/** An RDF/JS Quad without blank nodes. */
export class QuadTerm implements Quad {
  readonly termType = 'Quad';
  readonly value = '';
  readonly subject: NamedNode;
  readonly predicate: NamedNode;
  readonly object: NamedNode | Literal;
  readonly graph: NamedNode;

  constructor(subject: NamedNode, predicate: NamedNode, object: NamedNode | Literal, graph: NamedNode) {
    this.subject = subject;
    this.predicate = predicate;
    this.object = object;
    this.graph = graph;
  }

  equals(other: Term | null | undefined): boolean {
    return (
      other?.termType === 'Quad' &&
      this.subject.equals(other.subject) &&
      this.predicate.equals(other.predicate) &&
      this.object.equals(other.object) &&
      this.graph.equals(other.graph as BlankNode | DefaultGraph | NamedNode)
    );
  }
}

const xsdString = new Iri(`${XSD}string`);
const rdfJson = new Iri(`${RDF}JSON`);

/** JSON that is nested deeper is kept as it is written: what walks it recursively could exhaust the stack. */
const deepestJson = 100;

/**
 * The quads with each `rdf:JSON` literal in JCS, so that every form of a document gives the same quads (DESIGN decision 13).
 * jsonld writes those of a `@json` value so; one whose type is written out, or that comes from Turtle, can have any spelling.
 * A literal that is no JSON is left as it is.
 */
export function withCanonicalJson(quads: readonly PlainQuad[]): PlainQuad[] {
  return quads.map((quad) => {
    const { object } = quad;
    if (object.datatype?.value !== rdfJson.value) return quad;
    const value = canonicalText(object.value);
    return value === object.value ? quad : { ...quad, object: { ...object, value } };
  });
}

function canonicalText(text: string): string {
  if (offsetBeyondDepth(text, deepestJson) !== undefined) return text;
  try {
    return canonicalize(JSON.parse(text)) ?? text;
  } catch {
    return text;
  }
}

/** An `rdf:JSON` literal in JCS (RFC 8785), as jsonld writes one for `"@type": "@json"`. */
export function jsonLiteral(value: object): LiteralTerm {
  return new LiteralTerm(canonicalize(value) ?? '', rdfJson);
}

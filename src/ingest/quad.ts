import canonicalize from 'canonicalize';
import { offsetBeyondDepth } from '../json-text.js';
import { Iri, LiteralTerm } from '../store/rdf-terms.js';
import { rdf } from '../store/vocabulary.js';

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

const rdfJson = new Iri(rdf.JSON);

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

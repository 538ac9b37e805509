import { hash } from 'node:crypto';
import type { BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term } from '@rdfjs/types';
import { RDF, rdf, XSD } from './vocabulary.js';

/** What can stand in a column of the quad table. */
export type StoredTerm = NamedNode | BlankNode | Literal | DefaultGraph;

/** A row of the term dictionary: `lex` holds the text of a term whose key is a hash of it. */
export interface TermRecord {
  readonly key: string;
  readonly lex: string | null;
}

const xsdString = `${XSD}string`;

/** Longer texts are keyed by their hash: it keeps the unique index small (notes/rdf.md §2: 148 MB become 123). */
const longestKey = 48;

/**
 * One text for each term, as N3.js writes its term ids: an IRI as it is, `_:b0`, `"text"`, `"text"@en`, `"text"@ar--rtl`,
 * `"1"^^http://…#integer`, and `` for the default graph. Two terms have the same text exactly when they are equal.
 * Throws a TypeError for a variable or a quoted triple, which no document graph holds.
 */
export function encodeTerm(term: Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return isMistakable(term.value) ? `<${term.value}` : term.value;
    case 'BlankNode':
      return `_:${term.value}`;
    case 'Literal':
      return `"${term.value}"${escapeSuffix(literalSuffix(term))}`;
    case 'DefaultGraph':
      return '';
    default:
      throw new TypeError(`a ${term.termType} cannot be stored`);
  }
}

/** Whether an IRI, as it is, would be the text of another term. */
function isMistakable(iri: string): boolean {
  return iri === '' || '"_#<'.includes(iri.charAt(0));
}

/** The term behind a text of `encodeTerm`. */
export function decodeTerm(text: string): StoredTerm {
  if (text === '') return new StoredDefaultGraph();
  if (text.startsWith('<')) return new StoredNamedNode(text.slice(1));
  if (text.startsWith('_:')) return new StoredBlankNode(text.slice(2));
  if (!text.startsWith('"')) return new StoredNamedNode(text);
  const end = text.lastIndexOf('"');
  return decodeLiteral(text.slice(1, end), unescapeSuffix(text.slice(end + 1)));
}

/** The row of the term dictionary for a text of `encodeTerm`. `#` begins no such text, so a hash is never taken for a term. */
export function termRecord(text: string): TermRecord {
  if (text.length <= longestKey) return { key: text, lex: null };
  return { key: `#${hash('sha256', text, 'base64').slice(0, 22)}`, lex: text };
}

/** A quad in the shape of RDF/JS. */
export function storedQuad(subject: StoredTerm, predicate: StoredTerm, object: StoredTerm, graph: StoredTerm): Quad {
  return new StoredQuad(
    subject as Quad['subject'],
    predicate as Quad['predicate'],
    object as Quad['object'],
    graph as Quad['graph'],
  );
}

export function namedNode(iri: string): NamedNode {
  return new StoredNamedNode(iri);
}

function literalSuffix({ language, direction, datatype }: Literal): string {
  if (language) return direction ? `@${language}--${direction}` : `@${language}`;
  return datatype.value === xsdString ? '' : `^^${datatype.value}`;
}

// The text of a literal ends at the last quote, so a datatype or language of a hostile document must not hold one.
function escapeSuffix(suffix: string): string {
  return /["<]/.test(suffix) ? suffix.replace(/["<]/g, (found) => (found === '<' ? '<<' : '<q')) : suffix;
}

function unescapeSuffix(suffix: string): string {
  return suffix.includes('<') ? suffix.replace(/<([<q])/g, (_, kind) => (kind === '<' ? '<' : '"')) : suffix;
}

function decodeLiteral(value: string, suffix: string): Literal {
  if (suffix.startsWith('^^')) return new StoredLiteral(value, '', '', new StoredNamedNode(suffix.slice(2)));
  if (!suffix.startsWith('@')) return new StoredLiteral(value, '', '', new StoredNamedNode(xsdString));
  const [, language = '', direction = ''] = /^@(.*?)(?:--(ltr|rtl))?$/s.exec(suffix) ?? [];
  const datatype = direction === '' ? rdf.langString : `${RDF}dirLangString`;
  return new StoredLiteral(value, language, direction as 'ltr' | 'rtl' | '', new StoredNamedNode(datatype));
}

function equalTerms(one: Term, other: Term | null | undefined): boolean {
  if (other === null || other === undefined || one.termType !== other.termType) return false;
  return encodeTerm(one) === encodeTerm(other);
}

class StoredNamedNode implements NamedNode {
  readonly termType = 'NamedNode';
  constructor(readonly value: string) {}
  equals(other: Term | null | undefined): boolean {
    return equalTerms(this, other);
  }
}

class StoredBlankNode implements BlankNode {
  readonly termType = 'BlankNode';
  constructor(readonly value: string) {}
  equals(other: Term | null | undefined): boolean {
    return equalTerms(this, other);
  }
}

class StoredLiteral implements Literal {
  readonly termType = 'Literal';
  constructor(
    readonly value: string,
    readonly language: string,
    readonly direction: 'ltr' | 'rtl' | '',
    readonly datatype: NamedNode,
  ) {}
  equals(other: Term | null | undefined): boolean {
    return equalTerms(this, other);
  }
}

class StoredDefaultGraph implements DefaultGraph {
  readonly termType = 'DefaultGraph';
  readonly value = '';
  equals(other: Term | null | undefined): boolean {
    return equalTerms(this, other);
  }
}

class StoredQuad implements Quad {
  readonly termType = 'Quad';
  readonly value = '';
  constructor(
    readonly subject: Quad['subject'],
    readonly predicate: Quad['predicate'],
    readonly object: Quad['object'],
    readonly graph: Quad['graph'],
  ) {}
  equals(other: Term | null | undefined): boolean {
    if (other?.termType !== 'Quad') return false;
    return (
      this.subject.equals(other.subject) &&
      this.predicate.equals(other.predicate) &&
      this.object.equals(other.object) &&
      this.graph.equals(other.graph)
    );
  }
}

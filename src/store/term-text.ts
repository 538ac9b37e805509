import { hash } from 'node:crypto';
import type { BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term } from '@rdfjs/types';
import { BlankTerm, DefaultGraphTerm, Iri, LiteralTerm, QuadTerm } from './rdf-terms.js';
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
  if (text === '') return new DefaultGraphTerm();
  if (text.startsWith('<')) return new Iri(text.slice(1));
  if (text.startsWith('_:')) return new BlankTerm(text.slice(2));
  if (!text.startsWith('"')) return new Iri(text);
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
  return new QuadTerm(
    subject as Quad['subject'],
    predicate as Quad['predicate'],
    object as Quad['object'],
    graph as Quad['graph'],
  );
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
  if (suffix.startsWith('^^')) return new LiteralTerm(value, new Iri(suffix.slice(2)));
  if (!suffix.startsWith('@')) return new LiteralTerm(value);
  const [, language = '', direction = ''] = /^@(.*?)(?:--(ltr|rtl))?$/s.exec(suffix) ?? [];
  const datatype = direction === '' ? rdf.langString : `${RDF}dirLangString`;
  return new LiteralTerm(value, new Iri(datatype), language, direction as 'ltr' | 'rtl' | '');
}

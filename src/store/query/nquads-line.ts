import type { Literal, Term } from '@rdfjs/types';
import { RDF, rdf, XSD } from '../vocabulary.js';

/** A term in N-Quads, of any text: what an IRI may not hold is escaped. Throws a TypeError for what no document states. */
export function termText(term: Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return iriText(term.value);
    case 'BlankNode':
      return `_:${term.value}`;
    case 'Literal':
      return `"${term.value.replace(toEscape, escaped)}"${suffixOf(term)}`;
    default:
      throw new TypeError(`a ${term.termType} cannot be queried`);
  }
}

/** A triple in N-Quads, in the graph of this IRI or in the default graph, with the end of the line. The terms are texts of `termText`. */
export function tripleLine(subject: string, predicate: string, object: string, graph = ''): string {
  return `${subject} ${predicate} ${object} ${graph}${graph === '' ? '' : ' '}.\n`;
}

export function iriText(iri: string): string {
  return `<${iri.replace(/[\p{Cc} <>"{}|^`\\]/gu, escapedCode)}>`;
}

const toEscape = /["\\\p{Cc}]/gu;

function escaped(character: string): string {
  return character === '"' || character === '\\' ? `\\${character}` : escapedCode(character);
}

function escapedCode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;
}

function suffixOf({ language, direction, datatype }: Literal): string {
  if (datatype.value === `${RDF}dirLangString`) return `@${language}--${direction}`;
  if (datatype.value === rdf.langString) return `@${language}`;
  return datatype.value === `${XSD}string` ? '' : `^^${iriText(datatype.value)}`;
}

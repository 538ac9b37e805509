import type { BindingTerm } from '../store/query/graph-query.js';
import { Iri, LiteralTerm } from '../store/rdf-terms.js';
import { rdf } from '../store/vocabulary.js';
import { UsageError } from './arguments.js';

/** The terms of `--param name=value`, by name. Throws a UsageError. */
export function paramTerms(params: readonly (readonly [name: string, value: string])[]): Map<string, BindingTerm> {
  const terms = new Map<string, BindingTerm>();
  for (const [name, value] of params) {
    if (!/^[\p{L}\p{N}_]+$/u.test(name))
      throw new UsageError(`--param ${name}: expected NAME=VALUE, as skill=<urn:x:skill/a>`);
    if (terms.has(name)) throw new UsageError(`--param ${name}: it is given twice`);
    terms.set(name, termOf(name, value));
  }
  return terms;
}

function termOf(name: string, value: string): BindingTerm {
  const iri = /^<(.*)>$/s.exec(value)?.[1];
  if (iri !== undefined) return new Iri(iri);
  if (!value.startsWith('"')) return new LiteralTerm(value);
  const literal = /^"(.*)"(?:@([A-Za-z]+(?:-[A-Za-z0-9]+)*)|\^\^<(.*)>)?$/s.exec(value);
  if (literal === null)
    throw new UsageError(`--param ${name}: expected "text", "text"@en or "text"^^<IRI>, and it begins with a quote`);
  const [, text = '', language, datatype] = literal;
  if (language !== undefined) return new LiteralTerm(text, new Iri(rdf.langString), language.toLowerCase());
  return new LiteralTerm(text, datatype === undefined ? undefined : new Iri(datatype));
}

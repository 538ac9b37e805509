import { Iri, LiteralTerm } from '../rdf-terms.js';
import { PROV, rdf, TG, XSD } from '../vocabulary.js';
import { iriText, termText } from './nquads-line.js';

/** The generation that a service serves now, and by which key its history knows the sequence of its generations. */
export interface ServedGeneration {
  /** The prefix of the IRIs of its instance. */
  readonly base: string;
  readonly key: string;
  readonly number: number;
  readonly digest: string;
}

/** The graph in which a service says what it serves now; it is also the IRI of the service. */
export function serviceIri(base: string): string {
  return `${base}service`;
}

/** Texts of subject, predicate and object. Of all that the history knows, a query finds by these what holds for the one who asks. */
export function serviceStatements({ base, key, number, digest }: ServedGeneration): [string, string, string][] {
  const service = iriText(serviceIri(base));
  const statements = [
    [rdf.type, new Iri(`${PROV}SoftwareAgent`)],
    [`${TG}servesKey`, new LiteralTerm(key)],
    [`${TG}servesNumber`, new LiteralTerm(String(number), new Iri(`${XSD}integer`))],
    [`${TG}servesDigest`, new LiteralTerm(digest)],
  ] as const;
  return statements.map(([predicate, object]) => [service, iriText(predicate), termText(object)]);
}

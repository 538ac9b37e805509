import { nearestName } from '../nearest-name.js';
import { historyClasses, historyTerms } from '../store/history-vocabulary.js';
import { classes, rdf, TG, terms } from '../store/vocabulary.js';
import { findClaimFaults } from './iri-claims.js';
import { readJsonLiteral } from './json-literal.js';
import type { TreeLimits } from './json-tree.js';
import type { PlainQuad, PlainTerm } from './quad.js';

/** Something wrong in what a document says of one subject. */
export interface QuadFault {
  readonly subject: PlainTerm;
  readonly message: string;
}

export interface QuadSite {
  readonly base: string;
  /** Prefixes outside `base` that may be described (`describablePrefixes`). */
  readonly allowIris: readonly string[];
  /** Bounds on a JSON literal. */
  readonly json: TreeLimits;
}

/** What in quads that were not made from a tree is wrong by itself, without regard to the shape of the nodes. */
export function findQuadFaults(quads: readonly PlainQuad[], site: QuadSite): readonly QuadFault[] {
  const inQuads = quads.flatMap(({ subject, predicate, object }) => {
    const messages = [
      unknownTerm(predicate, object),
      object.datatype?.value === rdf.JSON ? jsonFault(object.value, predicate.value, site.json) : undefined,
    ];
    return messages.filter((message) => message !== undefined).map((message): QuadFault => ({ subject, message }));
  });
  return [...inQuads, ...claimFaults(quads, site)];
}

/** The IRI of a claim is a subject, or stands in what is said of one. */
function claimFaults(quads: readonly PlainQuad[], { base, allowIris }: QuadSite): QuadFault[] {
  const faults = findClaimFaults(quads, base, allowIris);
  const concerned = subjectsThatConcern(new Set(faults.map(({ iri }) => iri)), quads);
  return faults.flatMap(({ iri, message }) =>
    Array.from(concerned.get(iri)?.values() ?? [], (subject): QuadFault => ({ subject, message })),
  );
}

/** By IRI itself where it is a subject, else the subjects of which it is said. One pass, whatever the number of IRIs. */
function subjectsThatConcern(
  iris: ReadonlySet<string>,
  quads: readonly PlainQuad[],
): ReadonlyMap<string, ReadonlyMap<string, PlainTerm>> {
  const own = new Map<string, Map<string, PlainTerm>>();
  const mentioning = new Map<string, Map<string, PlainTerm>>();
  if (iris.size === 0) return own;
  const add = (to: Map<string, Map<string, PlainTerm>>, iri: string, subject: PlainTerm): void => {
    if (!iris.has(iri)) return;
    const subjects = to.get(iri) ?? new Map<string, PlainTerm>();
    subjects.set(`${subject.termType} ${subject.value}`, subject);
    to.set(iri, subjects);
  };
  for (const { subject, predicate, object } of quads) {
    if (subject.termType === 'NamedNode') add(own, subject.value, subject);
    add(mentioning, predicate.value, subject);
    if (object.termType === 'NamedNode') add(mentioning, object.value, subject);
  }
  return new Map([...mentioning, ...own]);
}

/** IRIs by the name that a person would write after our namespace: the last part of an IRI in it, or a key of ours. */
const properties = new Map([
  ...terms.map(({ key, iri }) => [key, iri] as const),
  ...terms.filter(({ iri }) => iri.startsWith(TG)).map(({ iri }) => [iri.slice(TG.length), iri] as const),
]);
// An export may have what the service states itself.
const propertyIris: ReadonlySet<string> = new Set([...properties.values(), ...Object.values(historyTerms)]);
const classIris: ReadonlySet<string> = new Set([...Object.values(classes), ...Object.values(historyClasses)]);

/** Words for a property or class of our namespace that the vocabulary does not have. */
export function unknownTerm(predicate: PlainTerm, object: PlainTerm): string | undefined {
  return predicate.value === rdf.type ? unknownClass(object.value) : unknownProperty(predicate.value);
}

/** In our own namespace there is nothing but what the vocabulary has, so another name there is a mistake (row G2 of JSON). */
function unknownProperty(iri: string): string | undefined {
  if (!iri.startsWith(TG) || propertyIris.has(iri)) return undefined;
  const meant = nearestName(iri.slice(TG.length), properties.keys());
  return `unknown property <${iri}>; ${didYouMean(meant === undefined ? undefined : properties.get(meant))}`;
}

function unknownClass(iri: string): string | undefined {
  if (!iri.startsWith(TG) || classIris.has(iri)) return undefined;
  const meant = nearestName(iri.slice(TG.length), Object.keys(classes));
  return `unknown class <${iri}>; ${didYouMean(meant === undefined ? undefined : TG + meant)}`;
}

function didYouMean(iri: string | undefined): string {
  return iri === undefined ? 'use a term of the vocabulary, or of a namespace of your own' : `did you mean <${iri}>?`;
}

function jsonFault(text: string, property: string, limits: TreeLimits): string | undefined {
  const read = readJsonLiteral(text, limits);
  if ('value' in read) return undefined;
  const place = read.pointer === '' ? '' : `${read.pointer}: `;
  return `the JSON literal of <${property}>: ${place}${read.message}`;
}

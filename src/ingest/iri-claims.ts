import { skillIri, toolIri, viewIri } from '../store/node-iri.js';
import { classes, propertyIri, rdf } from '../store/vocabulary.js';
import type { PlainQuad, PlainTerm } from './quad.js';

/** A subject that the document may not describe, or an IRI that is none. */
export interface ClaimFault {
  readonly iri: string;
  readonly message: string;
}

/** What an IRI may not hold (RFC 3987 §2.2; N-Quads grammar, IRIREF). */
const illegal = /[\s\p{Cc}\p{Cs}<>"{}|\\^`]/u;

/**
 * The prefixes of what a document may describe outside `base`: those of the config, and every IRI in a folder of the kind
 * `export` (tool-node.md §1, "IRIs").
 */
export function describablePrefixes(allowIris: readonly string[], folderKind: string | undefined): readonly string[] {
  return folderKind === 'export' ? [''] : allowIris;
}

/**
 * A document describes nodes of its own instance only (tool-node.md §1): each named subject lies under `base` or under a
 * prefix of `allowIris` (`describablePrefixes`), or is a type and nothing else, as type documents have any `$id`. A Tool, skill or
 * view under `base` has the IRI that belongs to its id or name.
 */
export function findClaimFaults(
  quads: readonly PlainQuad[],
  base: string,
  allowIris: readonly string[],
): readonly ClaimFault[] {
  const faults = new Map<string, ClaimFault>();
  const fault = (iri: string, message: string): void => {
    if (!faults.has(iri)) faults.set(iri, { iri, message });
  };
  const checked = new Set<string>();
  const check = ({ termType, value }: PlainTerm): void => {
    if (termType !== 'NamedNode' || checked.has(value)) return;
    checked.add(value);
    if (!illegal.test(value)) return;
    fault(
      value,
      `${JSON.stringify(value)} is no IRI, because it holds a space, one of <>"{}|\\^\` or no character; correct it`,
    );
  };
  let previous = '';
  let types: ReadonlySet<string> | undefined;
  for (const { subject, predicate, object } of quads) {
    check(predicate);
    check(object);
    // jsonld gives the quads of a subject one after another.
    if (subject.value === previous) continue;
    previous = subject.value;
    check(subject);
    if (subject.termType !== 'NamedNode' || mayDescribe(subject.value, base, allowIris)) continue;
    types ??= subjectsThatAreTypes(quads);
    if (!types.has(subject.value)) fault(subject.value, outside(subject.value, base));
  }
  for (const { iri, message } of misnamed(quads, base)) fault(iri, message);
  return [...faults.values()];
}

/** Whether a document may make statements about the IRI. */
function mayDescribe(iri: string, base: string, allowIris: readonly string[]): boolean {
  return iri.startsWith(base) || allowIris.some((prefix) => iri.startsWith(prefix));
}

/** Subjects whose one class is our Type. With a second class the IRI would be that of another node too. */
function subjectsThatAreTypes(quads: readonly PlainQuad[]): ReadonlySet<string> {
  const types = new Set<string>();
  const others = new Set<string>();
  for (const { subject, predicate, object } of quads) {
    if (predicate.value === rdf.type) (object.value === classes.Type ? types : others).add(subject.value);
  }
  return new Set([...types].filter((iri) => !others.has(iri)));
}

/** Words for an IRI that a document may not describe. */
export function outside(iri: string, base: string): string {
  return (
    `the document describes <${iri}>, which lies outside this instance (${base}); ` +
    'use an IRI of the instance, or list a prefix of it under allowIris in the config, ' +
    'or give the folder the kind "export"'
  );
}

const ownKinds = [
  { type: classes.Tool, key: propertyIri('id'), keyName: 'id', iriOf: toolIri },
  { type: classes.Skill, key: propertyIri('name'), keyName: 'name', iriOf: skillIri },
  { type: classes.View, key: propertyIri('id'), keyName: 'id', iriOf: viewIri },
];

/** Tools, skills and views under `base` whose IRI is not that of their id or name. */
function misnamed(quads: readonly PlainQuad[], base: string): ClaimFault[] {
  const kinds = new Map<string, (typeof ownKinds)[number]>();
  for (const { subject, predicate, object } of quads) {
    if (predicate.value !== rdf.type || !subject.value.startsWith(base)) continue;
    const kind = ownKinds.find(({ type }) => type === object.value);
    if (kind !== undefined) kinds.set(subject.value, kind);
  }
  if (kinds.size === 0) return [];
  return quads.flatMap(({ subject, predicate, object }) => {
    const kind = kinds.get(subject.value);
    if (kind === undefined || kind.key !== predicate.value) return [];
    const expected = kind.iriOf(base, object.value);
    if (expected === subject.value) return [];
    return [{ iri: subject.value, message: misnaming(subject.value, kind.keyName, object.value, expected) }];
  });
}

function misnaming(iri: string, key: string, value: string, expected: string): string {
  return `<${iri}> has the ${key} ${JSON.stringify(value)}, whose IRI is <${expected}>; make the two agree`;
}

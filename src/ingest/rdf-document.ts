import { documentIri } from '../store/node-iri.js';
import { type RdfFormat, readRdf } from '../store/read-rdf.js';
import { rdf } from '../store/vocabulary.js';
import type { Findings } from './findings.js';
import { describeForeign } from './foreign-nodes.js';
import type { IngestLimits } from './limits.js';
import type { NodesContent } from './nodes.js';
import { type PlainQuad, type PlainTerm, withCanonicalJson } from './quad.js';
import { findQuadFaults, type QuadFault, type QuadSite } from './quad-faults.js';
import { skolemise } from './skolemise.js';
import { innerNodes } from './source-nodes.js';

export interface RdfSite {
  readonly path: string;
  readonly base: string;
  /** Prefixes outside `base` that may be described (`describablePrefixes`). */
  readonly allowIris: readonly string[];
  readonly limits: IngestLimits;
}

/**
 * Reads a document in an RDF text format (tool-node.md §1): its quads without their graph names, JSON literals in JCS. What
 * is wrong with one subject leaves the others as they are; such a finding has the subject, as quads have no places.
 */
export async function ingestRdf(
  text: string,
  format: RdfFormat,
  { path, base, allowIris, limits }: RdfSite,
  findings: Findings,
): Promise<NodesContent> {
  const read = await readRdf(text, format, limits.depth);
  if ('message' in read) {
    findings.add('unreadable', read.message, { position: { line: read.line, column: read.column } });
    return nothing;
  }
  const stated = distinct(read.quads);
  const refusal = sizeFault(stated, limits.nodes);
  if (refusal !== undefined) {
    findings.add('invalid-node', refusal);
    return nothing;
  }
  const graph = documentIri(base, path);
  const json = { depth: limits.depth, items: limits.nodes * innerNodes };
  const { quads, broken } = soundQuads(stated, graph, { base, allowIris, json }, findings);
  const canonical = withCanonicalJson(quads);
  const foreign = await describeForeign(canonical, { path, base }, findings);
  return {
    quads: skolemise(canonical, graph),
    ...(foreign.derived.length === 0 ? {} : { derived: foreign.derived }),
    pointers: new Map(),
    broken: union(broken, foreign.broken),
  };
}

const nothing: NodesContent = { quads: [], pointers: new Map(), broken: 'all' };

/** Each triple once, as plain terms: graph names inside a document are dropped, and two graphs may have the same triple. */
function distinct(quads: readonly PlainQuad[]): PlainQuad[] {
  const triples = new Map<string, PlainQuad>();
  for (const quad of quads) {
    const [subject, predicate, object] = [plain(quad.subject), plain(quad.predicate), plain(quad.object)];
    // Only a literal can hold a line break, and its text comes last.
    const { termType, value, datatype, language = '' } = object;
    const start = `${subject.termType} ${subject.value}\n${predicate.value}\n`;
    triples.set(`${start}${termType} ${datatype?.value ?? ''}\n${language}\n${value}`, { subject, predicate, object });
  }
  return [...triples.values()];
}

function plain({ termType, value, datatype, language }: PlainTerm): PlainTerm {
  if (datatype === undefined) return { termType, value };
  return { termType, value, datatype: { value: datatype.value }, ...(language ? { language } : {}) };
}

function sizeFault(quads: readonly PlainQuad[], mostNodes: number): string | undefined {
  if (quads.length === 0) return 'the document holds no triple; describe a Tool or a skill in it, or remove the file';
  const subjects = new Set(quads.map(({ subject }) => subject.value));
  if (subjects.size > mostNodes * innerNodes) {
    return `${subjects.size} nodes; at most ${mostNodes * innerNodes} are read from one document, so split it`;
  }
  const ofClass = quads.filter(({ predicate }) => predicate.value === rdf.type);
  const nodes = new Set(ofClass.map(({ subject }) => subject.value)).size;
  if (nodes <= mostNodes) return undefined;
  return `${nodes} nodes of a class; at most ${mostNodes} are read from one document, so split it`;
}

interface SoundQuads {
  readonly quads: readonly PlainQuad[];
  readonly broken: readonly string[] | 'all';
}

/** Leaves out the subjects with which something is wrong, and tells what that is. */
function soundQuads(stated: readonly PlainQuad[], graph: string, site: QuadSite, findings: Findings): SoundQuads {
  const faults = findQuadFaults(stated, site);
  if (faults.length === 0) return { quads: stated, broken: [] };
  report(faults, stated, graph, findings);
  // Whose part a node without IRI is need not be clear.
  if (faults.some(({ subject }) => subject.termType !== 'NamedNode')) return { quads: [], broken: 'all' };
  const faulty = new Set(faults.map(({ subject }) => subject.value));
  const quads = without(faulty, stated);
  // An IRI that is none may also be what a subject that is left refers to.
  if (findQuadFaults(quads, site).length > 0) return { quads: [], broken: 'all' };
  return { quads, broken: [...faulty].sort() };
}

/** A node without IRI is called what it would be called in the graph. */
function report(faults: readonly QuadFault[], stated: readonly PlainQuad[], graph: string, findings: Findings): void {
  const names = new Map<string, string>();
  if (faults.some(({ subject }) => subject.termType !== 'NamedNode')) {
    const skolemised = skolemise(stated, graph);
    for (const [i, { subject }] of stated.entries()) names.set(subject.value, skolemised[i]?.subject.value ?? '');
  }
  for (const { subject, message } of faults) {
    findings.add('invalid-node', message, { subject: names.get(subject.value) ?? subject.value });
  }
}

/** The quads of the other subjects, and of what without IRI they lead to. */
function without(faulty: ReadonlySet<string>, quads: readonly PlainQuad[]): PlainQuad[] {
  const ofFaulty = reachedFrom(quads, (iri) => faulty.has(iri));
  const ofOthers = reachedFrom(quads, (iri) => !faulty.has(iri));
  return quads.filter(({ subject: { termType, value } }) => {
    if (termType === 'NamedNode') return !faulty.has(value);
    return ofOthers.has(value) || !ofFaulty.has(value);
  });
}

/** Labels of the blank nodes to which some named subjects lead. */
function reachedFrom(quads: readonly PlainQuad[], isRoot: (iri: string) => boolean): ReadonlySet<string> {
  const inside = new Map<string, string[]>();
  const found = new Set<string>();
  for (const { subject, object } of quads) {
    if (object.termType !== 'BlankNode') continue;
    if (subject.termType === 'BlankNode') {
      const known = inside.get(subject.value);
      if (known === undefined) inside.set(subject.value, [object.value]);
      else known.push(object.value);
    } else if (isRoot(subject.value)) {
      found.add(object.value);
    }
  }
  // A set that grows while it is walked is walked to its end.
  for (const label of found) for (const next of inside.get(label) ?? []) found.add(next);
  return found;
}

function union(one: SoundQuads['broken'], other: SoundQuads['broken']): SoundQuads['broken'] {
  return one === 'all' || other === 'all' ? 'all' : [...new Set([...one, ...other])].sort();
}

import type { NamedNode, Quad } from '@rdfjs/types';
import canonicalize from 'canonicalize';
import { historyClasses, prov, historyTerms as tg } from '../history-vocabulary.js';
import { documentIri, skillIri } from '../node-iri.js';
import { Iri, LiteralTerm, QuadTerm } from '../rdf-terms.js';
import { rdf, XSD } from '../vocabulary.js';
import { type HistoryIris, projectionIri } from './history-iris.js';
import type { CallFact, DocumentFact, GenerationFact, PartFact, RevisionFact, Span } from './history-rows.js';

/** What is stated of one subject after another, in one graph. A value that is null or undefined states nothing. */
class Statements {
  readonly quads: Quad[] = [];
  readonly #graph: NamedNode;

  constructor(graph: string) {
    this.#graph = new Iri(graph);
  }

  iri(subject: string, predicate: string, value: string | null | undefined): void {
    if (value != null) this.#add(subject, predicate, new Iri(value));
  }

  text(subject: string, predicate: string, value: string | null | undefined): void {
    if (value != null) this.#add(subject, predicate, new LiteralTerm(value));
  }

  integer(subject: string, predicate: string, value: number | null | undefined): void {
    if (value != null) this.#add(subject, predicate, new LiteralTerm(String(value), integer));
  }

  boolean(subject: string, predicate: string, value: boolean | null | undefined): void {
    if (value != null) this.#add(subject, predicate, new LiteralTerm(String(value), boolean));
  }

  time(subject: string, predicate: string, value: string | null | undefined): void {
    if (value != null) this.#add(subject, predicate, new LiteralTerm(value, dateTime));
  }

  /** `value` is JSON text in JCS form. */
  json(subject: string, predicate: string, value: string | null | undefined): void {
    if (value != null) this.#add(subject, predicate, new LiteralTerm(value, json));
  }

  types(subject: string, ...classes: readonly string[]): void {
    for (const type of classes) this.iri(subject, rdf.type, type);
  }

  span(subject: string, { since, until, ending }: Span): void {
    this.time(subject, prov.generatedAtTime, since);
    this.time(subject, prov.invalidatedAtTime, until);
    this.text(subject, tg.ending, ending);
  }

  #add(subject: string, predicate: string, object: NamedNode | LiteralTerm): void {
    this.quads.push(new QuadTerm(new Iri(subject), new Iri(predicate), object, this.#graph));
  }
}

const [integer, boolean, dateTime] = ['integer', 'boolean', 'dateTime'].map((name) => new Iri(`${XSD}${name}`));
const json = new Iri(rdf.JSON);

/** A version of a document, and what git tells of it: that it was not asked yet, or cannot tell, is said too. Pure, as all that follow. */
export function documentQuads(fact: DocumentFact, iris: HistoryIris): Quad[] {
  const subject = iris.document(fact.number);
  const to = new Statements(subject);
  to.types(subject, historyClasses.DocumentVersion, prov.Entity);
  to.iri(subject, prov.specializationOf, documentIri(fact.base, fact.path));
  to.iri(subject, prov.wasRevisionOf, fact.prior === null ? null : iris.document(fact.prior));
  to.text(subject, tg.path, fact.path);
  to.text(subject, tg.instance, fact.instance === '' ? null : fact.instance);
  to.text(subject, tg.sha256, fact.sha256);
  to.integer(subject, tg.bytes, fact.bytes);
  to.span(subject, fact);
  to.text(subject, tg.gitState, fact.git ?? 'not asked yet');
  to.text(subject, tg.gitReason, fact.reason);
  to.text(subject, tg.gitHead, fact.head);
  to.time(subject, tg.gitAskedAt, fact.asked);
  to.text(subject, tg.commit, fact.commit);
  return to.quads;
}

export function revisionQuads(fact: RevisionFact, iris: HistoryIris): Quad[] {
  const subject = iris.revision(fact.number);
  const to = new Statements(subject);
  describeRevision(to, subject, fact);
  to.iri(subject, prov.wasDerivedFrom, iris.document(fact.document));
  for (const other of fact.others) to.iri(subject, prov.wasDerivedFrom, iris.document(other));
  to.iri(subject, prov.wasRevisionOf, fact.prior === null ? null : iris.revision(fact.prior));
  to.text(subject, tg.toolId, fact.id);
  to.span(subject, fact);
  for (const skill of satisfied(fact.node)) {
    to.iri(subject, tg.statedSkill, skillOf(fact.base, skill));
  }
  return to.quads;
}

function describeRevision(
  to: Statements,
  subject: string,
  { iri, digest, node }: Pick<RevisionFact, 'iri' | 'digest' | 'node'>,
): void {
  to.types(subject, historyClasses.Revision, prov.Entity);
  to.iri(subject, prov.specializationOf, iri);
  to.text(subject, tg.sha256, digest);
  to.json(subject, tg.content, node);
}

/** A lifted node names the skills of its own instance barely, others by their IRIs. */
function skillOf(base: string, name: string): string {
  return /^[A-Za-z][A-Za-z0-9+.-]*:/.test(name) ? name : skillIri(base, name);
}

function satisfied(node: string): string[] {
  const { satisfies } = JSON.parse(node) as { satisfies?: unknown };
  return Array.isArray(satisfies) ? satisfies.filter((skill) => typeof skill === 'string') : [];
}

export function generationQuads(fact: GenerationFact, iris: HistoryIris): Quad[] {
  const subject = iris.generation(fact.projection, fact.number);
  const to = new Statements(subject);
  const activity = projectionIri(subject);
  to.types(subject, historyClasses.Generation, prov.Entity);
  to.integer(subject, tg.number, fact.number);
  to.text(subject, tg.digest, fact.digest);
  to.text(subject, tg.projectionKey, fact.key);
  to.time(subject, prov.generatedAtTime, fact.at);
  to.iri(subject, prov.wasGeneratedBy, activity);
  to.iri(subject, prov.wasRevisionOf, fact.prior === null ? null : iris.generation(fact.projection, fact.prior));
  to.types(activity, historyClasses.Projection, prov.Activity);
  to.time(activity, prov.endedAtTime, fact.at);
  to.iri(activity, prov.wasAssociatedWith, iris.service);
  to.types(iris.service, prov.SoftwareAgent, prov.Agent);
  return to.quads;
}

const partClasses: Readonly<Record<string, string>> = {
  declaration: historyClasses.Declaration,
  omission: historyClasses.Omission,
  problem: historyClasses.Problem,
};

/** It belongs to each generation from `sinceGeneration` on that comes before `untilGeneration`. */
export function partQuads(fact: PartFact, iris: HistoryIris): Quad[] {
  const subject = iris.part(fact.number);
  const to = new Statements(subject);
  const generation = (number: number) => projectionIri(iris.generation(fact.projection, number));
  to.types(subject, partClasses[fact.kind] ?? prov.Entity, prov.Entity);
  to.text(subject, tg.projectionKey, fact.key);
  to.integer(subject, tg.sinceGeneration, fact.since);
  to.integer(subject, tg.untilGeneration, fact.until);
  to.iri(subject, prov.wasGeneratedBy, generation(fact.since));
  to.iri(subject, prov.wasInvalidatedBy, fact.until === null ? null : generation(fact.until));
  to.time(subject, prov.generatedAtTime, fact.begun);
  to.time(subject, prov.invalidatedAtTime, fact.ended);
  to.iri(subject, tg.about, fact.iri);
  to.iri(subject, prov.wasDerivedFrom, fact.revision === null ? null : iris.revision(fact.revision));
  to.text(subject, tg.mcpName, fact.name);
  to.text(subject, tg.definition, fact.definition);
  to.text(subject, tg.severity, fact.severity);
  to.text(subject, tg.code, fact.code);
  to.text(subject, tg.reason, fact.reason);
  to.text(subject, tg.inDocument, fact.document);
  to.text(subject, tg.pointer, fact.pointer);
  return to.quads;
}

export function callQuads(fact: CallFact, iris: HistoryIris): Quad[] {
  const { call, base, projection } = fact;
  const subject = iris.call(call.id);
  const to = new Statements(subject);
  to.types(subject, historyClasses.Invocation, prov.Activity);
  to.text(subject, tg.callId, call.id);
  to.text(subject, tg.mcpName, call.name);
  to.iri(subject, tg.calls, call.iri);
  to.time(subject, prov.startedAtTime, call.started);
  to.time(subject, prov.endedAtTime, call.finished);
  to.text(subject, tg.definition, call.definition);
  const { key, number, digest } = call.generation;
  to.iri(subject, tg.inGeneration, projection === null ? null : iris.generation(projection, number));
  to.text(subject, tg.projectionKey, key);
  to.integer(subject, tg.number, number);
  to.text(subject, tg.generationDigest, digest);
  to.iri(subject, tg.forSkill, call.skill === undefined ? null : skillOf(base, call.skill));
  to.text(subject, tg.claimedSkill, call.claimedSkill);
  to.text(subject, tg.arm, call.arm);
  if (call.argv !== undefined) to.json(subject, tg.argv, canonicalize(call.argv));
  if (call.inputs !== undefined) to.json(subject, tg.callInputs, canonicalize(call.inputs));
  if (call.argvCut !== undefined) to.text(subject, tg.cut, 'argv');
  if (call.inputsCut !== undefined) to.text(subject, tg.cut, 'inputs');
  to.boolean(subject, tg.confirmed, call.confirmed);
  to.text(subject, tg.outcome, call.outcome);
  to.text(subject, tg.code, call.code);
  to.text(subject, tg.reason, call.reason);
  to.integer(subject, tg.exitCode, call.exitCode);
  to.text(subject, tg.signal, call.signal);
  describeUse(to, subject, fact, iris);
  describeCaller(to, subject, call.by, iris);
  describeOutput(to, subject, call.output);
  return to.quads;
}

/** A call from before there was a history uses the content that it has kept itself: of its document, only the path is known. */
function describeUse(to: Statements, subject: string, { call, revision, node }: CallFact, iris: HistoryIris): void {
  if (revision !== null) {
    to.iri(subject, prov.used, iris.revision(revision));
  } else if (node !== null && call.iri !== undefined && call.revision !== undefined) {
    const kept = `${subject}/revision`;
    to.iri(subject, prov.used, kept);
    describeRevision(to, kept, { iri: call.iri, digest: call.revision, node });
    to.text(kept, tg.inDocument, call.document);
  }
}

function describeCaller(to: Statements, subject: string, by: CallFact['call']['by'], iris: HistoryIris): void {
  const agent = by.actor === undefined ? iris.unnamedActor : iris.actor(by.actor);
  const association = `${subject}/association`;
  to.iri(subject, prov.wasAssociatedWith, agent);
  to.iri(subject, prov.qualifiedAssociation, association);
  to.types(association, prov.Association);
  to.iri(association, prov.agent, agent);
  to.text(association, tg.identity, by.identity);
  to.text(association, tg.actorVersion, by.version);
  to.types(agent, prov.Agent);
  to.text(agent, tg.actorName, by.actor);
  if (by.role === undefined) return;
  to.iri(association, prov.hadRole, iris.role(by.role));
  to.types(iris.role(by.role), prov.Role);
  to.text(iris.role(by.role), tg.roleName, by.role);
}

function describeOutput(to: Statements, subject: string, output: CallFact['call']['output']): void {
  if (output === undefined) return;
  const made = `${subject}/output`;
  to.types(made, historyClasses.CallOutput, prov.Entity);
  to.iri(made, prov.wasGeneratedBy, subject);
  to.text(made, tg.sha256, output.sha256);
  to.integer(made, tg.bytes, output.bytes);
}

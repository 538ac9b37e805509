import type { Quad } from '@rdfjs/types';
import { toolIdPattern } from '../../schemas/tool.js';
import { byCodeUnits } from '../code-units.js';
import { type ForeignKind, foreignKind } from '../store/foreign-vocabulary.js';
import { derivedIri } from '../store/node-iri.js';
import { classes, contextIri, rdf } from '../store/vocabulary.js';
import { defaultContext } from './context.js';
import { type Expandable, expandSound } from './expand-nodes.js';
import type { Findings } from './findings.js';
import { foreignSource } from './foreign-source.js';
import { prepareSkill, prepareTool } from './prepare.js';
import type { PlainQuad } from './quad.js';
import { checkSkill, checkTool } from './shape.js';
import { skolemise } from './skolemise.js';

export interface ForeignSite {
  /** The document, relative to the instance. */
  readonly path: string;
  readonly base: string;
  /** JSON pointers of the nodes by IRI, where the document is JSON. */
  readonly pointers?: ReadonlyMap<string, string>;
}

/** The nodes of a harness's vocabulary, in ours. */
export interface ForeignContent {
  /** In the graph `derivedIri(base, path)`, without blank nodes; none where the document has no such node. */
  readonly derived: readonly Quad[];
  /** IRIs of those that could not be described; `all` when one has no IRI. */
  readonly broken: readonly string[] | 'all';
}

/**
 * Describes the Tools and skills that a document types in a harness's vocabulary (`foreignKind`) in ours, under the same
 * IRIs (DESIGN decision 1): the same quads as those of the plain form with that id and `base`. One that the document types
 * in ours too is left as it is. What is wrong is an `invalid-node` with the subject. The quads are those of the document,
 * before or after they were skolemised, with claims checked; they are not changed.
 */
export async function describeForeign(
  quads: readonly PlainQuad[],
  site: ForeignSite,
  findings: Findings,
): Promise<ForeignContent> {
  const kinds = foreignSubjects(quads);
  if (kinds.size === 0) return { derived: [], broken: [] };
  const broken = new Set<string>();
  let hasUnnamed = false;
  const report = (iri: string, message: string): void => {
    if (iri.startsWith('_:')) {
      hasUnnamed = true;
      findings.add('invalid-node', message);
      return;
    }
    const pointer = site.pointers?.get(iri);
    broken.add(iri);
    findings.add('invalid-node', message, { subject: iri, ...(pointer === undefined ? {} : { pointer }) });
  };

  const nodes: ForeignNode[] = [];
  for (const [iri, { kind, about }] of [...kinds].sort(([a], [b]) => byCodeUnits(a, b))) {
    const { body, faults } = foreignNode(iri, kind, about, site.base);
    for (const fault of faults) report(iri, fault);
    if (faults.length === 0) nodes.push({ iri, context, body, isPlain: true });
  }
  // Whether the document may describe the subjects was asked when its own quads were made.
  const settings = { base: site.base, allowIris: [''], isLarge: true };
  const sound = await expandSound(nodes, settings, (node, { message }) => {
    for (const { iri } of node === undefined ? nodes : [node]) report(iri, message);
  });
  return {
    derived: skolemise(sound.quads, derivedIri(site.base, site.path)),
    broken: hasUnnamed ? 'all' : [...broken].sort(),
  };
}

interface ForeignNode extends Expandable {
  readonly iri: string;
}

const context: readonly unknown[] = [contextIri];

interface ForeignSubject {
  readonly kind: ForeignKind;
  readonly about: PlainQuad[];
}

/** Subjects of a harness's class, with the quads about each. A look at each quad where there is none. */
function foreignSubjects(quads: readonly PlainQuad[]): ReadonlyMap<string, ForeignSubject> {
  const subjects = new Map<string, ForeignSubject>();
  for (const { subject, predicate, object } of quads) {
    if (predicate.value !== rdf.type) continue;
    const kind = foreignKind(object.value);
    // One that is both is a Tool, whichever class comes first.
    if (kind !== undefined && subjects.get(keyOf(subject))?.kind !== 'tool') {
      subjects.set(keyOf(subject), { kind, about: [] });
    }
  }
  if (subjects.size === 0) return subjects;
  for (const quad of quads) subjects.get(keyOf(quad.subject))?.about.push(quad);
  for (const [iri, { about }] of subjects) {
    if (about.some(({ predicate, object }) => predicate.value === rdf.type && ownClasses.has(object.value))) {
      subjects.delete(iri);
    }
  }
  return subjects;
}

const ownClasses: ReadonlySet<string> = new Set([classes.Tool, classes.Skill]);

function keyOf({ termType, value }: PlainQuad['subject']): string {
  return termType === 'BlankNode' ? `_:${value.replace(/^_:/, '')}` : value;
}

/** The node in our form with its IRIs, and what is wrong with it in words. */
function foreignNode(
  iri: string,
  kind: ForeignKind,
  about: readonly PlainQuad[],
  base: string,
): { readonly body: object; readonly faults: readonly string[] } {
  const { node, base: own, faults } = foreignSource(iri, kind, about, base);
  if (faults.length > 0) return { body: node, faults };
  const issues =
    kind === 'tool' ? checkTool(withLegalId(node), defaultContext) : checkSkill(withLegalName(node), defaultContext);
  if (issues.length > 0) return { body: node, faults: issues.map(({ message }) => message) };
  const prepared = kind === 'tool' ? prepareTool(node, iri, defaultContext, own) : prepareSkill(node, iri);
  return { body: prepared.node, faults: prepared.issues.map(({ message }) => message) };
}

/** A foreign id need not fit the pattern of ours: P1 makes a legal MCP name of it (tool-node.md §2). */
function withLegalId(node: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return toolIdPattern.test(String(node.id)) ? node : { ...node, id: 'foreign' };
}

function withLegalName(node: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...node, name: 'foreign' };
}

import type { Quad } from '@rdfjs/types';
import { toPointer } from '../json-pointer.js';
import { classes, rdf } from '../store/vocabulary.js';
import { type ResolvedContext, resolveContext } from './context.js';
import { type ExpansionFault, expandToQuads, isExpansionFault } from './expand.js';
import type { Findings } from './findings.js';
import { type ClaimFault, findClaimFaults } from './iri-claims.js';
import { type NodeInput, type NodeSite, readNode } from './node-input.js';
import type { PlainQuad } from './quad.js';
import { skolemise } from './skolemise.js';
import { type SourceNode, sourceNodes } from './source-nodes.js';
import { findPath } from './tree-path.js';

export interface NodesContent {
  readonly quads: readonly Quad[];
  readonly pointers: ReadonlyMap<string, string>;
  readonly broken: readonly string[] | 'all';
}

/**
 * Reads a document that holds nodes. A node that cannot be determined leaves the others of the document as they are; when
 * it is not even known which node that is, `broken` is `all`.
 */
export async function ingestNodes(
  tree: unknown,
  graph: string,
  site: NodeSite & { readonly maxNodes: number },
  findings: Findings,
): Promise<NodesContent> {
  const { nodes, faults } = sourceNodes(tree);
  for (const { pointer, message, atKey } of faults) {
    findings.add('invalid-node', message, { pointer, ...(atKey ? { atKey } : {}) });
  }
  const nothing: NodesContent = { quads: [], pointers: new Map(), broken: 'all' };
  if (nodes.length > site.maxNodes) {
    const message = `${nodes.length} nodes; at most ${site.maxNodes} are read from one document, so split it`;
    findings.add('invalid-node', message, { pointer: '' });
    return nothing;
  }
  if (nodes.length === 0) {
    if (faults.length === 0) findings.add('invalid-node', holdsNone, { pointer: '' });
    return nothing;
  }
  const broken = new Set<string | undefined>(faults.length > 0 ? [undefined] : []);
  const inputs: NodeInput[] = [];
  const contexts = new Map<SourceNode['contexts'], ResolvedContext>();
  for (const node of nodes) {
    // The nodes of a @graph have its context in common; it is resolved, and its faults are told, once.
    const known = contexts.get(node.contexts);
    const resolved = known ?? resolveContext(node.contexts, site);
    if (known === undefined) contexts.set(node.contexts, resolved);
    const input = readNode(node, resolved, site, findings, known === undefined);
    if ('body' in input) inputs.push(input);
    else broken.add(input.broken);
  }
  const single = withoutDuplicates(inputs, broken, findings);
  const { quads, expanded } = await expandSound(single, site, broken, findings);
  if (quads.length === 0 && findings.count === 0) {
    findings.add('invalid-node', holdsNone, { pointer: '' });
    return nothing;
  }
  const iris = [...broken].filter((iri) => iri !== undefined);
  return {
    quads: skolemise(quads, graph),
    pointers: pointersOf(expanded, quads),
    broken: broken.has(undefined) ? 'all' : iris.sort(),
  };
}

const holdsNone = 'the document holds no node; write a Tool, a skill or a type document into it, or remove the file';

/** A Tool or skill that one document states twice is served from neither place: which was meant cannot be known. */
function withoutDuplicates(
  inputs: readonly NodeInput[],
  broken: Set<string | undefined>,
  findings: Findings,
): NodeInput[] {
  const first = new Map<string, NodeInput>();
  const twice = new Set<string>();
  for (const input of inputs) {
    if (input.iri === undefined || !input.isOwn) continue;
    const other = first.get(input.iri);
    if (other === undefined) {
      first.set(input.iri, input);
      continue;
    }
    twice.add(input.iri);
    broken.add(input.iri);
    const message = `<${input.iri}> is described at ${other.pointer} already; remove one, or give it another id`;
    findings.add('duplicate-id', message, { pointer: input.pointer, subject: input.iri });
  }
  return inputs.filter(({ iri }) => iri === undefined || !twice.has(iri));
}

interface Sound {
  readonly quads: readonly PlainQuad[];
  readonly expanded: readonly NodeInput[];
}

/** Expands all nodes at once, as blank node labels span the document; only when that fails, each alone, to find which. */
async function expandSound(
  inputs: readonly NodeInput[],
  site: NodeSite,
  broken: Set<string | undefined>,
  findings: Findings,
): Promise<Sound> {
  const all = await expandAndCheck(inputs, site);
  if (!('code' in all)) return { quads: all, expanded: inputs };
  const sound: NodeInput[] = [];
  for (const input of inputs) {
    const fault = inputs.length === 1 ? all : await expandAndCheck([input], site);
    if (!('code' in fault)) {
      sound.push(input);
      continue;
    }
    broken.add(input.iri);
    reportFault(fault, input, findings);
  }
  if (sound.length === 0) return { quads: [], expanded: [] };
  const rest = sound.length < inputs.length ? await expandAndCheck(sound, site) : all;
  if (!('code' in rest)) return { quads: rest, expanded: sound };
  broken.add(undefined);
  findings.add(rest.code, rest.message, { pointer: '' });
  return { quads: [], expanded: [] };
}

type Fault = ExpansionFault & { readonly claims?: readonly ClaimFault[] };

async function expandAndCheck(
  inputs: readonly NodeInput[],
  { base, allowIris, isLarge }: NodeSite,
): Promise<readonly PlainQuad[] | Fault> {
  if (inputs.length === 0) return [];
  const quads = await expandToQuads(jsonLdOf(inputs), isLarge);
  if (isExpansionFault(quads)) return quads;
  const claims = findClaimFaults(quads, base, allowIris);
  const [first] = claims;
  return first === undefined ? quads : { code: 'invalid-node', message: first.message, claims };
}

/** Nodes with one context go under it, so that jsonld looks at it once. The bare IRI is its fastest form. */
function jsonLdOf(inputs: readonly NodeInput[]): object {
  const [first] = inputs;
  if (first === undefined || inputs.some(({ context }) => context !== first.context)) {
    return inputs.map(({ context, body }) => ({ '@context': context, ...body }));
  }
  const context = first.context.length === 1 ? first.context[0] : first.context;
  if (inputs.length === 1) return { '@context': context, ...first.body };
  return { '@context': context, '@graph': inputs.map(({ body }) => body) };
}

function reportFault(fault: Fault, { pointer, source, iri }: NodeInput, findings: Findings): void {
  const subject = iri === undefined ? {} : { subject: iri };
  if (fault.claims !== undefined) {
    for (const claim of fault.claims) {
      const path = findPath(source, (_, value) => value === claim.iri);
      findings.add('invalid-node', claim.message, { ...subject, pointer: pointer + toPointer(path ?? []) });
    }
    return;
  }
  const path = findPath(source, (key, value) => (fault.key === undefined ? value === fault.value : key === fault.key));
  const atKey = fault.key !== undefined && path !== undefined;
  findings.add(fault.code, fault.message, { ...subject, pointer: pointer + toPointer(path ?? []), atKey });
}

/** By IRI the place of each node; a typed subject of a foreign document that is one node is placed there. */
function pointersOf(inputs: readonly NodeInput[], quads: readonly PlainQuad[]): ReadonlyMap<string, string> {
  const pointers = new Map<string, string>();
  for (const { iri, pointer } of inputs) if (iri !== undefined) pointers.set(iri, pointer);
  const [only, another] = inputs;
  if (only === undefined || another !== undefined || only.iri !== undefined) return pointers;
  for (const { subject, predicate, object } of quads) {
    if (predicate.value === rdf.type && subject.termType === 'NamedNode' && ownClasses.has(object.value)) {
      if (!pointers.has(subject.value)) pointers.set(subject.value, only.pointer);
    }
  }
  return pointers;
}

const ownClasses = new Set<string>(Object.values(classes));

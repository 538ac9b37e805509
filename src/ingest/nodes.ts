import type { Quad } from '@rdfjs/types';
import { isJsonObject } from '../json-object.js';
import { toPointer } from '../json-pointer.js';
import { type ResolvedContext, resolveContext, schemePattern } from './context.js';
import { expandSound, type NodeFault } from './expand-nodes.js';
import type { Findings } from './findings.js';
import { describeForeign } from './foreign-nodes.js';
import { type NodeInput, type NodeSite, readNode } from './node-input.js';
import { withCanonicalJson } from './quad.js';
import { skolemise } from './skolemise.js';
import { innerNodes, type SourceNode, sourceNodes } from './source-nodes.js';
import { findPath } from './tree-path.js';

export interface NodesContent {
  readonly quads: readonly Quad[];
  /** What `describeForeign` gave, where the document has nodes of a harness's vocabulary. */
  readonly derived?: readonly Quad[];
  /** See `IngestedDocument`. */
  readonly isChecked?: boolean;
  readonly pointers: ReadonlyMap<string, string>;
  readonly broken: readonly string[] | 'all';
}

export interface NodesSite extends NodeSite {
  /** Nodes that a document may state; it may hold `innerNodes` times as many in all. */
  readonly maxNodes: number;
  /** Pointers of numbers that would become 0 outside a JSON literal. */
  readonly tinyNumbers: readonly string[];
}

/**
 * Reads a document that holds nodes. A node that cannot be determined leaves the others of the document as they are; when
 * it is not even known which node that is, `broken` is `all`.
 */
export async function ingestNodes(
  tree: unknown,
  graph: string,
  site: NodesSite,
  findings: Findings,
): Promise<NodesContent> {
  const { nodes, faults } = sourceNodes(tree);
  for (const { pointer, message, atKey } of faults) {
    findings.add('invalid-node', message, { pointer, ...(atKey ? { atKey } : {}) });
  }
  const nothing: NodesContent = { quads: [], pointers: new Map(), broken: 'all' };
  const tooMany = excess(nodes, site.maxNodes);
  if (tooMany !== undefined) {
    findings.add('invalid-node', tooMany, { pointer: '' });
    return nothing;
  }
  if (nodes.length === 0) {
    if (faults.length === 0) findings.add('invalid-node', holdsNone, { pointer: '' });
    return nothing;
  }
  const broken = new Set<string | undefined>(faults.length > 0 ? [undefined] : []);
  const inputs = readNodes(nodes, site, broken, findings);
  const single = withoutDuplicates(inputs, broken, findings);
  const { quads, expanded, subjects } = await expandSound(single, site, (input, fault) => {
    broken.add(input?.iri);
    if (input === undefined) findings.add(fault.code, fault.message, { pointer: '' });
    else reportFault(fault, input, findings);
  });
  if (quads.length === 0 && findings.count === 0) {
    findings.add('invalid-node', holdsNone, { pointer: '' });
    return nothing;
  }
  const pointers = pointersOf(expanded, subjects);
  const foreign = await describeForeign(quads, { path: site.path, base: site.base, pointers }, findings);
  if (foreign.broken === 'all') broken.add(undefined);
  else for (const iri of foreign.broken) broken.add(iri);
  const iris = [...broken].filter((iri) => iri !== undefined);
  return {
    quads: skolemise(expanded.every(({ isPlain }) => isPlain) ? quads : withCanonicalJson(quads), graph),
    ...(foreign.derived.length === 0 ? {} : { derived: foreign.derived }),
    isChecked: expanded.every(({ isCheckedTool }) => isCheckedTool),
    pointers,
    broken: broken.has(undefined) ? 'all' : iris.sort(),
  };
}

/** Words for a document with too many nodes. A port or a list cell at the top of an expanded one has an IRI and no class. */
function excess(nodes: readonly SourceNode[], most: number): string | undefined {
  if (nodes.length <= most) return undefined;
  const inner = nodes.filter(({ value }) => Object.hasOwn(value, '@id') && !Object.hasOwn(value, '@type')).length;
  const stated = nodes.length - inner;
  if (stated > most) return `${stated} nodes; at most ${most} are read from one document, so split it`;
  if (nodes.length <= most * innerNodes) return undefined;
  return `${nodes.length} nodes and parts of nodes; at most ${most * innerNodes} are read from one document, so split it`;
}

function readNodes(
  nodes: readonly SourceNode[],
  site: NodesSite,
  broken: Set<string | undefined>,
  findings: Findings,
): NodeInput[] {
  const inputs: NodeInput[] = [];
  const contexts = new Map<SourceNode['contexts'], ResolvedContext>();
  const tinyNumbers = byNode(site.tinyNumbers, nodes);
  for (const node of nodes) {
    // The nodes of a @graph have its context in common; it is resolved, and its faults are told, once.
    const known = contexts.get(node.contexts);
    const resolved = known ?? resolveContext(node.contexts, site);
    if (known === undefined) contexts.set(node.contexts, resolved);
    const input = readNode(node, resolved, site, findings, known === undefined, tinyNumbers.get(node.pointer) ?? []);
    if ('body' in input) inputs.push(input);
    else broken.add(input.broken);
  }
  return inputs;
}

/** The pointers that lie inside each node, by the node's. */
function byNode(pointers: readonly string[], nodes: readonly SourceNode[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  if (pointers.length === 0) return groups;
  for (const { pointer } of nodes) groups.set(pointer, []);
  for (const pointer of pointers) {
    for (let end = pointer.indexOf('/'); end !== -1; end = pointer.indexOf('/', end + 1)) {
      const group = groups.get(pointer.slice(0, end));
      if (group === undefined) continue;
      group.push(pointer);
      break;
    }
  }
  return groups;
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

function reportFault(fault: NodeFault, { pointer, source, iri, isOurs }: NodeInput, findings: Findings): void {
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
  // Beside our own context it would take in misspelt keys, and is refused.
  const hint = fault.isUnmapped && !isOurs ? ' (an "@vocab" in the @context maps every key)' : '';
  findings.add(fault.code, fault.message + hint, { ...subject, pointer: pointer + toPointer(path ?? []), atKey });
}

/** By IRI the place of each node. */
function pointersOf(
  inputs: readonly NodeInput[],
  subjects: readonly (string | undefined)[],
): ReadonlyMap<string, string> {
  const pointers = new Map<string, string>();
  const place = (iri: string, pointer: string): void => {
    if (!pointers.has(iri)) pointers.set(iri, pointer);
  };
  // jsonld keeps the order of nodes; it would leave one out only where all of it is dropped, which is an error here.
  const inOrder = subjects.length === inputs.length ? subjects : [];
  const placed = inputs
    .map((input, i) => ({ ...input, iri: input.iri ?? inOrder[i] }))
    .filter(({ isPlaced }) => isPlaced);
  // Where a node states its class there are its fields; elsewhere in the document more may be said about it.
  for (const stating of [true, false]) {
    for (const { iri, pointer, source } of placed) {
      if (iri !== undefined && Object.hasOwn(source, '@type') === stating) place(iri, pointer);
    }
  }
  // In a context that is not ours any value may be a node.
  for (const { source, pointer, isOurs } of inputs) if (!isOurs) placeInner(source, pointer, place);
  return pointers;
}

function placeInner(value: unknown, pointer: string, place: (iri: string, pointer: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  const iri = isJsonObject(value) ? value['@id'] : undefined;
  if (typeof iri === 'string' && schemePattern.test(iri) && Object.keys(value).length > 1) place(iri, pointer);
  for (const [key, member] of Object.entries(value)) {
    if (key !== '@context' && key !== '@value') placeInner(member, pointer + toPointer([key]), place);
  }
}

import { rdf } from '../store/vocabulary.js';
import { type Expanded, type ExpansionFault, expandToQuads } from './expand.js';
import { type ClaimFault, findClaimFaults } from './iri-claims.js';
import type { PlainQuad } from './quad.js';
import { unknownTerm } from './quad-faults.js';

/** A node as jsonld gets it. */
export interface Expandable {
  /** What applies to it as `@context`; the same array for nodes that share one. */
  readonly context: readonly unknown[];
  /** The node without its `@context`. */
  readonly body: object;
  /** It can hold no term of our namespace but ours, because its keys were looked at. */
  readonly isPlain: boolean;
}

/** Why a node was refused; `claims` are the IRIs that it may not describe. */
export type NodeFault = ExpansionFault & { readonly claims?: readonly ClaimFault[] };

export interface SoundNodes<T> {
  readonly quads: readonly PlainQuad[];
  readonly expanded: readonly T[];
  /** The IRI of each of `expanded`; undefined for one that has none. */
  readonly subjects: readonly (string | undefined)[];
}

export interface ExpansionSettings {
  readonly base: string;
  /** Prefixes outside `base` that may be described (`describablePrefixes`). */
  readonly allowIris: readonly string[];
  /** They have thousands of values. */
  readonly isLarge: boolean;
}

/** Nodes of one document that are expanded one by one to find what is wrong; at 50 µs each half a second. */
const mostAlone = 10_000;

/**
 * Expands all nodes at once, as blank node labels span the document; only when that fails, in parts and then each alone, to
 * find which cannot be expanded. Each of these is told to `onFault`; `undefined` is told for what no single node explains.
 */
export async function expandSound<T extends Expandable>(
  nodes: readonly T[],
  settings: ExpansionSettings,
  onFault: (node: T | undefined, fault: NodeFault) => void,
): Promise<SoundNodes<T>> {
  const all = await expandAndCheck(nodes, settings);
  if (!('code' in all)) return { ...all, expanded: nodes };
  const sound: T[] = [];
  let alone = 0;
  const part = Math.ceil(Math.sqrt(nodes.length));
  for (let start = 0; start < nodes.length; start += part) {
    const some = nodes.slice(start, start + part);
    if (nodes.length > 1 && !('code' in (await expandAndCheck(some, settings)))) {
      sound.push(...some);
      continue;
    }
    alone += some.length;
    if (alone > mostAlone) {
      onFault(undefined, tooManyFaults);
      break;
    }
    for (const node of some) {
      const result = nodes.length === 1 ? all : await expandAndCheck([node], settings);
      if ('code' in result) onFault(node, result);
      else sound.push(node);
    }
  }
  const rest = sound.length < nodes.length ? await expandAndCheck(sound, settings) : all;
  if (!('code' in rest)) return { ...rest, expanded: sound };
  onFault(undefined, rest);
  return { quads: [], expanded: [], subjects: [] };
}

const tooManyFaults: NodeFault = {
  code: 'invalid-node',
  message: `nodes all over the document are wrong, and only the first ${mostAlone} were looked at; correct those first`,
};

async function expandAndCheck(
  nodes: readonly Expandable[],
  { base, allowIris, isLarge }: ExpansionSettings,
): Promise<Expanded | NodeFault> {
  if (nodes.length === 0) return { quads: [], subjects: [] };
  const expanded = await expandToQuads(jsonLdOf(nodes), isLarge);
  if ('code' in expanded) return expanded;
  const claims = findClaimFaults(expanded.quads, base, allowIris);
  const [first] = claims;
  if (first !== undefined) return { code: 'invalid-node', message: first.message, claims };
  return (nodes.every(({ isPlain }) => isPlain) ? undefined : unknownTermFault(expanded.quads)) ?? expanded;
}

/** A misspelt term of our namespace is an unknown key, however the node is written (row G2 of the cases). */
function unknownTermFault(quads: readonly PlainQuad[]): NodeFault | undefined {
  for (const { predicate, object } of quads) {
    const message = unknownTerm(predicate, object);
    if (message === undefined) continue;
    const place = predicate.value === rdf.type ? { value: object.value } : { key: predicate.value };
    return { code: 'invalid-node', message, ...place };
  }
  return undefined;
}

/** Nodes with one context go under it, so that jsonld looks at it once. The bare IRI is its fastest form. */
function jsonLdOf(nodes: readonly Expandable[]): object {
  const [first] = nodes;
  if (first === undefined || nodes.some(({ context }) => context !== first.context)) {
    return nodes.map(({ context, body }) => ({ '@context': context, ...body }));
  }
  const context = first.context.length === 1 ? first.context[0] : first.context;
  if (nodes.length === 1) return { '@context': context, ...first.body };
  return { '@context': context, '@graph': nodes.map(({ body }) => body) };
}

import type { Place } from '../diagnostic.js';
import type { Entry } from '../projection/generation.js';
import type { SkillNode, ToolNode, TypeNode } from '../projection/node.js';
import type { CheckedInstance } from './rule.js';

/** Where a part of a node is; `at` is a JSON pointer relative to the node. */
export function nodePlace(node: ToolNode, at = ''): Place {
  return { ...documentPlace(node), pointer: `${node.pointer}${at}`, subject: node.iri };
}

/** Where a part of a type is; `at` is a JSON pointer relative to its schema. */
export function typePlace(type: TypeNode, at = ''): Place {
  const pointer = /#(\/.+)$/.exec(type.iri)?.[1] ?? '';
  return { ...documentPlace(type), pointer: `${pointer}${at}`, subject: type.iri };
}

/** A skill is a document of its own, or its place in one is not known. */
export function skillPlace(skill: SkillNode): Place {
  return { ...documentPlace(skill), subject: skill.iri };
}

function documentPlace({ document, instance }: { readonly document: string; readonly instance?: string }): Place {
  return { document, ...(instance === undefined ? {} : { instance }) };
}

/** The node of each served Tool; one that is kept although its node is a problem now has none. */
export function servedNodes({
  generation,
  nodes,
}: Pick<CheckedInstance, 'generation' | 'nodes'>): { readonly node: ToolNode; readonly entry: Entry }[] {
  const byPlace = new Map(nodes.map((node) => [placeKey(node), node]));
  return [...generation.entries.values()].flatMap((entry) => {
    const node = byPlace.get(placeKey(entry));
    return node === undefined ? [] : { node, entry };
  });
}

/** What an entry or an omission has in common with its node: two instances that are served together may have the same IRIs. */
export function placeKey({ iri, document }: { readonly iri: string; readonly document: string }): string {
  return `${iri} ${document}`;
}

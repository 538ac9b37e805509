import type { Place } from '../diagnostic.js';
import type { Entry } from '../projection/generation.js';
import type { ToolNode } from '../projection/node.js';

/** Where a part of a node is; `at` is a JSON pointer relative to the node. */
export function nodePlace({ document, instance, pointer, iri }: ToolNode, at = ''): Place {
  return { document, ...(instance === undefined ? {} : { instance }), pointer: `${pointer}${at}`, subject: iri };
}

/** The node of each served Tool; one that is kept although its node is a problem now has none. */
export function servedNodes({
  generation,
  nodes,
}: {
  readonly generation: { readonly entries: ReadonlyMap<string, Entry> };
  readonly nodes: readonly ToolNode[];
}): readonly { readonly node: ToolNode; readonly entry: Entry }[] {
  const byPlace = new Map(nodes.map((node) => [placeKey(node), node]));
  return [...generation.entries.values()].flatMap((entry) => {
    const node = byPlace.get(placeKey(entry));
    return node === undefined ? [] : { node, entry };
  });
}

function placeKey({ iri, document }: ToolNode | Entry): string {
  return `${iri} ${document}`;
}

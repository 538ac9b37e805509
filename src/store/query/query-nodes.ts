import type { Sparql11Nodes } from '@traqula/rules-sparql-1-1';

/** Every node of a part of a parsed query, parents before children. */
export function* nodesOf(root: object): Generator<Sparql11Nodes> {
  const waiting: object[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('type' in node && typeof node.type === 'string') yield node as Sparql11Nodes;
    const children = Object.entries(node).flatMap(([key, child]) => (key !== 'loc' && isObject(child) ? [child] : []));
    for (const child of children.reverse()) waiting.push(child);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

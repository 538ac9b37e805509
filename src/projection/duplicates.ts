import { getStateToolName } from '../../schemas/view.js';
import type { Diagnostic } from '../diagnostic.js';
import type { Entry, ProjectionOptions } from './generation.js';
import { toolName } from './name.js';
import type { ToolNode } from './node.js';
import { atNode } from './ports.js';

/**
 * The nodes that share their IRI or their id with another (DESIGN decision 1), with the problem of each, which names every
 * document. The one that is served already (`before`) stays out: it keeps serving (§3). At start nothing is served, so none does.
 */
export function duplicateIds(nodes: readonly ToolNode[], before: readonly Entry[]): Map<ToolNode, Diagnostic> {
  const served = new Map(before.map(({ iri, document }) => [iri, document]));
  const found = new Map<ToolNode, Diagnostic>();
  for (const group of sharing(nodes, ({ iri, tool }) => [`iri ${iri}`, `id ${tool.id}`])) {
    const first = group.filter(({ iri, document }) => served.get(iri) === document);
    for (const node of group) {
      if (first.length === 1 && node === first[0]) continue;
      const others = documents(group.filter((other) => other !== node));
      const message = `the Tool "${node.tool.id}" of ${node.document} is also described in ${others}; remove one, or give it another id`;
      found.set(node, atNode(node, 'duplicate-id', message));
    }
  }
  return found;
}

/** The nodes that would have one MCP name, with the problem of each, which names every other (§3; P1: a collision refuses both). */
export function nameCollisions(
  nodes: readonly ToolNode[],
  { prefix, getStateTool }: ProjectionOptions,
): Map<ToolNode, Diagnostic> {
  const found = new Map<ToolNode, Diagnostic>();
  for (const node of getStateTool === true ? nodes : []) {
    if (toolName(node.tool.id, prefix) !== getStateToolName) continue;
    const words = `"${node.tool.id}" has the MCP name ${getStateToolName} of the tool that reads views; change its id, or leave out getStateTool`;
    found.set(node, atNode(node, 'name-collision', words));
  }
  for (const group of sharing(nodes, ({ tool }) => [toolName(tool.id, prefix)])) {
    for (const node of group) {
      const others = group.filter((other) => other !== node).map(({ tool, document }) => `"${tool.id}" of ${document}`);
      const message = `"${node.tool.id}" and ${others.join(', ')} have the same MCP name ${toolName(node.tool.id, prefix)}; change one of the ids`;
      found.set(node, atNode(node, 'name-collision', message));
    }
  }
  return found;
}

/** Groups of two and more nodes that have a key in common, directly. */
export function sharing<N>(nodes: readonly N[], keysOf: (node: N) => readonly string[]): N[][] {
  const byKey = new Map<string, N[]>();
  for (const node of nodes) {
    for (const key of keysOf(node)) {
      const group = byKey.get(key);
      if (group === undefined) byKey.set(key, [node]);
      else group.push(node);
    }
  }
  return [...byKey.values()].filter((group) => group.length > 1);
}

/** The documents of nodes, each once, in words. */
export function documents(nodes: readonly { readonly document: string }[]): string {
  return [...new Set(nodes.map(({ document }) => document))].sort().join(', ');
}

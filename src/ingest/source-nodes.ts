import { toPointer } from '../json-pointer.js';
import { contextIri } from '../store/vocabulary.js';
import { isObject } from './tree-path.js';

/** A node as it stands in its document. */
export interface SourceNode {
  readonly value: Readonly<Record<string, unknown>>;
  readonly pointer: string;
  /**
   * The contexts that apply to it, outermost first; none where the document leaves them out. The same array for all nodes
   * that have no context of their own.
   */
  readonly contexts: readonly { readonly value: unknown; readonly pointer: string }[];
}

export interface SourceNodes {
  readonly nodes: readonly SourceNode[];
  readonly faults: readonly { readonly pointer: string; readonly message: string; readonly atKey?: boolean }[];
}

/** Keys that may stand beside `@graph`; `@id` names the graph, and graph names inside a document are dropped. */
const besideGraph = new Set(['@context', '@graph', '@id', '$schema']);

/** The nodes of a document: one object, the members of its `@graph`, or the items of a top-level array. */
export function sourceNodes(tree: unknown): SourceNodes {
  if (Array.isArray(tree)) return collect(tree, '', []);
  if (!isObject(tree))
    return { nodes: [], faults: [{ pointer: '', message: 'expected an object, an array or @graph' }] };
  if (!Object.hasOwn(tree, '@graph')) {
    const isEmpty = Object.keys(tree).every((key) => key === '$schema');
    return isEmpty ? { nodes: [], faults: [] } : { nodes: [sourceNode(tree, '', [])], faults: [] };
  }
  const outer = Object.hasOwn(tree, '@context') ? [{ value: tree['@context'], pointer: '/@context' }] : [];
  const graph = tree['@graph'];
  const members = Array.isArray(graph) ? collect(graph, '/@graph', outer) : collectOne(graph, outer);
  const strays = Object.keys(tree).filter((key) => !besideGraph.has(key));
  return {
    nodes: members.nodes,
    faults: [
      ...members.faults,
      ...strays.map((key) => ({
        pointer: toPointer([key]),
        atKey: true,
        message: `unexpected key ${JSON.stringify(key)} beside @graph; move it into a node (a context is ${contextIri})`,
      })),
    ],
  };
}

function collectOne(graph: unknown, outer: SourceNode['contexts']): SourceNodes {
  if (isObject(graph)) return { nodes: [sourceNode(graph, '/@graph', outer)], faults: [] };
  return { nodes: [], faults: [{ pointer: '/@graph', message: '@graph: expected an array of nodes' }] };
}

function collect(items: readonly unknown[], start: string, outer: SourceNode['contexts']): SourceNodes {
  const nodes: SourceNode[] = [];
  const faults: { pointer: string; message: string }[] = [];
  for (const [i, item] of items.entries()) {
    const pointer = `${start}/${i}`;
    if (isObject(item)) nodes.push(sourceNode(item, pointer, outer));
    else faults.push({ pointer, message: 'expected a node, which is an object' });
  }
  return { nodes, faults };
}

function sourceNode(
  value: Readonly<Record<string, unknown>>,
  pointer: string,
  outer: SourceNode['contexts'],
): SourceNode {
  if (!Object.hasOwn(value, '@context')) return { value, pointer, contexts: outer };
  const own = { value: value['@context'], pointer: `${pointer}/@context` };
  return { value, pointer, contexts: [...outer, own] };
}

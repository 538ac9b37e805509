import { isJsonObject } from '../json-object.js';
import { toPointer } from '../json-pointer.js';
import { contextIri } from '../store/vocabulary.js';

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

/**
 * Nodes inside of others (ports, list cells, remedies) that a document may hold for each node it may state: what
 * `export --format jsonld` writes has all of them at the top.
 */
export const innerNodes = 50;

export interface SourceNodes {
  readonly nodes: readonly SourceNode[];
  readonly faults: readonly { readonly pointer: string; readonly message: string; readonly atKey?: boolean }[];
}

/** Keys that may stand beside `@graph`; `@id` names the graph, and graph names inside a document are dropped. */
const besideGraph = new Set(['@context', '@graph', '@id', '$schema']);

/**
 * The nodes of a document: one object, the items of a top-level array, or the members of a `@graph`. Both may hold named
 * graphs, whose names are dropped (tool-node.md §1).
 */
export function sourceNodes(tree: unknown): SourceNodes {
  const collector = new Collector();
  if (Array.isArray(tree)) collector.items(tree, '', []);
  else if (!isJsonObject(tree))
    collector.faults.push({ pointer: '', message: 'expected an object, an array or @graph' });
  else if (!Object.keys(tree).every((key) => key === '$schema')) collector.item(tree, '', []);
  return collector;
}

class Collector implements SourceNodes {
  readonly nodes: SourceNode[] = [];
  readonly faults: { pointer: string; message: string; atKey?: boolean }[] = [];

  items(items: readonly unknown[], start: string, outer: SourceNode['contexts']): void {
    for (const [i, item] of items.entries()) {
      const pointer = `${start}/${i}`;
      if (isJsonObject(item)) this.item(item, pointer, outer);
      else this.faults.push({ pointer, message: 'expected a node, which is an object' });
    }
  }

  item(value: SourceNode['value'], pointer: string, outer: SourceNode['contexts']): void {
    const own = Object.hasOwn(value, '@context') ? [{ value: value['@context'], pointer: `${pointer}/@context` }] : [];
    const contexts = own.length === 0 ? outer : [...outer, ...own];
    if (Object.hasOwn(value, '@graph')) this.#graph(value, pointer, contexts);
    else this.nodes.push({ value, pointer, contexts });
  }

  #graph(value: SourceNode['value'], pointer: string, contexts: SourceNode['contexts']): void {
    const members = value['@graph'];
    const inside = `${pointer}/@graph`;
    if (Array.isArray(members)) this.items(members, inside, contexts);
    else if (isJsonObject(members)) this.item(members, inside, contexts);
    else this.faults.push({ pointer: inside, message: '@graph: expected an array of nodes' });
    const strays = Object.keys(value).filter((key) => !besideGraph.has(key));
    if (strays.length > 0 && contexts.some(({ value: context }) => context !== contextIri)) {
      // In a context of its own a document may say something about its graph, such as when it was made.
      const { '@graph': _, ...about } = value;
      this.nodes.push({ value: about, pointer, contexts });
      return;
    }
    for (const key of strays) {
      const message = `unexpected key ${JSON.stringify(key)} beside @graph; move it into a node (a context is ${contextIri})`;
      this.faults.push({ pointer: pointer + toPointer([key]), atKey: true, message });
    }
  }
}

import type { Diagnostic } from '../diagnostic.js';
import type { PatternVerdicts } from '../patterns/verdict.js';
import type { Projection, ProjectionOptions } from './generation.js';
import type { HostFacts } from './host.js';
import { LiveProjection } from './live-projection.js';
import type { DocumentNodes, ToolNode, TypeRegistry, ViewNode } from './node.js';
import type { QueryVerdicts } from './view-state.js';

export interface ProjectionInput {
  readonly tools: readonly ToolNode[];
  readonly views?: readonly ViewNode[];
  readonly types: TypeRegistry;
  /** Found before the projection: read, shape, lift, config. One of severity `error` about a Tool makes it a problem. */
  readonly problems: readonly Diagnostic[];
  readonly host: HostFacts;
  readonly options: ProjectionOptions;
  /** Of all that `patternsOf` names; one that is missing counts as undecided. */
  readonly verdicts: PatternVerdicts;
  /** Of the query of each view. */
  readonly queries?: QueryVerdicts;
  /** The projection before, of this process: what last-good is taken from (DESIGN decision 3). */
  readonly previous?: Projection;
  /** By document: the IRIs of nodes in it that could not be determined, or `all`. */
  readonly broken?: ReadonlyMap<string, readonly string[] | 'all'>;
}

/**
 * Nodes, host facts and options become one generation's content. Pure, and independent of the order of what goes in: the same
 * input gives the same bytes. Never throws because of a node; what fails in toolgraph itself is an `internal-error` of that node.
 */
export function project({
  tools,
  views = [],
  broken = new Map(),
  previous,
  queries = new Map(),
  ...basis
}: ProjectionInput): Projection {
  const projection = new LiveProjection(previous);
  for (const [path, nodes] of byDocument([...tools, ...views], broken)) projection.change(path, nodes);
  return projection.next({ ...basis, queries });
}

function byDocument(
  nodes: readonly (ToolNode | ViewNode)[],
  broken: ReadonlyMap<string, readonly string[] | 'all'>,
): Map<string, DocumentNodes> {
  const documents = new Map<string, { tools: ToolNode[]; views: ViewNode[] }>();
  const at = (path: string) => {
    const known = documents.get(path) ?? { tools: [], views: [] };
    documents.set(path, known);
    return known;
  };
  for (const path of broken.keys()) at(path);
  for (const node of nodes) {
    if ('tool' in node) at(node.document).tools.push(node);
    else at(node.document).views.push(node);
  }
  const nothing = { skills: [], types: [], diagnostics: [] };
  return new Map(Array.from(documents, ([path, of]) => [path, { ...nothing, ...of, broken: broken.get(path) ?? [] }]));
}

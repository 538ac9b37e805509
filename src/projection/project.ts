import type { Diagnostic } from '../diagnostic.js';
import type { PatternVerdicts } from '../patterns/verdict.js';
import type { Projection, ProjectionOptions } from './generation.js';
import type { HostFacts } from './host.js';
import { LiveProjection } from './live-projection.js';
import type { DocumentNodes, ToolNode, TypeRegistry } from './node.js';

export interface ProjectionInput {
  readonly tools: readonly ToolNode[];
  readonly types: TypeRegistry;
  /** Found before the projection: read, shape, lift, config. One of severity `error` about a Tool makes it a problem. */
  readonly problems: readonly Diagnostic[];
  readonly host: HostFacts;
  readonly options: ProjectionOptions;
  /** Of all that `patternsOf` names; one that is missing counts as undecided. */
  readonly verdicts: PatternVerdicts;
  /** The projection before, of this process: what last-good is taken from (DESIGN decision 3). */
  readonly previous?: Projection;
  /** By document: the IRIs of nodes in it that could not be determined, or `all`. */
  readonly broken?: ReadonlyMap<string, readonly string[] | 'all'>;
}

/**
 * Nodes, host facts and options become one generation's content. Pure, and independent of the order of what goes in: the same
 * input gives the same bytes. Never throws because of a node; what fails in toolgraph itself is an `internal-error` of that node.
 */
export function project({ tools, broken = new Map(), previous, ...basis }: ProjectionInput): Projection {
  const projection = new LiveProjection(previous);
  for (const [path, nodes] of byDocument(tools, broken)) projection.change(path, nodes);
  return projection.next(basis);
}

function byDocument(
  tools: readonly ToolNode[],
  broken: ReadonlyMap<string, readonly string[] | 'all'>,
): Map<string, DocumentNodes> {
  const documents = new Map<string, ToolNode[]>(Array.from(broken.keys(), (path) => [path, []]));
  for (const tool of tools) {
    const nodes = documents.get(tool.document);
    if (nodes === undefined) documents.set(tool.document, [tool]);
    else nodes.push(tool);
  }
  const nothing = { skills: [], types: [], views: [], diagnostics: [] };
  return new Map(
    Array.from(documents, ([path, nodes]) => [path, { ...nothing, tools: nodes, broken: broken.get(path) ?? [] }]),
  );
}

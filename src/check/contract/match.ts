import type { DescribedTool } from './described-tool.js';
import type { ServerTool } from './server-tool.js';

export interface Matches {
  /** What a server offers of each Tool; those that are not here it does not offer. */
  readonly offered: ReadonlyMap<DescribedTool, readonly ServerTool[]>;
  /** Tools of the server that no node describes. */
  readonly undescribed: readonly ServerTool[];
  /** How often the server lists each name that it lists more than once. */
  readonly repeated: ReadonlyMap<string, number>;
}

/**
 * Finds the nodes that describe each tool of a server: by the MCP name or that of the `mcp` arm; where no node has it, by the MCP name
 * without the prefix; then by id. A name that is listed again is compared once.
 */
export function matchTools(tools: readonly DescribedTool[], served: readonly ServerTool[]): Matches {
  const counts = new Map<string, number>();
  const first = new Map<string, ServerTool>();
  for (const tool of served) {
    counts.set(tool.name, (counts.get(tool.name) ?? 0) + 1);
    if (!first.has(tool.name)) first.set(tool.name, tool);
  }
  const ranks = [
    indexBy(tools, ({ names }) => names.own),
    indexBy(tools, ({ names }) => [names.unprefixed]),
    indexBy(tools, ({ names }) => [names.id]),
  ];
  const offered = new Map<DescribedTool, ServerTool[]>();
  const undescribed: ServerTool[] = [];
  for (const tool of first.values()) {
    const describing = ranks.map((rank) => rank.get(tool.name)).find((found) => found !== undefined) ?? [];
    if (describing.length === 0) undescribed.push(tool);
    for (const node of describing) offered.set(node, [...(offered.get(node) ?? []), tool]);
  }
  return { offered, undescribed, repeated: new Map([...counts].filter(([, count]) => count > 1)) };
}

function indexBy(
  tools: readonly DescribedTool[],
  names: (tool: DescribedTool) => readonly string[],
): Map<string, DescribedTool[]> {
  const index = new Map<string, DescribedTool[]>();
  for (const tool of tools) {
    for (const name of names(tool)) index.set(name, [...(index.get(name) ?? []), tool]);
  }
  return index;
}

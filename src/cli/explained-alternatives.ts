import type { Tool } from '../../schemas/tool.js';
import type { Generation } from '../projection/generation.js';
import type { ToolNode } from '../projection/node.js';

/** A Tool that may be used in place of another. */
export interface ExplainedAlternative {
  readonly id: string;
  readonly state: string;
  /** One of the two names the other in `alternativeTo`. */
  readonly named: boolean;
  /** Skills that both satisfy, where both take and give the same; absent where they do not. */
  readonly sameFor?: readonly string[];
  readonly selection?: Tool['selection'];
}

/** Of a Tool of the instance: what it names, the Tools that name it, and those that satisfy a skill of it with the same inputs and outputs. */
export function alternativesOf(
  tool: Tool,
  self: { readonly id: string; readonly iri: string },
  { generation, nodes }: { readonly generation: Generation; readonly nodes: readonly ToolNode[] },
): ExplainedAlternative[] {
  const others = new Map(nodes.map((node) => [node.tool.id, node.tool]));
  others.delete(self.id);
  const named = new Set(tool.alternativeTo ?? []);
  for (const [id, { alternativeTo = [] }] of others) {
    if (alternativeTo.includes(self.id) || alternativeTo.includes(self.iri)) named.add(id);
  }
  named.delete(self.id);
  const served = new Set(Array.from(generation.entries.values(), (entry) => entry.id));
  const omitted = new Map(generation.omissions.map((omission) => [omission.id, omission.code]));
  return [...new Set([...named, ...others.keys()])].sort().flatMap((id) => {
    const other = others.get(id);
    const skills = other === undefined ? [] : sharedUse(tool, other);
    if (skills.length === 0 && !named.has(id)) return [];
    return [
      {
        ...{ id, state: served.has(id) ? 'projected' : (omitted.get(id) ?? 'unknown'), named: named.has(id) },
        ...(skills.length === 0 ? {} : { sameFor: skills }),
        ...(other?.selection === undefined ? {} : { selection: other.selection }),
      },
    ];
  });
}

/** The skills that both satisfy, where a caller can give both the same and gets the same; as the bundled view `alternatives` has it. */
function sharedUse(one: Tool, other: Tool): string[] {
  if (signatureOf(one) !== signatureOf(other)) return [];
  return one.satisfies.filter((skill) => other.satisfies.includes(skill));
}

function signatureOf({ io }: Tool): string {
  const inputs = io.inputs.map(({ name, schema, required, repeated }) => [
    name,
    schema,
    required === true,
    repeated === true,
  ]);
  const outputs = io.outputs.map(({ name, schema, required }) => [name, schema, required !== false]);
  return JSON.stringify([inputs, outputs].map((ports) => ports.map((port) => JSON.stringify(port)).sort()));
}

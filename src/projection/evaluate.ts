import { confirmationProperty, type Declaration } from '../../schemas/declaration.js';
import type { Tool } from '../../schemas/tool.js';
import type { Diagnostic } from '../diagnostic.js';
import type { PatternVerdicts } from '../patterns/verdict.js';
import { visible } from '../visible.js';
import { toolAnnotations } from './annotations.js';
import { armKinds, armsOf, type BindRequest, chooseArm, withoutArm } from './arm.js';
import { withContent } from './content.js';
import { withDefinition } from './definition.js';
import { toolDescription, toolTitle } from './description.js';
import type { Binding, Entry, Omission, ProjectionOptions, RejectedArm, Unfitness } from './generation.js';
import type { HostFacts } from './host.js';
import { inputSchema } from './input-schema.js';
import { toolName } from './name.js';
import type { ToolNode } from './node.js';
import { outputSchema } from './output-schema.js';
import { patternsIn } from './patterns.js';
import { atNode, inputPorts, type OutputPort, outputPorts, unresolvedPorts } from './ports.js';
import { unmetRequirement } from './requirements.js';
import type { SchemaSource } from './schema-source.js';

/** What one node is judged by, beside itself. */
export interface Judgement {
  readonly schemaOf: SchemaSource;
  readonly verdicts: PatternVerdicts;
  readonly host: HostFacts;
  readonly options: ProjectionOptions;
}

/** Exactly one of the three states of tool-node.md §3. */
export type NodeState =
  | { readonly state: 'projected'; readonly entry: Entry }
  | { readonly state: 'omitted'; readonly omission: Omission }
  | { readonly state: 'problem'; readonly problems: readonly [Diagnostic, ...Diagnostic[]] };

/**
 * The state of one node, other nodes aside. What cannot be determined comes first: a type that is missing matters in every
 * state, one that is unsuitable matters where the Tool could ever be projected. Then the omissions, in the order of §3.
 */
export function evaluateNode(node: ToolNode, judgement: Judgement): NodeState {
  const { tool } = node;
  const arms = armsOf(tool, judgement.options);
  const armless = arms.length === 0 ? withoutArm(tool) : undefined;
  const unresolved = unresolvedPorts(node, judgement.schemaOf);
  if (arms.length === 0 && armless === undefined) {
    const message = 'it has no arm; expected at least one of shell, container, inProcess, manual';
    return undetermined([...unresolved, atNode(node, 'invalid-node', message, '/invoke')]);
  }
  if (unresolved.length > 0) return undetermined(unresolved);
  if (tool.tier === 'internal') {
    return omitted(node, judgement, { code: 'internal', reason: 'its tier is internal, which is never served' });
  }
  if (armless !== undefined) return omitted(node, judgement, armless);
  const { ports, problems } = inputPorts(node, judgement.schemaOf, judgement.verdicts);
  const outputs = outputPorts(node, judgement.schemaOf, judgement.verdicts);
  const unsuitable = [...problems, ...outputs.problems];
  if (unsuitable.length > 0) return undetermined(unsuitable);
  // P13: the confirmation is asked for in a property of our own, whatever input the node has of that name.
  const passed = ports.filter(({ input }) => tool.requiresConfirmation !== true || input.name !== confirmationProperty);
  const name = toolName(tool.id, judgement.options.prefix);
  const unmet = unservedTier(tool, judgement.options) ?? unmetRequirement(tool, judgement.host);
  const request = { tool, name, ports: passed, verdicts: judgement.verdicts };
  const { chosen, rejected } = chooseArm(request, arms, unmet, judgement.host);
  if (chosen !== undefined) {
    const binding = withContent(chosen, outputs.ports);
    return { state: 'projected', entry: entryOf(node, request, outputs.ports, binding, rejected) };
  }
  const [first] = rejected;
  if (first === undefined) throw new Error('an arm that is neither chosen nor rejected');
  return omitted(node, judgement, first, rejected);
}

function entryOf(
  { iri, document, tool }: ToolNode,
  { name, ports, verdicts }: BindRequest,
  outputs: readonly OutputPort[],
  binding: Binding,
  rejected: readonly RejectedArm[],
): Entry {
  const title = toolTitle(tool, name);
  const reached = ports.filter(({ input }) => armKinds[binding.arm].reaches(input));
  const annotations = toolAnnotations(tool);
  const valueSchema = binding.arm === 'inProcess' ? undefined : binding.valueSchema;
  const isStructured = binding.outputs !== undefined && valueSchema === undefined;
  const declaration: Omit<Declaration, '_meta'> = {
    name,
    ...(title === undefined ? {} : { title }),
    description: toolDescription(tool),
    inputSchema: inputSchema(reached, tool.requiresConfirmation === true),
    ...(isStructured ? { outputSchema: outputSchema(outputs) } : {}),
    ...(annotations === undefined ? {} : { annotations }),
  };
  const schemas = [declaration.inputSchema, declaration.outputSchema, valueSchema];
  const patterns = new Set(schemas.flatMap((schema) => [...patternsIn(schema)]));
  const linearPatterns = [...patterns].filter((pattern) => verdicts.get(pattern)?.time === 'linear').sort();
  return {
    ...{ name, id: tool.id, iri, document, tool },
    declaration: withDefinition(declaration, tool, binding),
    binding,
    ...(linearPatterns.length === 0 ? {} : { linearPatterns }),
    ...(rejected.length === 0 ? {} : { rejectedArms: rejected.map(readable) }),
  };
}

function unservedTier({ tier }: Tool, { tiers }: ProjectionOptions): Unfitness | undefined {
  if (tier !== 'internal' && tiers.includes(tier)) return undefined;
  return { code: 'tier', reason: `its tier is ${tier}, which is not served` };
}

function omitted(
  { iri, document, pointer, tool: { id } }: ToolNode,
  { options }: Judgement,
  { code, reason }: Unfitness,
  rejected: readonly RejectedArm[] = [],
): NodeState {
  const name = toolName(id, options.prefix);
  const several = rejected.length > 1 ? { rejectedArms: rejected.map(readable) } : {};
  return {
    state: 'omitted',
    omission: { id, iri, name, ...readable({ code, reason }), document, pointer, ...several },
  };
}

/** A reason quotes what the node says, and agents read it. */
function readable<T extends Unfitness>(unfitness: T): T {
  return { ...unfitness, reason: visible(unfitness.reason) };
}

function undetermined(problems: readonly Diagnostic[]): NodeState {
  const [first, ...others] = problems;
  if (first === undefined) throw new Error('a problem state without a problem');
  return { state: 'problem', problems: [first, ...others] };
}

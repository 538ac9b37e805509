import { confirmationProperty, type Declaration } from '../../schemas/declaration.js';
import type { Tool } from '../../schemas/tool.js';
import type { Diagnostic, OmissionCode } from '../diagnostic.js';
import type { PatternVerdicts } from '../patterns/verdict.js';
import { toolAnnotations } from './annotations.js';
import { argvDanger } from './argv-safety.js';
import { chooseArm } from './arm.js';
import { withDefinition } from './definition.js';
import { toolDescription, toolTitle } from './description.js';
import type { Entry, Omission, ProjectionOptions, ShellBinding } from './generation.js';
import type { HostFacts } from './host.js';
import { inputSchema } from './input-schema.js';
import { interpreterSlot } from './interpreter.js';
import { toolName } from './name.js';
import type { ToolNode } from './node.js';
import { outputSchema, stdoutOutputs } from './output-schema.js';
import { atNode, inputPorts, type OutputPort, outputPorts, type Port, unresolvedPorts } from './ports.js';
import { unmetRequirement } from './requirements.js';
import type { SchemaSource } from './schema-source.js';
import { shellSlots } from './slots.js';
import { typeName } from './type-reference.js';
import { splitWords } from './words.js';

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
  const choice = chooseArm(tool, judgement.options);
  const unresolved = unresolvedPorts(node, judgement.schemaOf);
  if (choice === undefined) {
    const message = 'it has no arm; expected at least one of shell, container, inProcess, manual';
    return undetermined([...unresolved, atNode(node, 'invalid-node', message, '/invoke')]);
  }
  if (unresolved.length > 0) return undetermined(unresolved);
  const omitted = omit(node, judgement.options);
  if (tool.tier === 'internal') return omitted('internal', 'its tier is internal, which is never served');
  if ('code' in choice && choice.code !== 'arm-unsupported') return omitted(choice.code, choice.reason);
  const { ports, problems } = inputPorts(node, judgement.schemaOf, judgement.verdicts);
  const outputs = outputPorts(node, judgement.schemaOf, judgement.verdicts);
  const unsuitable = [...problems, ...outputs.problems];
  if (unsuitable.length > 0) return undetermined(unsuitable);
  if ('code' in choice) return omitted(choice.code, choice.reason);
  // P13: the confirmation is asked for in a property of our own, whatever input the node has of that name.
  const passed = ports.filter(({ input }) => tool.requiresConfirmation !== true || input.name !== confirmationProperty);
  const bound = bindShell(choice.shell, passed, judgement.verdicts);
  if ('code' in bound) return omitted(bound.code, bound.reason);
  if (!isServed(tool, judgement.options)) return omitted('tier', `its tier is ${tool.tier}, which is not served`);
  const unmet = unmetRequirement(tool, bound.words[0], judgement.host);
  if (unmet !== undefined) return omitted(unmet.code, unmet.reason);
  return { state: 'projected', entry: entryOf(node, passed, outputs.ports, bound, judgement.options) };
}

interface Refusal {
  readonly code: OmissionCode;
  readonly reason: string;
}

/** Words and slots of the shell arm, or the first omission that a change of the node would cure. */
function bindShell(shell: string, ports: readonly Port[], verdicts: PatternVerdicts): ShellBinding | Refusal {
  const split = splitWords(shell);
  if ('syntax' in split) {
    return {
      code: 'shell-syntax',
      reason: `its shell string has ${split.syntax} and would need a shell; none is ever started`,
    };
  }
  const { words } = split;
  const slots = shellSlots(ports);
  const required = new Set(ports.flatMap(({ input }) => (input.required === true ? [input.name] : [])));
  const code = interpreterSlot(
    words,
    slots.map((slot) => ({ slot, required: required.has(slot.name) })),
  );
  if (code !== undefined) {
    const reason = `its input "${code.input}" would become code: it is run by ${code.interpreter}`;
    return { code: 'interpreter-slot', reason };
  }
  const unreachable = ports.find(({ input }) => input.required === true && input.arg === undefined);
  if (unreachable !== undefined) {
    const reason = `its required input "${unreachable.input.name}" has no arg, so it cannot reach the process`;
    return { code: 'unreachable-input', reason };
  }
  return unsafeInput(ports, verdicts) ?? { arm: 'shell', words, slots };
}

function unsafeInput(ports: readonly Port[], verdicts: PatternVerdicts): Refusal | undefined {
  for (const { input, schema } of ports) {
    if (input.arg === undefined || 'stdin' in input.arg) continue;
    const danger = argvDanger(schema, verdicts);
    if (danger === undefined) continue;
    const reason = `its input "${input.name}" goes into argv, and the type ${typeName(input.schema)} ${danger}`;
    return { code: 'unsafe-argv-input', reason };
  }
  return undefined;
}

function entryOf(
  { iri, document, tool }: ToolNode,
  ports: readonly Port[],
  outputs: readonly OutputPort[],
  bound: ShellBinding,
  { prefix }: ProjectionOptions,
): Entry {
  const name = toolName(tool.id, prefix);
  const title = toolTitle(tool, name);
  const reached = ports.filter(({ input }) => input.arg !== undefined);
  const read = stdoutOutputs(tool.io.outputs);
  const annotations = toolAnnotations(tool);
  const declaration: Omit<Declaration, '_meta'> = {
    name,
    ...(title === undefined ? {} : { title }),
    description: toolDescription(tool),
    inputSchema: inputSchema(reached, tool.requiresConfirmation === true),
    ...(read === undefined ? {} : { outputSchema: outputSchema(outputs) }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  const binding = read === undefined ? bound : { ...bound, outputs: read };
  return { name, id: tool.id, iri, document, tool, declaration: withDefinition(declaration, tool, bound.arm), binding };
}

function isServed({ tier }: Tool, { tiers }: ProjectionOptions): boolean {
  return tier !== 'internal' && tiers.includes(tier);
}

function omit({ iri, document, pointer, tool: { id } }: ToolNode, { prefix }: ProjectionOptions) {
  return (code: OmissionCode, reason: string): NodeState => ({
    state: 'omitted',
    omission: { id, iri, name: toolName(id, prefix), code, reason, document, pointer },
  });
}

function undetermined(problems: readonly Diagnostic[]): NodeState {
  const [first, ...others] = problems;
  if (first === undefined) throw new Error('a problem state without a problem');
  return { state: 'problem', problems: [first, ...others] };
}

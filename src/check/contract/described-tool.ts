import { confirmationProperty, type JsonSchema } from '../../../schemas/declaration.js';
import type { Tool } from '../../../schemas/tool.js';
import { byCodeUnits } from '../../code-units.js';
import type { Diagnostic, OmissionCode } from '../../diagnostic.js';
import type { Entry, Omission } from '../../projection/generation.js';
import { inputSchema } from '../../projection/input-schema.js';
import { toolName } from '../../projection/name.js';
import type { ToolNode } from '../../projection/node.js';
import { nodeKey } from '../../projection/node-key.js';
import { outputSchema } from '../../projection/output-schema.js';
import type { OutputPort, Port } from '../../projection/ports.js';
import { type SchemaSource, schemaSource } from '../../projection/schema-source.js';
import { toolIdIn, toolIriIn } from '../../store/node-iri.js';
import type { CheckedInstance } from '../rule.js';

/** A Tool of the instance, in whatever state, as a server that offers it would be compared with it. */
export interface DescribedTool {
  readonly id: string;
  readonly names: ServerNames;
  readonly document?: string;
  readonly instance?: string;
  /** JSON pointer of the node in its document. */
  readonly pointer?: string;
  readonly state:
    | { readonly kind: 'projected' }
    | { readonly kind: 'omitted'; readonly code: OmissionCode; readonly reason: string }
    | { readonly kind: 'problem'; readonly problem: Pick<Diagnostic, 'code' | 'message'> };
  /** Absent for a problem: what the node says is not known. */
  readonly tool?: Tool;
  readonly inputs?: DescribedInputs;
  /** The outputSchema; undefined where an output does not say where it comes from: it describes prose then (P6). */
  readonly outputs?: JsonSchema | Undetermined | undefined;
}

/** The names under which a server may offer it, the surest first. */
export interface ServerNames {
  /** Its MCP name, and the one that its `mcp` arm gives. */
  readonly own: readonly string[];
  /** The MCP name without the prefix of the config. */
  readonly unprefixed: string;
  readonly id: string;
}

export type DescribedInputs =
  | {
      /** The inputSchema with every input; those of `optional` are in it only for a server that has them. */
      readonly schemaFor: (serverInputs: ReadonlySet<string>) => JsonSchema;
      /** Index in `io.inputs` by name. */
      readonly places: ReadonlyMap<string, number>;
    }
  | Undetermined;

/** A part of a node that there is no schema for, and why. */
export class Undetermined {
  readonly code: string;
  readonly message: string;

  constructor(code: string, message: string) {
    this.code = code;
    this.message = message;
  }
}

export interface DescribedInstance {
  /** Sorted by id, then by document. */
  readonly tools: readonly DescribedTool[];
  /** Problems that are about no Tool in particular: a document that cannot be read may describe any. */
  readonly problems: readonly Diagnostic[];
}

/** Every Tool of an instance, and of those that it includes. */
export function describeTools({ generation, nodes, members }: CheckedInstance): DescribedInstance {
  const entries = new Map(Array.from(generation.entries.values(), (entry) => [nodeKey(entry.iri, entry), entry]));
  const omissions = new Map(generation.omissions.map((omission) => [nodeKey(omission.iri, omission), omission]));
  const sources = new Map(Array.from(members, ([label, { types }]) => [label, schemaSource(types)]));
  const described = new Map<string, DescribedTool>();
  for (const node of nodes) {
    const { instance = '' } = node;
    const key = nodeKey(node.iri, node);
    const prefix = members.get(instance)?.config.prefix;
    const schemaOf = sources.get(instance) ?? schemaSource(new Map());
    const known = entries.get(key) ?? omissions.get(key);
    if (known !== undefined && !described.has(key)) described.set(key, describe(node, known, prefix, schemaOf));
  }
  const problems: Diagnostic[] = [];
  for (const problem of generation.problems) {
    const node = nodes.find((one) => isAbout(problem, one));
    const id = node?.tool.id ?? idOf(problem.subject);
    if (id === undefined) {
      problems.push(problem);
      continue;
    }
    const key = node === undefined ? nodeKey(problem.subject ?? '', problem) : nodeKey(node.iri, node);
    const prefix = members.get(problem.instance ?? '')?.config.prefix;
    if (!described.has(key)) described.set(key, undetermined(id, problem, node, prefix));
  }
  return { tools: [...described.values()].sort(compareTools), problems };
}

function describe(
  node: ToolNode,
  known: Entry | Omission,
  prefix: string | undefined,
  schemaOf: SchemaSource,
): DescribedTool {
  const { tool, document, pointer, instance } = node;
  const omitted = 'code' in known;
  return {
    id: tool.id,
    names: namesOf(tool.id, [known.name, ...mcpName(tool)], prefix),
    document,
    ...(instance === undefined ? {} : { instance }),
    pointer,
    state: omitted ? { kind: 'omitted', code: known.code, reason: known.reason } : { kind: 'projected' },
    tool,
    inputs: inputsOf(tool, schemaOf),
    outputs: omitted ? outputsOf(tool, schemaOf) : known.declaration.outputSchema,
  };
}

function undetermined(
  id: string,
  { code, message, document, instance, pointer }: Diagnostic,
  node: ToolNode | undefined,
  prefix: string | undefined,
): DescribedTool {
  return {
    id,
    names: namesOf(id, [toolName(id, prefix), ...(node === undefined ? [] : mcpName(node.tool))], prefix),
    ...(document === undefined ? {} : { document }),
    ...(instance === undefined ? {} : { instance }),
    ...(pointer === undefined ? {} : { pointer }),
    state: { kind: 'problem', problem: { code, message } },
  };
}

function namesOf(id: string, own: readonly string[], prefix: string | undefined): ServerNames {
  return { own: [...new Set(own)], unprefixed: prefix === undefined ? id : toolName(id), id };
}

function mcpName({ invoke }: Tool): string[] {
  return invoke.mcp === undefined ? [] : [invoke.mcp.tool];
}

/**
 * The contract of all inputs, also of those that keep the Tool from being projected: the server that is compared need not run it the way
 * the node would be run.
 */
function inputsOf(tool: Tool, schemaOf: SchemaSource): DescribedInputs {
  const ports: Port[] = [];
  for (const input of tool.io.inputs) {
    const found = schemaOf(input.schema);
    if (!('schema' in found)) return new Undetermined(found.code, `input "${input.name}": ${found.message}`);
    const isOurs = tool.requiresConfirmation === true && input.name === confirmationProperty;
    if (!isOurs) ports.push({ input, schema: found.schema });
  }
  const isProcess = tool.invoke.shell !== undefined || tool.invoke.container !== undefined;
  const isReached = ({ input }: Port): boolean => !isProcess || input.arg !== undefined || input.required === true;
  return {
    schemaFor: (serverInputs) =>
      inputSchema(
        ports.filter((port) => isReached(port) || serverInputs.has(port.input.name)),
        tool.requiresConfirmation === true,
      ),
    places: new Map(tool.io.inputs.map(({ name }, i) => [name, i])),
  };
}

function outputsOf(tool: Tool, schemaOf: SchemaSource): JsonSchema | Undetermined | undefined {
  const ports: OutputPort[] = [];
  for (const output of tool.io.outputs) {
    if (output.from === undefined) return undefined;
    const found = schemaOf(output.schema);
    if (!('schema' in found)) return new Undetermined(found.code, `output "${output.name}": ${found.message}`);
    ports.push({ output, schema: found.schema });
  }
  return ports.length === 0 ? undefined : outputSchema(ports);
}

function isAbout({ subject, instance }: Diagnostic, node: ToolNode): boolean {
  if (subject === undefined || instance !== node.instance) return false;
  return subject === node.iri || subject.startsWith(`${node.iri}/`);
}

/** The id of the Tool that an IRI is of, or is of a part of. */
function idOf(subject: string | undefined): string | undefined {
  return subject === undefined ? undefined : toolIdIn(toolIriIn(subject) ?? subject);
}

function compareTools(a: DescribedTool, b: DescribedTool): number {
  return byCodeUnits(a.id, b.id) || byCodeUnits(a.document ?? '', b.document ?? '');
}

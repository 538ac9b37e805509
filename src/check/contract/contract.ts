import { byCodeUnits } from '../../code-units.js';
import type { Diagnostic } from '../../diagnostic.js';
import { isJsonObject } from '../../json-object.js';
import { nearestName } from '../../nearest-name.js';
import type { CheckedInstance } from '../rule.js';
import { type DescribedTool, describeTools, Undetermined } from './described-tool.js';
import type { Step } from './difference.js';
import { Effort } from './effort.js';
import { type Drift, drift, type Unchecked } from './finding.js';
import { hintDrift } from './hints.js';
import { matchTools } from './match.js';
import type { PatternAnswers } from './pattern-question.js';
import { type ComparisonMeans, type SchemaDrift, schemaDrift } from './schema-drift.js';
import type { ServerTool } from './server-tool.js';

/** One tool, of the nodes or of the server or of both. */
export interface ToolContract {
  /** Absent where no node describes the tool. */
  readonly id?: string;
  /** Its name at the server; absent where the server does not offer it. */
  readonly name?: string;
  /** `drift`: at least one. `unchecked`: no drift was found, and not all could be compared. `absent`: deliberately. */
  readonly state: 'agrees' | 'drift' | 'absent' | 'unchecked';
  /** Why it is absent: the code and the reason of its omission. */
  readonly absence?: { readonly code: string; readonly reason: string };
  readonly document?: string;
  readonly pointer?: string;
  readonly drift: readonly Drift[];
  readonly unchecked: readonly Unchecked[];
}

export interface Contract {
  /** Sorted by id, then by name; those that no node describes last. */
  readonly tools: readonly ToolContract[];
  /** Problems of the instance that are about no Tool in particular: with them, nothing is complete. */
  readonly problems: readonly Diagnostic[];
}

export interface ContractOptions {
  /** Every node with an mcp arm has to be offered by this server. */
  readonly requireMcp: boolean;
  readonly patterns: PatternAnswers;
}

/** Compares the tools of a server with all nodes of an instance, of every tier and in every state, both ways. Pure. */
export function compareContract(
  instance: CheckedInstance,
  served: readonly ServerTool[],
  options: ContractOptions,
): Contract {
  const { tools, problems } = describeTools(instance);
  const means = { patterns: options.patterns, effort: new Effort() };
  const { offered, undescribed, repeated } = matchTools(tools, served);
  const compared = tools.flatMap((described) => {
    const servers = offered.get(described) ?? [];
    if (servers.length === 0) return [withoutServer(described, options)];
    return servers.map((server) => together(described, server, repeated.get(server.name), means));
  });
  const known = tools.flatMap(({ names }) => [...names.own, names.id]);
  const extra = undescribed.map((server) => withoutNode(server, repeated.get(server.name), known));
  return { tools: [...compared, ...extra].sort(compareTools), problems };
}

/** Every tool of the nodes as one that could not be checked: there is no list to compare with. */
export function uncheckedContract(instance: CheckedInstance, reason: string): Contract {
  const { tools, problems } = describeTools(instance);
  const unchecked: Unchecked[] = [{ message: reason, side: 'server' }];
  return {
    tools: tools.map((described) => ({ ...placeOf(described), state: 'unchecked', drift: [], unchecked })),
    problems,
  };
}

function withoutServer(described: DescribedTool, { requireMcp }: ContractOptions): ToolContract {
  const { state, names } = described;
  const place = placeOf(described);
  if (state.kind === 'problem')
    return { ...place, state: 'unchecked', drift: [], unchecked: [problemOf(state.problem)] };
  const mcp = described.tool?.invoke.mcp?.tool;
  if (state.kind === 'omitted' && !(requireMcp && mcp !== undefined)) {
    const { code, reason } = state;
    return { ...place, state: 'absent', absence: { code, reason }, drift: [], unchecked: [] };
  }
  const name = state.kind === 'omitted' ? mcp : names.own[0];
  const missing = drift('tool-missing', `the server has no tool ${name}`, pointerOf(described));
  return { ...place, state: 'drift', drift: [missing], unchecked: [] };
}

function withoutNode({ name }: ServerTool, times: number | undefined, known: readonly string[]): ToolContract {
  const meant = nearestName(name, known);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  const found = [drift('tool-undescribed', `no node describes the tool ${name} of the server${hint}`)];
  return { name, state: 'drift', drift: [...found, ...repetition(name, times)], unchecked: [] };
}

function together(
  described: DescribedTool,
  server: ServerTool,
  times: number | undefined,
  means: ComparisonMeans,
): ToolContract {
  const found: Drift[] = repetition(server.name, times);
  const unchecked: Unchecked[] = [];
  const { state, tool } = described;
  if (state.kind === 'problem') unchecked.push(problemOf(state.problem));
  if (state.kind === 'omitted' && state.code === 'internal') {
    found.push(drift('tool-internal', 'the server offers it, and its node is internal', pointerOf(described, '/tier')));
  }
  if (tool !== undefined) {
    found.push(
      ...hintDrift(tool, server.annotations).map((one) => ({ ...one, ...pointerOf(described, one.nodePointer) })),
    );
    for (const part of [inputDrift(described, server, means), outputDrift(described, server, means)]) {
      found.push(...part.drift);
      unchecked.push(...part.unchecked);
    }
  }
  const verdict = found.length > 0 ? 'drift' : unchecked.length > 0 ? 'unchecked' : 'agrees';
  return { ...placeOf(described), name: server.name, state: verdict, drift: found, unchecked };
}

function inputDrift(described: DescribedTool, { inputSchema }: ServerTool, means: ComparisonMeans): SchemaDrift {
  const { inputs, tool } = described;
  if (inputs === undefined) return { drift: [], unchecked: [] };
  if (inputs instanceof Undetermined) return { drift: [], unchecked: [problemOf(inputs)] };
  if (inputSchema === undefined) {
    return {
      drift: [],
      unchecked: [{ message: 'the server lists it without an inputSchema, which MCP requires', side: 'server' }],
    };
  }
  const serverInputs = isJsonObject(inputSchema) && isJsonObject(inputSchema.properties) ? inputSchema.properties : {};
  const placeOfInput = (path: readonly Step[]): string => {
    const index = typeof path[0] === 'string' ? inputs.places.get(path[0]) : undefined;
    return `${described.pointer ?? ''}/io/inputs${index === undefined ? '' : `/${index}`}`;
  };
  return schemaDrift(
    {
      node: inputs.schemaFor(new Set(Object.keys(serverInputs))),
      server: inputSchema,
      part: 'input',
      confirmed: tool?.requiresConfirmation === true,
      placeOf: placeOfInput,
    },
    means,
  );
}

/** Only where both have one: a node without a source for its outputs describes prose (P6). */
function outputDrift(described: DescribedTool, server: ServerTool, means: ComparisonMeans): SchemaDrift {
  const { outputs: node } = described;
  if (node === undefined || server.outputSchema === undefined) return { drift: [], unchecked: [] };
  if (node instanceof Undetermined) return { drift: [], unchecked: [problemOf(node)] };
  const outputs = described.tool?.io.outputs ?? [];
  const placeOfOutput = (path: readonly Step[]): string => {
    const index = outputs.findIndex(({ name }) => name === path[0]);
    return `${described.pointer ?? ''}/io/outputs${index === -1 ? '' : `/${index}`}`;
  };
  return schemaDrift({ node, server: server.outputSchema, part: 'output', placeOf: placeOfOutput }, means);
}

function repetition(name: string, times: number | undefined): Drift[] {
  return times === undefined
    ? []
    : [drift('name-repeated', `the server lists ${name} ${times} times; the first is compared`)];
}

function problemOf({ code, message }: { readonly code: string; readonly message: string }): Unchecked {
  return { message: `${code}: ${message}`, side: 'node' };
}

function placeOf({ id, document, pointer }: DescribedTool): Pick<ToolContract, 'id' | 'document' | 'pointer'> {
  return { id, ...(document === undefined ? {} : { document }), ...(pointer === undefined ? {} : { pointer }) };
}

function pointerOf({ pointer }: DescribedTool, at = ''): { nodePointer?: string } {
  return pointer === undefined ? {} : { nodePointer: `${pointer}${at}` };
}

function compareTools(a: ToolContract, b: ToolContract): number {
  return (
    Number(a.id === undefined) - Number(b.id === undefined) ||
    byCodeUnits(a.id ?? '', b.id ?? '') ||
    byCodeUnits(a.document ?? '', b.document ?? '') ||
    byCodeUnits(a.name ?? '', b.name ?? '')
  );
}

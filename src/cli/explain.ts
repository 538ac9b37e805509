import { confirmationProperty, definitionKey, type Json } from '../../schemas/declaration.js';
import type { Invocation } from '../../schemas/invocation.js';
import type { Input } from '../../schemas/port.js';
import type { Tool } from '../../schemas/tool.js';
import { type Advice, adviceFor } from '../check/advice/advice.js';
import type { Diagnostic, OmissionCode, Place, ProblemCode } from '../diagnostic.js';
import type { Binding, Entry, Generation, Omission, RejectedArm, Slot } from '../projection/generation.js';
import type { SkillNode, ToolNode, TypeRegistry } from '../projection/node.js';
import { slotOf } from '../projection/slots.js';
import { type Requirement, requirementsOf } from './requirements.js';
import { sampleArguments } from './sample-arguments.js';

/** All that is known of one tool: what `why` prints, and with `--json` exactly this. */
export interface Explanation {
  readonly id: string;
  readonly name?: string;
  readonly iri: string;
  readonly state: 'projected' | 'omitted' | 'problem';
  /** It is served as it was before its node became a problem. */
  readonly lastGood?: true;
  readonly code?: OmissionCode | ProblemCode;
  readonly reason?: string;
  /** What can be done, and where; absent of a tool that is served as its node says. */
  readonly advice?: PlacedAdvice;
  /** Arguments of a call that its inputSchema accepts, as an example; absent of a tool that is not served. */
  readonly sampleCall?: Readonly<Record<string, Json>>;
  readonly problems: readonly Diagnostic[];
  readonly document?: string;
  readonly line?: number;
  readonly pointer?: string;
  /** Other documents that state something of it. */
  readonly alsoIn?: readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly tier?: Tool['tier'];
  readonly version?: string;
  readonly arm?: string;
  /** Of a shell arm; of a container arm the image, then the command in it. */
  readonly words?: readonly string[];
  /** Of a container arm: the one that answers. */
  readonly engine?: string;
  /** Of an inProcess arm: path in the instance. */
  readonly module?: string;
  /** Arms that are preferred to `arm` and cannot run here; of an omission with several arms, all of them. */
  readonly rejectedArms?: readonly RejectedArm[];
  readonly invoke?: Tool['invoke'];
  readonly definition?: string;
  readonly skills?: readonly { readonly name: string; readonly known: boolean; readonly title?: string }[];
  readonly requirements?: readonly Requirement[];
  readonly inputs?: readonly ExplainedInput[];
  readonly alternatives?: readonly { readonly id: string; readonly state: string }[];
  readonly selection?: Tool['selection'];
  /** The records of its last calls, newest first. */
  readonly calls?: readonly Invocation[];
}

/** Advice, with the line of what to change. */
export interface PlacedAdvice extends Advice {
  readonly document?: string;
  readonly line?: number;
}

export interface ExplainedInput {
  readonly name: string;
  readonly schema: string;
  readonly required: boolean;
  /** How it reaches the process, or why it does not; absent where the Tool has no arm that runs here. */
  readonly reaches?: string;
}

/** What a service knows, as far as `explain` asks. */
export interface Knowledge {
  readonly generation: Generation;
  readonly skills: readonly SkillNode[];
  readonly nodes: readonly ToolNode[];
  /** Finds the line of a node from its document and pointer. */
  readonly locate: (place: Place) => { readonly line: number } | undefined;
  /** The types that an instance knows, by its label; '' is the instance itself. */
  readonly typesOf: (instance: string) => TypeRegistry;
}

/** One Tool, put together from where it occurs in a generation. */
export interface Candidate {
  readonly id: string;
  readonly iri: string;
  readonly entry?: Entry;
  readonly omission?: Omission;
  readonly node?: ToolNode;
  readonly problems: readonly Diagnostic[];
}

export function explain(candidate: Candidate, knowledge: Knowledge): Explanation {
  const { id, iri, entry, omission, node, problems } = candidate;
  const tool = entry?.tool ?? node?.tool;
  const document = entry?.document ?? omission?.document ?? node?.document ?? problems[0]?.document;
  const pointer = node?.pointer ?? omission?.pointer ?? problems[0]?.pointer;
  const known = entry ?? omission ?? node;
  const line = known === undefined ? problems[0]?.line : knowledge.locate({ document, pointer })?.line;
  const name = entry?.name ?? omission?.name;
  return {
    id,
    ...(name === undefined ? {} : { name }),
    iri,
    ...stateOf(candidate, knowledge),
    problems,
    ...(document === undefined ? {} : { document }),
    ...(line === undefined ? {} : { line }),
    ...(pointer === undefined ? {} : { pointer }),
    ...(node?.alsoIn === undefined ? {} : { alsoIn: node.alsoIn }),
    ...(tool === undefined ? {} : describe(tool, candidate, knowledge)),
  };
}

type State = Pick<Explanation, 'state' | 'lastGood' | 'code' | 'reason' | 'advice' | 'sampleCall'>;

function stateOf(candidate: Candidate, knowledge: Knowledge): State {
  const { entry, omission, problems } = candidate;
  const [first] = problems;
  const told = omission ?? (first === undefined ? undefined : { code: first.code, reason: first.message });
  // Of several arms, one that this version can run is the one to put right.
  const curable = omission?.rejectedArms?.find(({ code }) => code !== 'arm-unsupported') ?? told;
  const cause =
    told === undefined || curable === undefined
      ? {}
      : {
          code: told.code,
          reason: told.reason,
          advice: placedAdvice(candidate, curable.code, curable.reason, knowledge),
        };
  if (entry === undefined) return { state: omission === undefined ? 'problem' : 'omitted', ...cause };
  const sampleCall = sampleArguments(entry.declaration.inputSchema);
  return entry.lastGood === true
    ? { state: 'projected', lastGood: true, ...cause, sampleCall }
    : { state: 'projected', sampleCall };
}

function placedAdvice(
  { node, problems }: Candidate,
  code: OmissionCode | ProblemCode,
  reason: string,
  { locate, typesOf }: Knowledge,
): PlacedAdvice {
  const advice = adviceFor(code, node?.tool, { reason, types: typesOf(node?.instance ?? '') });
  const document = problems[0]?.document ?? node?.document;
  const isInNode = node !== undefined && advice.pointer !== undefined;
  const line = isInNode
    ? locate({ document: node.document, pointer: `${node.pointer}${advice.pointer}` })?.line
    : problems[0]?.line;
  return {
    ...advice,
    ...(document === undefined ? {} : { document: isInNode ? node.document : document }),
    ...(line === undefined ? {} : { line }),
  };
}

function describe(tool: Tool, { id, iri, entry, omission }: Candidate, knowledge: Knowledge): Partial<Explanation> {
  const { title, description, tier, version, invoke, selection } = tool;
  // A skill outside of the base of the instance, as a whole-graph export has them, is named by its IRI.
  const skills = new Map(
    knowledge.skills.flatMap((skill) => [[skill.iri, skill] as const, [skill.name, skill] as const]),
  );
  return {
    title,
    description,
    tier,
    ...(version === undefined ? {} : { version }),
    ...(entry === undefined ? {} : armOf(entry.binding)),
    ...rejectedOf(entry ?? omission),
    invoke,
    ...(entry === undefined ? {} : { definition: entry.declaration._meta[definitionKey] }),
    skills: tool.satisfies.map((name) => {
      const skill = skills.get(name);
      return {
        name: skill?.name ?? name,
        known: skill !== undefined,
        ...(skill?.title === undefined ? {} : { title: skill.title }),
      };
    }),
    requirements: requirementsOf(tool, entry === undefined ? omission?.code : 'projected'),
    inputs: tool.io.inputs.map((input) => ({
      name: input.name,
      schema: input.schema,
      required: input.required ?? false,
      ...(invoke.shell === undefined && invoke.container === undefined && entry === undefined
        ? {}
        : { reaches: reachOf(input, entry, omission) }),
    })),
    alternatives: alternativesOf(tool, { id, iri }, knowledge),
    ...(selection === undefined ? {} : { selection }),
  };
}

function armOf(binding: Binding): Pick<Explanation, 'arm' | 'engine' | 'words' | 'module'> {
  if (binding.arm === 'shell') return { arm: binding.arm, words: binding.words };
  if (binding.arm === 'container') return { arm: binding.arm, engine: binding.engine, words: binding.words };
  return { arm: binding.arm, module: binding.module };
}

function rejectedOf(known: Entry | Omission | undefined): Pick<Explanation, 'rejectedArms'> {
  return known?.rejectedArms === undefined ? {} : { rejectedArms: known.rejectedArms };
}

function reachOf(input: Input, entry: Entry | undefined, omission: Omission | undefined): string {
  if (entry?.binding.arm === 'inProcess') {
    return entry.tool.requiresConfirmation === true && input.name === confirmationProperty
      ? 'it does not: it is never passed on'
      : 'passed to the function';
  }
  // The type of an input of a tool that is not served may be unknown, so a flag of it is shown with its value.
  const slot =
    entry === undefined
      ? slotOf({ input, schema: { type: 'string' } })
      : entry.binding.slots.find(({ name }) => name === input.name);
  if (slot !== undefined) return slotWords(slot);
  if (input.arg !== undefined) return 'it does not: it is never passed on';
  if (input.required !== true) return 'it does not: it has no arg, so it is left out of the inputSchema';
  return omission?.code === 'unreachable-input'
    ? 'it does not: it has no arg, and a required input without one keeps the tool from being served'
    : 'it does not: it has no arg, which a required input needs';
}

function slotWords(slot: Slot): string {
  if (slot.kind === 'stdin') return 'stdin';
  if (slot.kind === 'positional') {
    return slot.repeated ? `words from position ${slot.position} on` : `position ${slot.position}`;
  }
  if (slot.boolean) return `${slot.flag}, present when true`;
  return `${slot.flag}${slot.joined ? '=' : ' '}<${slot.name}>${slot.repeated ? ', once for each element' : ''}`;
}

/** What this Tool names as an alternative, and the Tools that name this one. */
function alternativesOf(tool: Tool, self: { id: string; iri: string }, { generation, nodes }: Knowledge) {
  const ids = new Set(tool.alternativeTo ?? []);
  for (const node of nodes) {
    const named = node.tool.alternativeTo ?? [];
    if (named.includes(self.id) || named.includes(self.iri)) ids.add(node.tool.id);
  }
  ids.delete(self.id);
  const served = new Set(Array.from(generation.entries.values(), (entry) => entry.id));
  const omitted = new Map(generation.omissions.map((omission) => [omission.id, omission.code]));
  return [...ids].sort().map((id) => ({ id, state: served.has(id) ? 'projected' : (omitted.get(id) ?? 'unknown') }));
}

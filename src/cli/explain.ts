import { confirmationProperty, definitionKey, type Json } from '../../schemas/declaration.js';
import type { Invocation } from '../../schemas/invocation.js';
import type { Tool } from '../../schemas/tool.js';
import { type Advice, adviceFor } from '../check/advice/advice.js';
import type { CheckedMember, Finding } from '../check/rule.js';
import type { Diagnostic, OmissionCode, Place, ProblemCode } from '../diagnostic.js';
import type { Candidate } from '../find-tool.js';
import { objectDigest } from '../projection/digest.js';
import type { Binding, Entry, Generation, Omission, RejectedArm } from '../projection/generation.js';
import type { SkillNode, ToolNode } from '../projection/node.js';
import { alternativesOf, type ExplainedAlternative } from './explained-alternatives.js';
import { type ExplainedInput, type ExplainedOutput, explainInputs, explainOutputs } from './explained-ports.js';
import type { HeldRevision } from './held-revision.js';
import { type Requirement, requirementsOf } from './requirements.js';
import { type SampleSource, sampleArguments } from './sample-arguments.js';

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
  /**
   * Arguments of a call that its inputSchema accepts, as an example: of a tool that is served, that only reads, and that asks for no
   * confirmation. A call of another could lose something when it is pasted.
   */
  readonly sampleCall?: Readonly<Record<string, Json>>;
  readonly problems: readonly Diagnostic[];
  /** What `check` finds in it beside its state (TG2xx), and in the types of its inputs. */
  readonly findings?: readonly Finding[];
  readonly document?: string;
  readonly line?: number;
  readonly pointer?: string;
  /** Other documents that state something of it. */
  readonly alsoIn?: readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly tier?: Tool['tier'];
  readonly version?: string;
  readonly effect?: Tool['effect'];
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
  readonly requiresConfirmation?: boolean;
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
  /** Digest of the whole node: the records of calls name it. */
  readonly revision?: string;
  /** Since when the history has the node like this. */
  readonly held?: HeldRevision;
  readonly skills?: readonly { readonly name: string; readonly known: boolean; readonly title?: string }[];
  readonly requirements?: readonly Requirement[];
  readonly inputs?: readonly ExplainedInput[];
  readonly outputs?: readonly ExplainedOutput[];
  readonly alternatives?: readonly ExplainedAlternative[];
  readonly selection?: Tool['selection'];
  /** The records of its last calls, newest first. */
  readonly calls?: readonly Invocation[];
}

/** Advice, with the line of what to change. */
export interface PlacedAdvice extends Advice {
  readonly document?: string;
  readonly line?: number;
}

/** What a service knows, as far as `explain` asks. */
export interface Knowledge {
  readonly generation: Generation;
  readonly skills: readonly SkillNode[];
  readonly nodes: readonly ToolNode[];
  /** Finds the line of a node from its document and pointer. */
  readonly locate: (place: Place) => { readonly line: number } | undefined;
  /** The types that an instance knows and what is known of their patterns, by its label; '' is the instance itself. */
  readonly typesOf: (instance: string) => Pick<CheckedMember, 'types' | 'verdicts'>;
  readonly samples: SampleSource;
  /** What `check` finds. */
  readonly findings: readonly Finding[];
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
  const told =
    omission === undefined
      ? first && { code: first.code, reason: first.message }
      : { code: omission.code, reason: omission.reason };
  const cause =
    told === undefined ? {} : { ...told, advice: placedAdvice(candidate, told.code, told.reason, knowledge) };
  if (entry === undefined) return { state: omission === undefined ? 'problem' : 'omitted', ...cause };
  const sample = isHarmless(entry.tool)
    ? { sampleCall: sampleArguments(entry.declaration.inputSchema, knowledge.samples) }
    : {};
  return entry.lastGood === true
    ? { state: 'projected', lastGood: true, ...cause, ...sample }
    : { state: 'projected', ...sample };
}

/** Whether an example of a call may be pasted without a thought. */
function isHarmless({ effect, requiresConfirmation, io }: Tool): boolean {
  const isGated = requiresConfirmation === true || io.inputs.some(({ name }) => name === confirmationProperty);
  return effect === 'read' && !isGated;
}

function placedAdvice(
  { node, problems }: Candidate,
  code: OmissionCode | ProblemCode,
  reason: string,
  { locate, typesOf }: Knowledge,
): PlacedAdvice {
  const advice = adviceFor(code, node?.tool, { reason, ...typesOf(node?.instance ?? '') });
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
  const { effect, idempotent, openWorld, requiresConfirmation } = tool;
  // A skill outside of the base of the instance, as a whole-graph export has them, is named by its IRI.
  const skills = new Map(
    knowledge.skills.flatMap((skill) => [[skill.iri, skill] as const, [skill.name, skill] as const]),
  );
  return {
    title,
    description,
    tier,
    ...(version === undefined ? {} : { version }),
    ...(effect === undefined ? {} : { effect }),
    ...(idempotent === undefined ? {} : { idempotent }),
    ...(openWorld === undefined ? {} : { openWorld }),
    ...(requiresConfirmation === undefined ? {} : { requiresConfirmation }),
    ...(entry === undefined ? {} : armOf(entry.binding)),
    ...rejectedOf(entry ?? omission),
    invoke,
    ...(entry === undefined ? {} : { definition: entry.declaration._meta[definitionKey] }),
    revision: objectDigest(tool),
    skills: tool.satisfies.map((name) => {
      const skill = skills.get(name);
      return {
        name: skill?.name ?? name,
        known: skill !== undefined,
        ...(skill?.title === undefined ? {} : { title: skill.title }),
      };
    }),
    requirements: requirementsOf(tool, entry === undefined ? omission?.code : 'projected'),
    inputs: explainInputs(tool, entry, omission),
    outputs: explainOutputs(tool),
    alternatives: alternativesOf(tool, { id, iri }, knowledge),
    findings: findingsOf(tool, iri, knowledge),
    ...(selection === undefined ? {} : { selection }),
  };
}

function findingsOf(tool: Tool, iri: string, { findings }: Knowledge): Finding[] {
  const subjects = new Set([iri, ...tool.io.inputs.map(({ schema }) => schema)]);
  return findings.filter(({ rule, subject = '' }) => rule.startsWith('TG2') && subjects.has(subject));
}

function armOf(binding: Binding): Pick<Explanation, 'arm' | 'engine' | 'words' | 'module'> {
  if (binding.arm === 'shell') return { arm: binding.arm, words: binding.words };
  if (binding.arm === 'container') return { arm: binding.arm, engine: binding.engine, words: binding.words };
  return { arm: binding.arm, module: binding.module };
}

function rejectedOf(known: Entry | Omission | undefined): Pick<Explanation, 'rejectedArms'> {
  return known?.rejectedArms === undefined ? {} : { rejectedArms: known.rejectedArms };
}

import type { Input } from '../../schemas/port.js';
import type { RunnableArm, Tool } from '../../schemas/tool.js';
import type { PatternVerdicts } from '../patterns/verdict.js';
import { containerArm } from './container-arm.js';
import type { Binding, ProjectionOptions, RejectedArm, Unfitness } from './generation.js';
import type { HostFacts } from './host.js';
import { inProcessArm } from './in-process-arm.js';
import type { Port } from './ports.js';
import { shellArm } from './shell-arm.js';

/** What an arm is bound to. */
export interface BindRequest {
  readonly tool: Tool;
  /** The MCP name of the Tool. */
  readonly name: string;
  /** Every input that a call may give, the confirmation of P13 left out. */
  readonly ports: readonly Port[];
  readonly verdicts: PatternVerdicts;
}

/** An arm of one Tool in which a change of the node would cure nothing. */
export interface BoundArm {
  /** All that running it on this host needs, or why it cannot run there. */
  on(host: HostFacts): Binding | Unfitness;
}

/** What `hostQuestions` collects. */
export interface CollectedQuestions {
  readonly commands: Set<string>;
  readonly modules: Set<string>;
  readonly engines: Set<string>;
}

/** One kind of arm. Each has a file of its own. */
export interface ArmKind {
  /** Whether an input reaches what runs (P8): one that does not is left out of the inputSchema. */
  reaches(input: Input): boolean;
  /** Binds the arm, or gives the first fault, in the order of tool-node.md §3, that a change of the node would cure. */
  bind(request: BindRequest): BoundArm | Unfitness;
  /** Adds what the host has to be asked, so that `BoundArm.on` can answer. */
  ask(tool: Tool, questions: CollectedQuestions): void;
}

export const armKinds: Readonly<Record<RunnableArm, ArmKind>> = {
  inProcess: inProcessArm,
  shell: shellArm,
  container: containerArm,
};

const usualOrder: readonly RunnableArm[] = ['inProcess', 'shell', 'container'];

/** The arms of a Tool that are run by toolgraph, the preferred one first. One that the order of the options does not name comes after those that it names. */
export function armsOf({ invoke }: Tool, { arms = [] }: Pick<ProjectionOptions, 'arms'> = {}): readonly RunnableArm[] {
  return [...new Set([...arms, ...usualOrder])].filter((arm) => invoke[arm] !== undefined);
}

/** Why a Tool without an arm that toolgraph runs is omitted; undefined when `invoke` is empty. `mcp` is never a source (P11). */
export function withoutArm({ invoke }: Tool): Unfitness | undefined {
  if (invoke.manual !== undefined) return { code: 'manual-only', reason: 'it is done by a person: its arm is manual' };
  if (invoke.mcp === undefined) return undefined;
  return { code: 'mcp-only', reason: `it is an MCP tool already (${invoke.mcp.tool}): its only arm is mcp` };
}

/** `chosen` is absent when no arm can run; `rejected` are those that were looked at before, in order. */
export interface ArmChoice {
  readonly chosen?: Binding;
  readonly rejected: readonly RejectedArm[];
}

/**
 * The first arm that can run here (tool-node.md §3.1). Each is judged by all of §3, in its order: what a change of the node would cure,
 * then `unmet`, which is the same for all arms, then whether the host can run this one. So an arm with a fault does not keep another
 * from running, and the fault counts where none can run: then the Tool is omitted with the code of its first arm. An arm after the
 * chosen one is not judged at all: nothing would come of it.
 */
export function chooseArm(
  request: BindRequest,
  arms: readonly RunnableArm[],
  unmet: Unfitness | undefined,
  host: HostFacts,
): ArmChoice {
  const rejected: RejectedArm[] = [];
  for (const arm of arms) {
    const bound = armKinds[arm].bind(request);
    const judged = 'code' in bound ? bound : (unmet ?? bound.on(host));
    if (!('code' in judged)) return { chosen: judged, rejected };
    rejected.push({ arm, ...judged });
  }
  return { rejected };
}

import { byCodeUnits } from '../code-units.js';
import type { Diagnostic } from '../diagnostic.js';
import { errorMessage } from '../error-message.js';
import { duplicateIds, nameCollisions } from './duplicates.js';
import { evaluateNode, type Judgement, type NodeState } from './evaluate.js';
import type { Entry, Omission } from './generation.js';
import { lastGoodEntries, type Undetermined } from './last-good.js';
import type { ToolNode } from './node.js';
import { couldBeServed } from './omission.js';
import { atNode } from './ports.js';

/** Nodes that have no IRI and no MCP name in common with any other node, nor with an entry that is not in `before`. */
export interface Cluster {
  readonly nodes: readonly ToolNode[];
  /** What was served of them before (DESIGN decision 3). */
  readonly before: readonly Entry[];
}

/** What is known beside the nodes. */
export interface Surroundings extends Judgement, Omit<Undetermined, 'determined'> {
  /** An error is told of the node already, so it must not have a second state. */
  isFaulty(iri: string): boolean;
  /** The state of a node, other nodes aside, where it is known. */
  readonly states: WeakMap<ToolNode, NodeState>;
}

/** What a cluster becomes: in no particular order. */
export interface Outcome {
  readonly entries: readonly Entry[];
  readonly omissions: readonly Omission[];
  readonly problems: readonly Diagnostic[];
}

/**
 * Projects the nodes of a cluster. Independent of the order of what goes in. Never throws because of a node; what fails in toolgraph
 * itself is an `internal-error` of that node.
 */
export function projectCluster({ nodes: unsorted, before }: Cluster, surroundings: Surroundings): Outcome {
  const nodes = [...unsorted].sort(byIri);
  const fresh = new Map<string, Entry>();
  const omissions: Omission[] = [];
  const problems: Diagnostic[] = [];
  const determined = new Set<string>();
  const atFault = new Set<string>();
  for (const [node, state] of judge(nodes, before, surroundings)) {
    if (state.state === 'problem') {
      problems.push(...state.problems);
      atFault.add(node.iri);
    } else determined.add(node.iri);
    if (state.state === 'omitted') omissions.push(state.omission);
    if (state.state === 'projected') fresh.set(state.entry.name, state.entry);
  }
  const kept = lastGoodEntries(withoutInternal(before, nodes), {
    determined,
    isAtFault: (iri) => atFault.has(iri) || surroundings.isAtFault(iri),
    isUnreadable: (document) => surroundings.isUnreadable(document),
  });
  problems.push(...keep(kept, fresh, nodes));
  return { entries: [...fresh.values()], omissions, problems };
}

/** Without those whose node is internal by now: that holds whatever else could not be determined of it (P15). */
function withoutInternal(before: readonly Entry[], nodes: readonly ToolNode[]): Entry[] {
  return before.filter(
    ({ iri, document }) =>
      !nodes.some((node) => node.iri === iri && node.document === document && node.tool.tier === 'internal'),
  );
}

/** Each node with its one state, other nodes and earlier findings included. */
function judge(
  nodes: readonly ToolNode[],
  before: readonly Entry[],
  surroundings: Surroundings,
): Map<ToolNode, NodeState> {
  const duplicates = duplicateIds(nodes, stillServed(nodes, before, surroundings));
  const states = new Map<ToolNode, NodeState>();
  for (const node of nodes) {
    const duplicate = duplicates.get(node);
    const state = duplicate === undefined ? stateOf(node, surroundings) : problemState([duplicate]);
    states.set(node, state);
  }
  const named = nodes.filter((node) => !duplicates.has(node) && mayHaveName(states.get(node)));
  for (const [node, collision] of nameCollisions(named, surroundings.options)) {
    const state = states.get(node);
    states.set(node, problemState([collision, ...(state?.state === 'problem' ? state.problems : [])]));
  }
  for (const [node, { state }] of states) {
    if (state !== 'problem' && surroundings.isFaulty(node.iri)) states.delete(node);
  }
  return states;
}

/** Those of the served entries that are not omitted now: what is not served has no right to an id that another has too. */
function stillServed(nodes: readonly ToolNode[], before: readonly Entry[], surroundings: Surroundings): Entry[] {
  if (before.length === 0) return [];
  const place = ({ iri, document }: ToolNode | Entry): string => `${iri} ${document}`;
  const omitted = new Set(nodes.filter((node) => stateOf(node, surroundings).state === 'omitted').map(place));
  return before.filter((entry) => !omitted.has(place(entry)));
}

function problemState(problems: readonly [Diagnostic, ...Diagnostic[]]): NodeState {
  return { state: 'problem', problems };
}

function stateOf(node: ToolNode, surroundings: Surroundings): NodeState {
  const known = surroundings.states.get(node);
  if (known !== undefined) return known;
  const state = evaluateSafely(node, surroundings);
  surroundings.states.set(node, state);
  return state;
}

function evaluateSafely(node: ToolNode, judgement: Judgement): NodeState {
  try {
    return evaluateNode(node, judgement);
  } catch (error) {
    const message = `toolgraph failed on this node: ${errorMessage(error)}; report it`;
    return problemState([atNode(node, 'internal-error', message)]);
  }
}

function mayHaveName(state: NodeState | undefined): boolean {
  return state?.state !== 'omitted' || couldBeServed(state.omission);
}

/**
 * Takes the kept entries into `entries`. A new Tool does not take the name of one that is kept: the one that was served first
 * keeps serving, and the other is a `name-collision`.
 */
function keep(kept: readonly Entry[], entries: Map<string, Entry>, nodes: readonly ToolNode[]): Diagnostic[] {
  const collisions: Diagnostic[] = [];
  for (const entry of kept) {
    const taker = entries.get(entry.name);
    const rival = taker && nodes.find(({ iri }) => iri === taker.iri);
    if (rival !== undefined) {
      const message = `"${rival.tool.id}" has the MCP name ${entry.name} of "${entry.id}" of ${entry.document}, which is served as it was; change one of the ids`;
      collisions.push(atNode(rival, 'name-collision', message));
    }
    entries.set(entry.name, entry);
  }
  return collisions;
}

function byIri(a: ToolNode, b: ToolNode): number {
  return byCodeUnits(a.iri, b.iri) || byCodeUnits(a.document, b.document) || byCodeUnits(a.pointer, b.pointer);
}

import { byCodeUnits } from '../code-units.js';
import type { Diagnostic } from '../diagnostic.js';
import type { PatternVerdicts } from '../patterns/verdict.js';
import { generationDigests } from './digest.js';
import { duplicateIds, nameCollisions } from './duplicates.js';
import { evaluateNode, type Judgement, type NodeState } from './evaluate.js';
import type { Entry, Omission, Projection, ProjectionOptions } from './generation.js';
import type { HostFacts } from './host.js';
import { lastGoodEntries } from './last-good.js';
import type { ToolNode, TypeRegistry } from './node.js';
import { atNode } from './ports.js';
import { schemaSource } from './schema-source.js';
import type { StateMemo } from './state-memo.js';

export interface ProjectionInput {
  readonly tools: readonly ToolNode[];
  readonly types: TypeRegistry;
  /** Found before the projection: read, shape, lift, config. One of severity `error` about a Tool makes it a problem. */
  readonly problems: readonly Diagnostic[];
  readonly host: HostFacts;
  readonly options: ProjectionOptions;
  /** Of all that `patternsOf` names; one that is missing counts as undecided. */
  readonly verdicts: PatternVerdicts;
  /** The projection before, of this process: what last-good is taken from (DESIGN decision 3). */
  readonly previous?: Projection;
  /** By document: the IRIs of nodes in it that could not be determined, or `all`. */
  readonly broken?: ReadonlyMap<string, readonly string[] | 'all'>;
  /** Of the projections before, where there are any: saves time, changes nothing. */
  readonly memo?: StateMemo;
}

/**
 * Nodes, host facts and options become one generation's content. Pure, and independent of the order of what goes in: the same
 * input gives the same bytes. Never throws because of a node; what fails in toolgraph itself is an `internal-error` of that node.
 */
export function project(input: ProjectionInput): Projection {
  const { tools, types, host, options, verdicts, previous } = input;
  const nodes = [...tools].sort(byIri);
  const states = judge(nodes, input, { schemaOf: schemaSource(types), verdicts, host, options });
  const fresh = new Map<string, Entry>();
  const omissions: Omission[] = [];
  const found: Diagnostic[] = [...input.problems];
  const determined = new Set<string>();
  for (const [node, state] of states) {
    if (state.state === 'problem') found.push(...state.problems);
    else determined.add(node.iri);
    if (state.state === 'omitted') omissions.push(state.omission);
    if (state.state === 'projected') fresh.set(state.entry.name, state.entry);
  }
  const documents = new Set(nodes.map(({ document }) => document));
  const now = { determined, documents, problems: found, broken: input.broken ?? new Map() };
  found.push(...keep(lastGoodEntries(previous, now), fresh, nodes));
  const entries = new Map([...fresh].sort(([a], [b]) => byCodeUnits(a, b)));
  const problems = sortedProblems(found);
  omissions.sort(
    (a, b) => byCodeUnits(a.id, b.id) || byCodeUnits(a.document, b.document) || byCodeUnits(a.pointer, b.pointer),
  );
  const declarations = Array.from(entries.values(), ({ declaration }) => declaration);
  return { entries, omissions, problems, ...generationDigests(declarations, omissions, problems) };
}

/** Each node with its one state, other nodes and earlier findings included. */
function judge(nodes: readonly ToolNode[], input: ProjectionInput, judgement: Judgement): Map<ToolNode, NodeState> {
  const duplicates = duplicateIds(nodes, input.previous);
  const evaluate = (node: ToolNode): NodeState => evaluateSafely(node, judgement);
  input.memo?.begin(input);
  const faulty = new Set(
    input.problems.flatMap(({ severity, subject }) => (severity === 'error' ? (subject ?? []) : [])),
  );
  const states = new Map<ToolNode, NodeState>();
  for (const node of nodes) {
    const duplicate = duplicates.get(node);
    states.set(
      node,
      duplicate === undefined
        ? (input.memo?.stateOf(node, evaluate) ?? evaluate(node))
        : { state: 'problem', problems: [duplicate] },
    );
  }
  const named = nodes.filter((node) => !duplicates.has(node) && couldBeNamed(states.get(node)));
  for (const [node, collision] of nameCollisions(named, input.options)) {
    const state = states.get(node);
    const earlier = state?.state === 'problem' ? state.problems : [];
    states.set(node, { state: 'problem', problems: [collision, ...earlier] });
  }
  // The problem is in `input.problems` already; the node only must not have a second state.
  for (const [node, state] of states) if (faulty.has(node.iri) && state.state !== 'problem') states.delete(node);
  return states;
}

function evaluateSafely(node: ToolNode, judgement: Judgement): NodeState {
  try {
    return evaluateNode(node, judgement);
  } catch (error) {
    const message = `toolgraph failed on this node: ${error instanceof Error ? error.message : String(error)}; report it`;
    return { state: 'problem', problems: [atNode(node, 'internal-error', message)] };
  }
}

/** A Tool that no change of host or options can project takes no name from another. */
function couldBeNamed(state: NodeState | undefined): boolean {
  return state?.state !== 'omitted' || !['internal', 'mcp-only', 'manual-only'].includes(state.omission.code);
}

/**
 * Takes the kept entries into `entries`. A new Tool does not take the name of one that is kept: the one that was served first
 * keeps serving, and the other is a `name-collision`.
 */
function keep(kept: readonly Entry[], entries: Map<string, Entry>, nodes: readonly ToolNode[]): Diagnostic[] {
  const collisions: Diagnostic[] = [];
  for (const entry of kept) {
    const rival = nodes.find(({ iri }) => iri === entries.get(entry.name)?.iri);
    if (rival !== undefined) {
      const message = `"${rival.tool.id}" has the MCP name ${entry.name} of "${entry.id}" of ${entry.document}, which is served as it was; change one of the ids`;
      collisions.push(atNode(rival, 'name-collision', message));
    }
    entries.set(entry.name, entry);
  }
  return collisions;
}

function sortedProblems(problems: readonly Diagnostic[]): Diagnostic[] {
  const keyed = problems.map((found) => ({ found, key: JSON.stringify(Object.entries(found).sort()) }));
  const unique = [...new Map(keyed.map((item) => [item.key, item])).values()];
  unique.sort(({ found: a, key: keyA }, { found: b, key: keyB }) => {
    const byPlace = byCodeUnits(a.document ?? '', b.document ?? '') || byCodeUnits(a.pointer ?? '', b.pointer ?? '');
    return byPlace || byCodeUnits(a.code, b.code) || byCodeUnits(a.message, b.message) || byCodeUnits(keyA, keyB);
  });
  return unique.map(({ found }) => found);
}

function byIri(a: ToolNode, b: ToolNode): number {
  return byCodeUnits(a.iri, b.iri) || byCodeUnits(a.document, b.document) || byCodeUnits(a.pointer, b.pointer);
}

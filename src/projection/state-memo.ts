import type { PatternVerdicts } from '../patterns/verdict.js';
import type { NodeState } from './evaluate.js';
import type { ProjectionOptions } from './generation.js';
import type { HostFacts } from './host.js';
import type { ToolNode, TypeRegistry } from './node.js';

/** All that decides the state of a node, beside the node. */
export interface Basis {
  readonly types: TypeRegistry;
  readonly host: HostFacts;
  readonly options: ProjectionOptions;
  readonly verdicts: PatternVerdicts;
}

/**
 * Remembers the state of each node from one projection to the next, so that an edit of one node judges one. A node is judged
 * again when it is another object, or when something else that decides its state has changed.
 */
export class StateMemo {
  #states = new WeakMap<ToolNode, NodeState>();
  #basis: (Basis & { readonly verdictCount: number }) | undefined;

  /** Begins a projection. Forgets every state when the last one had another basis. */
  begin({ types, host, options, verdicts }: Basis): void {
    const last = this.#basis;
    const basis = { types, host, options, verdicts, verdictCount: verdicts.size };
    if (last === undefined || last.verdictCount !== basis.verdictCount || !isSameBasis(last, basis)) {
      this.#states = new WeakMap();
    }
    // A verdict that is added can only be of a pattern that no judged node had, but then the count differs, which is safe.
    this.#basis = basis;
  }

  stateOf(node: ToolNode, judge: (node: ToolNode) => NodeState): NodeState {
    const known = this.#states.get(node);
    if (known !== undefined) return known;
    const state = judge(node);
    this.#states.set(node, state);
    return state;
  }
}

function isSameBasis(last: Basis, next: Basis): boolean {
  return (
    last.verdicts === next.verdicts &&
    JSON.stringify(last.options) === JSON.stringify(next.options) &&
    areSameTypes(last.types, next.types) &&
    isSameHost(last.host, next.host)
  );
}

function areSameTypes(last: TypeRegistry, next: TypeRegistry): boolean {
  if (last.size !== next.size) return false;
  for (const [iri, type] of next) if (last.get(iri) !== type) return false;
  return true;
}

/** Answers to new questions change nothing for the nodes that did not ask them. */
function isSameHost(last: HostFacts, next: HostFacts): boolean {
  return (
    last.os === next.os &&
    last.network === next.network &&
    agree(last.commands, next.commands) &&
    agree(last.runtimes, next.runtimes) &&
    agree(last.env, next.env) &&
    agree(last.paths, next.paths)
  );
}

function agree(last: ReadonlyMap<string, boolean>, next: ReadonlyMap<string, boolean>): boolean {
  for (const [name, answer] of next) {
    const before = last.get(name);
    if (before !== undefined && before !== answer) return false;
  }
  return true;
}

import type { Tool } from '../../schemas/tool.js';
import type { OmissionCode } from '../diagnostic.js';

export interface Requirement {
  readonly kind: 'os' | 'runtime' | 'network' | 'env' | 'when';
  readonly needs: readonly string[];
  /** `unknown`: an earlier reason decided, so nobody looked. */
  readonly met: 'yes' | 'no' | 'unknown';
}

/**
 * What a Tool requires, and what its state says of it: requirements are looked at in one order and the first that is unmet is
 * the reason (tool-node.md §3), so those before it are met and those after it are unknown.
 */
export function requirementsOf(tool: Tool, outcome: 'projected' | OmissionCode | undefined): Requirement[] {
  const decided = outcome === undefined ? -1 : (decidedAt.get(outcome) ?? -1);
  return order.flatMap((kind, i) => {
    const needs = needsOf(tool, kind);
    if (needs.length === 0) return [];
    return [{ kind, needs, met: i < decided ? 'yes' : outcome === `unmet-${kind}` ? 'no' : 'unknown' } as const];
  });
}

const order = ['os', 'runtime', 'network', 'env', 'when'] as const;

/** How many of `order` were met when this was the outcome. What is not here was decided before any of them. */
const decidedAt: ReadonlyMap<string, number> = new Map([
  ...order.map((kind, i) => [`unmet-${kind}`, i] as const),
  ...['projected', 'command-not-found', 'module-not-found', 'module-failed', 'no-container-engine'].map(
    (outcome) => [outcome, order.length] as const,
  ),
]);

function needsOf({ requires, when }: Tool, kind: Requirement['kind']): readonly string[] {
  if (kind === 'network') return requires?.network === true ? ['network'] : [];
  if (kind === 'when') return when?.exists ?? [];
  return requires?.[kind] ?? [];
}

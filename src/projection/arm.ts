import type { RunnableArm, Tool } from '../../schemas/tool.js';
import type { OmissionCode } from '../diagnostic.js';
import type { ProjectionOptions } from './generation.js';

const usualOrder: readonly RunnableArm[] = ['inProcess', 'shell', 'container'];
/** The arms that this version can run. */
const supported: ReadonlySet<RunnableArm> = new Set(['shell']);

/** The arm by which a Tool is judged and called, why there is none, or `undefined` when `invoke` is empty. */
export type ArmChoice =
  | { readonly arm: 'shell'; readonly shell: string }
  | { readonly code: Extract<OmissionCode, 'mcp-only' | 'manual-only' | 'arm-unsupported'>; readonly reason: string }
  | undefined;

/**
 * The first arm, in the order of the options, that this version can run. `mcp` is never a source (P11), so a node with `mcp` and
 * `manual` is `manual-only`. An arm that the order does not name comes after those that it names.
 */
export function chooseArm({ invoke }: Tool, { arms = [] }: ProjectionOptions): ArmChoice {
  const present = [...new Set([...arms, ...usualOrder])].filter((arm) => invoke[arm] !== undefined);
  if (present.some((arm) => supported.has(arm)) && invoke.shell !== undefined)
    return { arm: 'shell', shell: invoke.shell };
  if (present.length > 0) {
    const names = present.join(' and ');
    return {
      code: 'arm-unsupported',
      reason: `it has only the arm ${names}, which this version cannot run; add a shell arm`,
    };
  }
  if (invoke.manual !== undefined) return { code: 'manual-only', reason: 'it is done by a person: its arm is manual' };
  if (invoke.mcp === undefined) return undefined;
  return { code: 'mcp-only', reason: `it is an MCP tool already (${invoke.mcp.tool}): its only arm is mcp` };
}

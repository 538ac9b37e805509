import { byCodeUnits } from '../code-units.js';
import type { Omission } from './generation.js';

/** The order of the omissions of a generation. */
export function compareOmissions(a: Omission, b: Omission): number {
  return byCodeUnits(a.id, b.id) || byCodeUnits(a.document, b.document) || byCodeUnits(a.pointer, b.pointer);
}

/** False when no change of host or options can project the Tool: then it takes no name from another. */
export function couldBeServed({ code }: Omission): boolean {
  return !['internal', 'mcp-only', 'manual-only'].includes(code);
}

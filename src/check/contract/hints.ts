import type { Json } from '../../../schemas/declaration.js';
import type { Tool } from '../../../schemas/tool.js';
import { isJsonObject } from '../../json-object.js';
import { type Drift, drift } from './finding.js';

/**
 * Hints of a server that contradict what the node states (P14). What one of the two does not state contradicts nothing, also where MCP
 * has a default for it; destructiveHint says something only of a tool that is not read-only. Pointers are relative to the node.
 */
export function hintDrift({ effect, idempotent, openWorld }: Tool, annotations: Json | undefined): Drift[] {
  if (!isJsonObject(annotations)) return [];
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const found: Drift[] = [];
  const tell = (hint: string, value: boolean, field: string, stated: string): void => {
    found.push(
      drift('hint-contradicted', `the server says ${hint}: ${value}, the node says ${stated}`, {
        nodePointer: `/${field}`,
        serverPointer: `/annotations/${hint}`,
      }),
    );
  };
  if (effect === 'read' && readOnlyHint === false) tell('readOnlyHint', false, 'effect', 'effect read');
  if (effect !== undefined && effect !== 'read' && readOnlyHint === true)
    tell('readOnlyHint', true, 'effect', `effect ${effect}`);
  if (effect === 'destructive' && destructiveHint === false && readOnlyHint !== true) {
    tell('destructiveHint', false, 'effect', 'effect destructive');
  }
  if (effect !== undefined && effect !== 'destructive' && destructiveHint === true && readOnlyHint !== true) {
    tell('destructiveHint', true, 'effect', `effect ${effect}`);
  }
  if (idempotent !== undefined && idempotentHint === !idempotent) {
    tell('idempotentHint', !idempotent, 'idempotent', `idempotent: ${idempotent}`);
  }
  if (openWorld !== undefined && openWorldHint === !openWorld)
    tell('openWorldHint', !openWorld, 'openWorld', `openWorld: ${openWorld}`);
  return found;
}

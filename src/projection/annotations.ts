import type { Annotations } from '../../schemas/declaration.js';
import type { Tool } from '../../schemas/tool.js';

/**
 * The hints of a declaration (P14): what the node states, and nothing that it leaves open. MCP reads `destructiveHint` and
 * `idempotentHint` only where `readOnlyHint` is not true; a node that states more is passed on as it is. Undefined when it states none.
 */
export function toolAnnotations({ effect, idempotent, openWorld }: Tool): Annotations | undefined {
  const hints: Annotations = {
    ...(effect === undefined ? {} : effectHints[effect]),
    ...(idempotent === undefined ? {} : { idempotentHint: idempotent }),
    ...(openWorld === undefined ? {} : { openWorldHint: openWorld }),
  };
  return Object.keys(hints).length === 0 ? undefined : hints;
}

const effectHints: Readonly<Record<NonNullable<Tool['effect']>, Annotations>> = {
  read: { readOnlyHint: true },
  write: { readOnlyHint: false, destructiveHint: false },
  destructive: { destructiveHint: true },
};

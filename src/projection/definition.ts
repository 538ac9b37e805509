import { type Declaration, definitionKey } from '../../schemas/declaration.js';
import type { Tool } from '../../schemas/tool.js';
import { jcsDigest } from './digest.js';

/**
 * The declaration with its definition digest (P17): what a caller can see and what will run. satisfies, selection and provenance
 * are not in it.
 */
export function withDefinition(declaration: Omit<Declaration, '_meta'>, tool: Tool): Declaration {
  const definition = jcsDigest({
    declaration,
    invoke: { shell: tool.invoke.shell },
    args: tool.io.inputs.map(({ name, arg }) => ({ name, arg })),
    requires: tool.requires,
    limits: tool.limits,
  });
  return { ...declaration, _meta: { [definitionKey]: definition } };
}

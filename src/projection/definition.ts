import { type Declaration, definitionKey } from '../../schemas/declaration.js';
import type { Tool } from '../../schemas/tool.js';
import { jcsDigest } from './digest.js';
import type { Binding } from './generation.js';

/**
 * The declaration with its definition digest (P17): what a caller can see, what will run and how its outputs are read. satisfies,
 * selection and provenance are not in it.
 */
export function withDefinition(declaration: Omit<Declaration, '_meta'>, tool: Tool, binding: Binding): Declaration {
  const { arm } = binding;
  const isStructured = declaration.outputSchema !== undefined;
  const valueSchema = binding.arm === 'inProcess' ? undefined : binding.valueSchema;
  const definition = jcsDigest({
    declaration,
    invoke: { [arm]: tool.invoke[arm] },
    args: tool.io.inputs.map(({ name, arg }) => ({ name, arg })),
    outputs: isStructured ? tool.io.outputs.map(({ name, from }) => ({ name, from })) : undefined,
    content: valueSchema === undefined ? undefined : { outputs: binding.outputs, valueSchema },
    requires: tool.requires,
    limits: tool.limits,
  });
  return { ...declaration, _meta: { [definitionKey]: definition } };
}

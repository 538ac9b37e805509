import type { JsonSchema } from '../../schemas/declaration.js';
import type { Input } from '../../schemas/port.js';
import type { ArgvVerdict } from '../patterns/verdict.js';
import type { ToolNode, TypeNode } from '../projection/node.js';
import { schemaSource } from '../projection/schema-source.js';
import type { CheckedInstance } from './rule.js';

/** A type whose values become words of argv, and the inputs that have it. */
export interface ArgvType {
  readonly type: TypeNode;
  /** With every reference inlined. */
  readonly schema: JsonSchema;
  /** Of its pattern, where that alone decides which values there are. */
  readonly verdict: ArgvVerdict | undefined;
  readonly inputs: readonly { readonly node: ToolNode; readonly input: Input }[];
}

/** The types of the inputs bound to argv, of those that `isMeant` alone. A type that cannot be projected is a problem, and not here. */
export function argvTypes({ nodes, members }: CheckedInstance, isMeant: (input: Input) => boolean): ArgvType[] {
  return [...members].flatMap(([label, { types, verdicts }]) => {
    const schemaOf = schemaSource(types);
    const users = new Map<string, { node: ToolNode; input: Input }[]>();
    for (const node of nodes.filter(({ instance = '' }) => instance === label)) {
      for (const input of argvInputs(node).filter(isMeant)) {
        const known = users.get(input.schema);
        if (known === undefined) users.set(input.schema, [{ node, input }]);
        else known.push({ node, input });
      }
    }
    return [...users].flatMap(([iri, inputs]): ArgvType[] => {
      const type = types.get(iri);
      const found = schemaOf(iri);
      if (type === undefined || !('schema' in found)) return [];
      const { schema } = found;
      const isListed = schema.enum !== undefined || schema.const !== undefined;
      const pattern = isListed || typeof schema.pattern !== 'string' ? undefined : schema.pattern;
      return [{ type, schema, verdict: pattern === undefined ? undefined : verdicts.get(pattern)?.argv, inputs }];
    });
  });
}

/** Those that become words of a process, if the Tool has an arm that starts one. */
function argvInputs({ tool: { invoke, io } }: ToolNode): Input[] {
  if (invoke.shell === undefined && invoke.container === undefined) return [];
  return io.inputs.filter(({ arg }) => arg !== undefined && !('stdin' in arg));
}

/** Whether a value is short enough for a schema of strings. */
export function fits(value: string, { maxLength }: JsonSchema): boolean {
  return typeof maxLength !== 'number' || [...value].length <= maxLength;
}

const mostNamed = 3;

/** `input "dir" of kg-audit, input "out" of beans and 2 more`. */
export function namedInputs(inputs: ArgvType['inputs']): string {
  const shown = inputs.slice(0, mostNamed).map(({ node, input }) => `input "${input.name}" of ${node.tool.id}`);
  const more = inputs.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
